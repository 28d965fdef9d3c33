import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../../shared/controls/index.ts'
import { type ClassGraph, cardinality, type GraphLink } from './graph.ts'
import { isTangle, layOut, MOST_LINES, MOST_LINKED } from './layout.ts'
import { ArrowLine, ClassBox } from './shapes.tsx'

interface ClassPictureProps {
  readonly graph: ClassGraph
  readonly hrefOfBox: (id: string) => string
}

/** Letters stay readable: a picture that would have to be smaller is moved about instead. */
const SMALLEST = 0.85
const USUAL_WIDTH = 900

export function ClassPicture({ graph, hrefOfBox }: ClassPictureProps) {
  const { width, height, boxes, arrows } = useMemo(() => layOut(graph), [graph])
  const [isWhole, setWhole] = useState(false)
  const links = graph.links.length
  const count = `${boxes.length} ${boxes.length === 1 ? 'class' : 'classes'} and ${links} ${links === 1 ? 'link' : 'links'}`
  return (
    <figure class="picture">
      <div class="picture-window">
        <svg
          aria-label="Classes"
          viewBox={`0 0 ${width} ${height}`}
          style={{
            '--picture-width': `${width}px`,
            '--picture-least': isWhole ? '0' : `${width * SMALLEST}px`,
          }}
        >
          {/* The boxes are links, which would be hidden within what is a single picture. */}
          <svg role="img" aria-labelledby="picture-title picture-words" width={width} height={height}>
            <title id="picture-title">{`Picture of ${count}`}</title>
            <desc id="picture-words">They are listed in words below the picture.</desc>
            {arrows.map((arrow) => (
              <ArrowLine key={`${arrow.link.from} ${arrow.link.name}`} arrow={arrow} />
            ))}
          </svg>
          {boxes.map((placed) => (
            <ClassBox key={placed.box.id} placed={placed} href={hrefOfBox(placed.box.id)} />
          ))}
        </svg>
      </div>
      <figcaption class="hint">
        {isTangle(graph) &&
          `With more than ${MOST_LINKED} classes or ${MOST_LINES} links, lines are left out. `}
        {arrows.some(({ link }) => link.embedded) &&
          'A dashed line leads to a value that is kept within the member, without an address of its own. '}
        {links > 0 && 'One, many or optional: how many values there can be.'}
      </figcaption>
      <div class="picture-tools">
        {width > USUAL_WIDTH && (
          <Button
            label="Fit the picture to the page"
            class="picture-size"
            aria-pressed={isWhole}
            onClick={() => setWhole(!isWhole)}
          />
        )}
        {links > 0 && <LinkList graph={graph} hrefOfBox={hrefOfBox} />}
      </div>
    </figure>
  )
}

interface LinkListProps {
  readonly graph: ClassGraph
  readonly hrefOfBox: (id: string) => string
}

/** What the picture shows, in words: `Book → author → Author`. */
export function LinkList({ graph: { boxes, links }, hrefOfBox }: LinkListProps) {
  const titles = new Map(boxes.map(({ id, title }) => [id, title]))
  const end = (id: string) => <a href={hrefOfBox(id)}>{titles.get(id)}</a>
  return (
    <details class="picture-list">
      <summary>The links as a list</summary>
      <ul>
        {links.map((link) => (
          <li key={`${link.from} ${link.name}`}>
            {end(link.from)} <Arrow /> <code>{link.name}</code> <Arrow /> {end(link.to)}{' '}
            <span class="hint">{remark(link)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const Arrow = () => (
  <>
    <span aria-hidden="true">→</span>
    <span class="visually-hidden">, </span>
  </>
)

const remark = (link: GraphLink): string =>
  link.embedded ? `${cardinality(link)} within the member` : cardinality(link)
