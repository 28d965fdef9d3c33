import type { OperationDescription, PropertyDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { canList, useApi } from '../../shared/connection/index.ts'
import { useKnownNames } from '../../shared/controls/index.ts'
import { decode, hrefOf, pathBelow } from '../../shared/names.ts'
import { ClassLink, headingId } from './class-link.tsx'
import { memberAddress } from './examples.ts'
import { OperationList, type Trial } from './operation-list.tsx'
import type { Subject } from './subjects.ts'
import { isMany, rulesOf, typeInWords } from './words.ts'

/** `isFolded`: there are very many classes, and rendering all of them at once would take seconds. */
export function ClassSection({ subject, isFolded }: { subject: Subject; isFolded: boolean }) {
  const { base } = useApi()
  const [wasOpen, setOpen] = useState(false)
  const id = headingId(subject.anchor)
  const heading = (
    <h2 id={id} tabIndex={-1}>
      {subject.cls.title}
    </h2>
  )
  const links = subject.collections.map(({ name, iri }) => (
    <a key={iri} class="doc-path mono" href={hrefOf({ page: 'table', name })}>
      /{pathBelow(base, iri) ?? iri}
    </a>
  ))
  if (!isFolded) {
    return (
      <section class="stack doc-class" aria-labelledby={id}>
        <header class="doc-class-head">
          {heading}
          {links}
        </header>
        <ClassDetails subject={subject} />
      </section>
    )
  }
  return (
    <details
      class="doc-class doc-folded"
      onToggle={({ currentTarget }) => setOpen(wasOpen || currentTarget.open)}
    >
      <summary>{heading}</summary>
      {wasOpen && <p>{links}</p>}
      {wasOpen && <ClassDetails subject={subject} />}
    </details>
  )
}

function ClassDetails({ subject: { cls, collections, single, operations } }: { subject: Subject }) {
  const { base, links } = useApi()
  const [collection] = collections
  const at = single && links[single.name]
  const path = at && pathBelow(base, at)
  const known = [...useKnownNames().keys()]
  const properties = [...cls.properties, ...cls.reverseLinks]
  const tryAt = ({ method, ...operation }: OperationDescription): Trial | undefined => {
    if (collection)
      return canList(collection)
        ? [{ page: 'table', name: collection.name }, 'choose a member in the table']
        : undefined
    if (path === undefined || single?.name === 'session') return undefined
    const isForm = !['GET', 'DELETE'].includes(method) && !('name' in operation)
    return isForm ? [{ page: 'edit', path }, 'fill in the form'] : [{ page: 'member', path }, 'open its page']
  }
  return (
    <>
      {cls.description && <p>{cls.description}</p>}
      <p class="hint doc-iri">{decode(cls.iri)}</p>
      <h3>Properties</h3>
      {properties.length ? <PropertyList properties={properties} /> : <p class="hint">None</p>}
      {collections.map(({ iri, name, operations: own }) => (
        <OperationList
          key={iri}
          title="Operations on the collection"
          operations={own}
          address={iri}
          tryAt={({ method }) =>
            method === 'GET'
              ? [{ page: 'table', name }, 'open the table']
              : [{ page: 'create', name }, 'fill in the form']
          }
        />
      ))}
      <OperationList
        title={single && !collection ? 'Operations' : 'Operations on a member'}
        operations={operations}
        address={collection ? memberAddress(collection, known) : at}
        tryAt={tryAt}
      />
    </>
  )
}

const PropertyList = (props: { properties: readonly PropertyDescription[] }) => (
  <dl class="doc-properties">
    {props.properties.map((property) => (
      <div key={property.iri || property.name}>
        <dt>
          <code>{property.name}</code>
          {property.title !== property.name && <span class="doc-title">{property.title}</span>}
          {property.required && <span class="badge doc-required">required</span>}
        </dt>
        <dd>
          <TypeOf {...property} />
          {isMany(property) && <span class="soft">, many</span>}
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
      {isLink ? 'link to ' : 'embedded '}
      <ClassLink iri={range} />
    </>
  )
}

function Rules(property: PropertyDescription) {
  const rules = rulesOf(property)
  if (rules.length === 0) return null
  return (
    <ul class="doc-rules">
      {rules.map(({ text, codes }) => (
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

/** A term of a public vocabulary is worth looking up, unlike one of this API. */
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
