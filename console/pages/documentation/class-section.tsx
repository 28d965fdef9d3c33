import { useState } from 'preact/hooks'
import type { Operation } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { decode, hrefOf, pathBelow } from '../../shared/names/index.ts'
import { ClassLink, headingId } from './class-link.tsx'
import { PropertyList } from './property-list.tsx'
import type { Subject } from './subjects.ts'

export function ClassSection({ subject }: { readonly subject: Subject }) {
  const id = headingId(subject.anchor)
  return (
    <section class="doc-section doc-class" aria-labelledby={id}>
      <header class="doc-class-head">
        <h2 id={id} tabIndex={-1}>
          {subject.cls.title}
        </h2>
        <CollectionLinks subject={subject} />
      </header>
      <ClassDetails subject={subject} />
    </section>
  )
}

/** One of very many classes: drawing all of them at once would take seconds. */
export function FoldedClass({ subject }: { readonly subject: Subject }) {
  const [wasOpen, setOpen] = useState(false)
  return (
    <details
      class="doc-class doc-folded"
      onToggle={({ currentTarget }) => setOpen(wasOpen || currentTarget.open)}
    >
      <summary>
        <h2 id={headingId(subject.anchor)} tabIndex={-1}>
          {subject.cls.title}
        </h2>
      </summary>
      {wasOpen && (
        <>
          <p>
            <CollectionLinks subject={subject} />
          </p>
          <ClassDetails subject={subject} />
        </>
      )}
    </details>
  )
}

function CollectionLinks({ subject }: { readonly subject: Subject }) {
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

const ClassDetails = ({
  subject: { cls, collections, single, operations },
}: {
  readonly subject: Subject
}) => (
  <>
    {cls.description && <p>{cls.description}</p>}
    <p class="hint doc-iri">{decode(cls.iri)}</p>
    <h3>Properties</h3>
    {cls.properties.length ? (
      <PropertyList properties={cls.properties} />
    ) : (
      <p class="hint">None of its own.</p>
    )}
    {collections.map(({ iri, operations: own }) => (
      <OperationList key={iri} title="Operations on the collection" operations={own} />
    ))}
    <OperationList title={single ? 'Operations' : 'Operations on a member'} operations={operations} />
  </>
)

const NOTHING = 'http://www.w3.org/2002/07/owl#Nothing'

interface OperationListProps {
  readonly title: string
  readonly operations: readonly Operation[]
}

function OperationList({ title, operations }: OperationListProps) {
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
              <Traffic {...operation} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What an operation takes and returns. */
const Traffic = ({ expects, contentType, returns }: Operation) => (
  <>
    {expects && expects !== NOTHING && (
      <span>
        takes <ClassLink iri={expects} />
        {contentType && ' as '}
        {contentType && <code>{contentType}</code>}
      </span>
    )}
    {returns && <span>returns {returns === NOTHING ? 'nothing' : <ClassLink iri={returns} />}</span>}
  </>
)
