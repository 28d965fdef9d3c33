import { useMemo, useRef, useState } from 'preact/hooks'
import { Button, useMeasured } from '../../../shared/controls/index.ts'
import { counted } from '../../../shared/names.ts'
import { isTangle, layOut, MOST_LINES, MOST_LINKED } from './layout.ts'
import {
  type Arrow,
  type ClassGraph,
  cardinality,
  heightOfRow,
  type PlacedBox,
  type Point,
  SIZES,
  shown,
} from './sizes.ts'

export function ClassPicture({ graph }: { graph: ClassGraph }) {
  const { width, height, boxes, arrows } = useMemo(() => layOut(graph), [graph])
  // At first the whole picture fits the page; at full size it is scrolled.
  const [isFull, setFull] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const isNarrow = useMeasured(frame, ({ clientWidth }) => clientWidth < width, [width])
  const links = graph.links.length
  const count = `${counted(boxes.length, 'classes')} and ${counted(links, 'links')}`
  return (
    <figure class="picture stack">
      <div ref={frame} class="picture-window">
        <svg
          aria-label="Classes"
          viewBox={`0 0 ${width} ${height}`}
          style={{
            '--picture-width': `${width}px`,
            '--picture-least': isFull ? `${width}px` : '0',
          }}
        >
          {/* The boxes are links, which assistive technology would not find within an image. */}
          <svg role="img" aria-labelledby="picture-title picture-words" width={width} height={height}>
            <title id="picture-title">{`Picture of ${count}`}</title>
            <desc id="picture-words">They are listed below the picture.</desc>
            {/* Gives the picture its height, even if it is a single straight line. */}
            <rect width={width} height={height} fill="none" />
            <ArrowHead />
            {arrows.map((arrow) => (
              <ArrowLine key={`${arrow.link.from} ${arrow.link.name}`} arrow={arrow} />
            ))}
          </svg>
          {boxes.map((placed) => (
            <ClassBox key={placed.box.id} placed={placed} />
          ))}
        </svg>
      </div>
      <figcaption class="hint">
        {isTangle(graph) &&
          `There are more than ${MOST_LINKED} classes or ${MOST_LINES} links, so no lines are drawn. `}
        {arrows.some(({ link }) => link.embedded) &&
          'A dashed line leads to a value that is embedded in the member and has no address of its own. '}
        {links > 0 && '“One”, “many” and “optional” say how many values a link can have.'}
      </figcaption>
      <div class="picture-tools">
        {isNarrow && (
          <Button
            label="Full size"
            class="picture-size"
            aria-pressed={isFull}
            onClick={() => setFull(!isFull)}
          />
        )}
        {links > 0 && <LinkList graph={graph} />}
      </div>
    </figure>
  )
}

const ArrowHead = () => (
  <marker
    id="picture-head"
    refX="9"
    refY="4.5"
    markerWidth="9"
    markerHeight="9"
    orient="auto"
    markerUnits="userSpaceOnUse"
  >
    <path class="picture-head" d="M9 4.5 0 0V9Z" />
  </marker>
)

/** The links in words: `Book → author → Author`. */
function LinkList({ graph: { boxes, links } }: { graph: ClassGraph }) {
  const byId = new Map(boxes.map((box) => [box.id, box]))
  const end = (id: string) => <a href={byId.get(id)?.href ?? ''}>{byId.get(id)?.title}</a>
  return (
    <details class="picture-list">
      <summary>The links as a list</summary>
      <ul class="bullets">
        {links.map((link) => (
          <li key={`${link.from} ${link.name}`}>
            {end(link.from)} <To /> <code>{link.name}</code> <To /> {end(link.to)}{' '}
            <span class="hint">{`${cardinality(link)}${link.embedded ? ' embedded' : ''}`}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const To = () => (
  <>
    <span aria-hidden="true">→</span>
    <span class="visually-hidden">, </span>
  </>
)

/** A class with its first properties and its links. The box is a link, named after the class alone. */
function ClassBox({ placed: { box, rows, x, y, width, height } }: { placed: PlacedBox }) {
  const left = x + SIZES.padding
  return (
    <>
      <a class="picture-box" href={box.href}>
        <rect class="picture-frame" x={x} y={y} width={width} height={height} rx="8" />
        <text class="picture-name" x={left} y={y + HEAD_BASELINE}>
          {shown(box.title, 'title')}
        </text>
      </a>
      <g class="picture-lines">
        {rows.length > 0 && <path class="picture-rule" d={`M${x} ${y + SIZES.head}h${width}`} />}
        {rows.map(({ name, type }, index) => {
          const baseline = y + heightOfRow(index) + BASELINE
          const shownName = shown(name, 'name')
          const isCut = shownName !== name
          return (
            <g key={index} pointer-events={isCut ? 'auto' : undefined}>
              {isCut && <title>{name}</title>}
              <text class="picture-property" x={left} y={baseline}>
                {shownName}
              </text>{' '}
              <text class="picture-type" x={x + width - SIZES.padding} y={baseline} text-anchor="end">
                {shown(type, 'type')}
              </text>
            </g>
          )
        })}
      </g>
    </>
  )
}

const HEAD_BASELINE = 23
const BASELINE = 4

const ArrowLine = ({ arrow: { link, points } }: { arrow: Arrow }) => (
  <g class={link.embedded ? 'picture-link embedded' : 'picture-link'}>
    <title>{`${link.name}: ${cardinality(link)}`}</title>
    <path class="picture-line" d={pathThrough(points)} marker-end="url(#picture-head)" />
  </g>
)

/** See `Arrow.points` for how the points are joined. */
const pathThrough = (points: readonly Point[]): string =>
  points
    .map((to, index) => {
      const from = points[index - 1]
      if (!from) return `M${to.x} ${to.y}`
      if (from.y === to.y) return `H${to.x}`
      const bend = from.x === to.x ? to.x + SIZES.bulge : (from.x + to.x) / 2
      return `C${bend} ${from.y} ${bend} ${to.y} ${to.x} ${to.y}`
    })
    .join('')
