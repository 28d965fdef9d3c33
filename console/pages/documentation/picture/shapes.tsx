import { cardinality } from './graph.ts'
import type { PlacedBox } from './layout.ts'
import { type Arrow, type Point, SIZES, shown } from './sizes.ts'

interface ClassBoxProps {
  readonly placed: PlacedBox
  readonly href: string
}

/** A class with the first of its properties; all of the box is a link, whose name is that of the class alone. */
export function ClassBox({ placed: { box, x, y, width, height }, href }: ClassBoxProps) {
  const { title, lines, more } = box
  const left = x + SIZES.padding
  const baseline = (line: number): number => y + SIZES.head + LINE_BASELINE + line * SIZES.line
  return (
    <>
      <a class="picture-box" href={href}>
        <rect class="picture-frame" x={x} y={y} width={width} height={height} rx="8" />
        <text class="picture-name" x={left} y={y + HEAD_BASELINE}>
          {shown(title, 'title')}
        </text>
      </a>
      <g class="picture-lines">
        {lines.length + more > 0 && <path class="picture-rule" d={`M${x} ${y + SIZES.head}h${width}`} />}
        {lines.map(({ name, type }, index) => (
          <g key={name}>
            <text class="picture-property" x={left} y={baseline(index)}>
              {shown(name, 'name')}
            </text>
            <text class="picture-type" x={x + width - SIZES.padding} y={baseline(index)} text-anchor="end">
              {shown(type, 'type')}
            </text>
          </g>
        ))}
        {more > 0 && (
          <text class="picture-type" x={left} y={baseline(lines.length)}>
            {`${lines.length ? '+ ' : ''}${more} ${more === 1 ? 'property' : 'properties'}`}
          </text>
        )}
      </g>
    </>
  )
}

const HEAD_BASELINE = 23
const LINE_BASELINE = 19

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
