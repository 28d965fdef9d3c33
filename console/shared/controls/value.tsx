import type { PropertyDescription } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useApi } from '../connection/index.ts'
import { hrefOf, pathBelow } from '../names.ts'
import { isNumber, type Kind, textOf } from '../values.ts'

interface LinkProps {
  readonly iri: string
  readonly class?: string | undefined
  readonly title?: string
  readonly children: ComponentChildren
}

/** A link to a member, or to the table of a collection. */
export function MemberLink({ iri, children, ...more }: LinkProps) {
  const { base, collections } = useApi()
  const path = pathBelow(base, iri)
  if (path === undefined) return <OutsideLink iri={iri}>{children}</OutsideLink>
  const name = collections.find((one) => one.iri === iri)?.name
  return (
    <a href={hrefOf(name === undefined ? { page: 'member', path } : { page: 'table', name })} {...more}>
      {children}
    </a>
  )
}

/** Data may contain any address, so only web addresses become links. */
export function OutsideLink({ iri, children }: LinkProps) {
  if (!/^https?:/i.test(iri)) return <span title={iri}>{children}</span>
  return (
    <a href={iri} rel="noreferrer" target="_blank" title={iri}>
      {children}
    </a>
  )
}

export function Literal(props: { value: unknown; kind: Kind; property?: PropertyDescription | undefined }) {
  const { value, kind, property } = props
  if (kind === 'languages' && typeof value === 'object' && value) return <Languages texts={value} />
  const text = textOf(value, kind, { property })
  if (isNumber(kind))
    return (
      <span>
        <NumberText value={value} text={text} />
        <Unit unit={property?.unit} isValue />
      </span>
    )
  if (kind === 'iri') return <OutsideLink iri={text}>{text}</OutsideLink>
  if (kind === 'date' || kind === 'dateTime') return <Time value={value} text={text} />
  return <span class="member-text">{text}</span>
}

/** Programs read the exact number, as the API has written it. */
export const NumberText = ({ value, text }: { value: unknown; text: string }) => (
  <data value={String(value)} title={text === String(value) ? undefined : String(value)}>
    {text}
  </data>
)

/** What a number counts, with a space before it. Behind a title it is in brackets. */
export const Unit = ({ unit, isValue = false }: { unit: string | undefined; isValue?: boolean }) =>
  unit ? <span class="soft"> {isValue ? unit : `(${unit})`}</span> : null

export const Time = ({ value, text }: { value: unknown; text: string }) => (
  <time dateTime={String(value)} title={String(value)}>
    {text}
  </time>
)

const Languages = ({ texts }: { texts: object }) => (
  <dl class="member-languages">
    {Object.entries(texts).map(([language, text]) => (
      <div key={language}>
        <dt class="badge">{language}</dt>
        <dd class="member-text" lang={language}>
          {textOf(text, 'text')}
        </dd>
      </div>
    ))}
  </dl>
)
