import { useState } from 'preact/hooks'
import type { Operation, PropertyDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { decode, hrefOf, pathBelow } from '../../shared/names/index.ts'
import { ClassLink, headingId } from './class-link.tsx'
import type { Subject } from './subjects.ts'
import { isMany, type Rule, rulesOf, typeInWords } from './words.ts'

export function ClassSection({ subject }: { subject: Subject }) {
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
export function FoldedClass({ subject }: { subject: Subject }) {
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

function CollectionLinks({ subject }: { subject: Subject }) {
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

const ClassDetails = ({ subject: { cls, collections, single, operations } }: { subject: Subject }) => (
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

function OperationList({ title, operations }: { title: string; operations: readonly Operation[] }) {
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

const PropertyList = (props: { properties: readonly PropertyDescription[] }) => (
  <dl class="doc-properties">
    {props.properties.map((property) => (
      <div key={property.iri || property.name}>
        <dt>
          <code>{property.name}</code>
          {property.required && <span class="badge doc-required">required</span>}
        </dt>
        <dd>
          <TypeOf {...property} />
          {isMany(property) && <span class="doc-many">, many</span>}
        </dd>
        <dd class="doc-about">
          {property.description && <p>{property.description}</p>}
          <Rules {...property} />
          <PublicTerm {...property} />
        </dd>
      </div>
    ))}
  </dl>
)

function TypeOf({ range, isLink }: PropertyDescription) {
  const { classes } = useApi().documentation
  if (!range || !classes.some(({ iri }) => iri === range))
    return <>{typeInWords({ range, isLink }, classes)}</>
  return (
    <>
      {isLink ? 'link to ' : 'value of '}
      <ClassLink iri={range} />
    </>
  )
}

function Rules(property: PropertyDescription) {
  const { writable, readable, constraints } = property
  const words = [!writable && 'read-only', !readable && 'never shown', constraints.unique && 'unique']
  const rules: readonly Rule[] = [...words.flatMap((text) => (text ? { text } : [])), ...rulesOf(property)]
  if (rules.length === 0) return null
  return (
    <ul class="doc-rules">
      {rules.map(({ text, codes = [] }) => (
        <li key={text}>
          {text}
          {codes.map((code) => (
            <code key={code}>{code}</code>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** A term of a public vocabulary is worth looking up; one of this API says nothing new. */
function PublicTerm({ iri }: PropertyDescription) {
  const { documentation, base } = useApi()
  const isOwn = iri.startsWith(documentation.iri) || iri.startsWith(`${base}/`)
  if (isOwn || !/^https?:\/\//.test(iri)) return null
  return (
    <a class="hint doc-term" href={iri} rel="noreferrer" target="_blank">
      {iri}
    </a>
  )
}
