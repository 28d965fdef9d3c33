import type { Arrow, Point } from './geometry.ts'
import { cardinality } from './graph.ts'
import { SIZES, shown } from './sizes.ts'

/** One link: a line, its head, and its name with how many there are. */
export function ArrowLine({ arrow: { link, points, label } }: { readonly arrow: Arrow }) {
  const end = points.at(-1) ?? { x: 0, y: 0 }
  const before = points.at(-2) ?? end
  return (
    <g class={link.embedded ? 'picture-link embedded' : 'picture-link'}>
      <title>{`${link.name}: ${cardinality(link)}`}</title>
      <path class="picture-line" d={pathThrough(points)} />
      <path class="picture-head" d={headAt(end, before.x < end.x ? 1 : -1)} />
      <text
        x={label.side === 'left' ? label.x : label.x + label.width}
        y={label.y + SIZES.labelHeight - BASELINE}
        text-anchor={label.side === 'left' ? 'start' : 'end'}
      >
        {shown(link.name, 'label')}
        <tspan class="picture-many">{` ${cardinality(link)}`}</tspan>
      </text>
    </g>
  )
}

const BASELINE = 4
const HEAD = { length: 9, half: 4.5 } as const

function headAt({ x, y }: Point, direction: 1 | -1): string {
  const back = x - HEAD.length * direction
  return `M${x} ${y}L${back} ${y - HEAD.half}V${y + HEAD.half}Z`
}

/** See `Arrow.points` for which line joins which points. */
function pathThrough([first, ...rest]: readonly Point[]): string {
  if (!first) return ''
  let from = first
  const lines = rest.map((to) => {
    const line = lineBetween(from, to)
    from = to
    return line
  })
  return `M${first.x} ${first.y}${lines.join('')}`
}

function lineBetween(from: Point, to: Point): string {
  if (from.y === to.y) return `H${to.x}`
  const radius = (to.y - from.y) / 2
  if (from.x === to.x) return `A${radius} ${radius} 0 0 1 ${to.x} ${to.y}`
  const middle = (from.x + to.x) / 2
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`
}
