import type { PropertyDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { ClassLink } from './class-link.tsx'
import { isMany, type Rule, rulesOf, typeInWords } from './words.ts'

/** Properties, each with its name, its type and its rules. */
export const PropertyList = (props: { readonly properties: readonly PropertyDescription[] }) => (
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
