import { type ClassGraph, cardinality, type GraphLink } from './graph.ts'

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
