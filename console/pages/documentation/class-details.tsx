import { decode } from '../../shared/search-variables.ts'
import type { Anchors } from './class-name.tsx'
import { OperationList } from './operation-list.tsx'
import { PropertyList } from './property-list.tsx'
import type { Subject } from './subjects.ts'

interface ClassDetailsProps {
  readonly subject: Subject
  readonly anchors: Anchors
}

/** What stands below the name of a class. */
export function ClassDetails({ subject, anchors }: ClassDetailsProps) {
  const { cls, collections, single, operations } = subject
  return (
    <>
      {cls.description && <p>{cls.description}</p>}
      <p class="hint doc-iri">{decode(cls.iri)}</p>
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
    </>
  )
}
