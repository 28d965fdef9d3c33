import { useState } from 'preact/hooks'
import { useApi } from '../../shared/api.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { headingId } from './anchors.ts'
import { ClassDetails } from './class-details.tsx'
import type { Anchors } from './class-name.tsx'
import type { Subject } from './subjects.ts'

interface ClassSectionProps {
  readonly subject: Subject
  readonly anchors: Anchors
}

/** Everything about one class. */
export function ClassSection({ subject, anchors }: ClassSectionProps) {
  const { anchor, cls } = subject
  const id = headingId(anchor)
  return (
    <section class="doc-section doc-class" aria-labelledby={id}>
      <header class="doc-class-head">
        <h2 id={id} tabIndex={-1}>
          {cls.title}
        </h2>
        <CollectionLinks subject={subject} />
      </header>
      <ClassDetails subject={subject} anchors={anchors} />
    </section>
  )
}

/** The same of one among very many: all of them at once would take seconds to draw. */
export function FoldedClass({ subject, anchors }: ClassSectionProps) {
  const [wasOpen, setOpen] = useState(false)
  const { anchor, cls } = subject
  return (
    <details
      class="doc-class doc-folded"
      onToggle={({ currentTarget }) => setOpen(wasOpen || currentTarget.open)}
    >
      <summary>
        <h2 id={headingId(anchor)} tabIndex={-1}>
          {cls.title}
        </h2>
      </summary>
      {wasOpen && (
        <>
          <p>
            <CollectionLinks subject={subject} />
          </p>
          <ClassDetails subject={subject} anchors={anchors} />
        </>
      )}
    </details>
  )
}

function CollectionLinks({ subject }: Pick<ClassSectionProps, 'subject'>) {
  const { base } = useApi()
  return (
    <>
      {subject.collections.map(({ name, iri }) => (
        <a key={iri} class="doc-path" href={hrefOf({ page: 'table', name, query: '' })}>
          /{pathBelow(base, iri) ?? iri}
        </a>
      ))}
    </>
  )
}
