import type { PropertyDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { type Anchors, ClassName } from './class-link.tsx'
import { isMany, rulesOf, typeInWords } from './words.ts'

interface PropertyListProps {
  readonly properties: readonly PropertyDescription[]
  readonly anchors: Anchors
}

export const PropertyList = ({ properties, anchors }: PropertyListProps) => (
  <dl class="doc-properties">
    {properties.map((property) => (
      <div key={property.iri || property.name}>
        <dt>
          <code>{property.name}</code>
          {property.required && <span class="badge doc-required">required</span>}
        </dt>
        <dd>
          <TypeOf property={property} anchors={anchors} />
        </dd>
        <dd class="doc-about">
          {property.description && <p>{property.description}</p>}
          <Rules property={property} />
          <PublicTerm iri={property.iri} />
        </dd>
      </div>
    ))}
  </dl>
)

function TypeOf({
  property,
  anchors,
}: {
  readonly property: PropertyDescription
  readonly anchors: Anchors
}) {
  const { classes } = useApi().documentation
  const { range, isLink } = property
  const isClass = classes.some(({ iri }) => iri === range)
  return (
    <>
      {isClass && range ? (
        <>
          {isLink ? 'link to ' : 'value of '}
          <ClassName iri={range} anchors={anchors} />
        </>
      ) : (
        typeInWords(property, classes)
      )}
      {isMany(property) && <span class="doc-many">, many</span>}
    </>
  )
}

function Rules({ property }: { readonly property: PropertyDescription }) {
  const { writable, readable, constraints } = property
  const words = [!writable && 'read-only', !readable && 'never shown', constraints.unique && 'unique'].filter(
    (word) => word !== false && word !== undefined,
  )
  const rules = [...words.map((text) => ({ text, codes: [] })), ...rulesOf(property)]
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

/** A term that others use as well is worth looking up; one of this API's own says nothing new. */
function PublicTerm({ iri }: { readonly iri: string }) {
  const { documentation, base } = useApi()
  const isOwn = iri.startsWith(documentation.iri) || iri.startsWith(`${base}/`)
  if (isOwn || !/^https?:\/\//.test(iri)) return null
  return (
    <a class="hint doc-term" href={iri} rel="noreferrer" target="_blank">
      {iri}
    </a>
  )
}
