import { type Anchors, ClassName } from './class-name.tsx'
import type { Subject } from './subjects.ts'

interface ContentsProps {
  readonly things: readonly Subject[]
  readonly anchors: Anchors
}

/** The table of contents: beside the text where there is room, above it where there is not. */
export const Contents = ({ things, anchors }: ContentsProps) => (
  <nav class="doc-contents" aria-labelledby="doc-contents">
    <h2 id="doc-contents">Classes</h2>
    <ul>
      {things.map(({ anchor, cls }) => (
        <li key={anchor}>
          <ClassName iri={cls.iri} anchors={anchors} />
        </li>
      ))}
    </ul>
  </nav>
)
