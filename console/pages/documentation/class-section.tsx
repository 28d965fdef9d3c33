import { useState } from 'preact/hooks'
import type { Operation } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { decode, hrefOf, pathBelow } from '../../shared/names/index.ts'
import { type Anchors, ClassName, headingId } from './class-link.tsx'
import { PropertyList } from './property-list.tsx'
import type { Subject } from './subjects.ts'

interface ClassSectionProps {
  readonly subject: Subject
  readonly anchors: Anchors
}

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

export function ClassDetails({ subject, anchors }: { readonly subject: Subject; readonly anchors: Anchors }) {
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

interface OperationListProps {
  readonly title: string
  readonly operations: readonly Operation[]
  readonly anchors: Anchors
}

const NOTHING = 'http://www.w3.org/2002/07/owl#Nothing'

export function OperationList({ title, operations, anchors }: OperationListProps) {
  if (operations.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="doc-operations">
        {operations.map((operation) => (
          <li key={`${operation.method} ${operation.title}`}>
            <span class={`doc-method ${operation.method === 'DELETE' ? 'danger' : ''}`}>
              {operation.method}
            </span>
            <span class="doc-operation">
              {operation.title}
              {operation.description && <span class="hint"> {operation.description}</span>}
            </span>
            <span class="doc-traffic">
              <Expected operation={operation} anchors={anchors} />
              <Returned operation={operation} anchors={anchors} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface TrafficProps {
  readonly operation: Operation
  readonly anchors: Anchors
}

function Expected({ operation: { expects, contentType }, anchors }: TrafficProps) {
  if (!expects || expects === NOTHING) return null
  return (
    <span>
      takes <ClassName iri={expects} anchors={anchors} />
      {contentType && (
        <>
          {' '}
          as <code>{contentType}</code>
        </>
      )}
    </span>
  )
}

function Returned({ operation: { returns }, anchors }: TrafficProps) {
  if (!returns) return null
  return (
    <span>
      {returns === NOTHING ? (
        'returns nothing'
      ) : (
        <>
          returns <ClassName iri={returns} anchors={anchors} />
        </>
      )}
    </span>
  )
}
