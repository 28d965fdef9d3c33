import { useApi } from '../api.tsx'
import { hrefOf, pathBelow } from '../routes.ts'
import { headingId } from './anchors.ts'
import type { Anchors } from './class-name.tsx'
import { OperationList } from './operation-list.tsx'
import { PropertyList } from './property-list.tsx'
import type { Subject } from './subjects.ts'

interface ClassSectionProps {
  readonly subject: Subject
  readonly anchors: Anchors
}

/** Everything about one class. */
export function ClassSection({ subject, anchors }: ClassSectionProps) {
  const { base } = useApi()
  const { anchor, cls, collections, single, operations } = subject
  const id = headingId(anchor)
  return (
    <section class="doc-section doc-class" aria-labelledby={id}>
      <header class="doc-class-head">
        <h2 id={id} tabIndex={-1}>
          {cls.title}
        </h2>
        {collections.map(({ name, iri }) => (
          <a key={iri} class="doc-path" href={hrefOf({ page: 'table', name, query: '' })}>
            /{pathBelow(base, iri) ?? iri}
          </a>
        ))}
      </header>
      {cls.description && <p>{cls.description}</p>}
      <p class="hint doc-iri">{cls.iri}</p>
      <h3>Properties</h3>
      {cls.properties.length ? (
        <PropertyList properties={cls.properties} anchors={anchors} />
      ) : (
        <p class="hint">None of its own.</p>
      )}
      {collections.map(({ iri, operations: own }) => (
        <OperationList key={iri} title="Operations on the collection" operations={own} anchors={anchors} />
      ))}
      <OperationList
        title={single ? 'Operations' : 'Operations on a member'}
        operations={operations}
        anchors={anchors}
      />
    </section>
  )
}
