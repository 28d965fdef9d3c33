import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Column } from '../../pages/table/columns.ts'
import { linkIn, MOST_VALUES } from '../../pages/table/link-names.ts'
import { classNamed, useApi } from '../api.ts'
import { ownName, shortName } from '../names/naming.ts'
import { hrefOf, pathBelow } from '../routes.ts'
import type { Kind } from './kinds.ts'
import { cut, textOf } from './value-text.ts'

/** So many characters of a text are enough to tell rows apart. */
const MOST_CHARACTERS = 80

/** Names of members by their addresses, as far as somebody has read them. */
export const KnownNames = createContext<ReadonlyMap<string, string>>(new Map())

interface CellProps {
  readonly value: unknown
  readonly column: Column
  /** The address of the member: links may be relative to it. */
  readonly at: string
}

/** The value of a property in a few words. */
export function Cell({ value, column, at }: CellProps) {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return <One value={value} column={column} at={at} />
  const more = value.length - MOST_VALUES
  return (
    <>
      {value.slice(0, MOST_VALUES).map((one, index) => (
        <>
          {index > 0 && ', '}
          <One value={one} column={column} at={at} />
        </>
      ))}
      {more > 0 && (
        <span class="table-more" title={cut(textOf(value, column.kind), 500).text}>
          {' '}
          and {more} more
        </span>
      )}
    </>
  )
}

function One({ value, column, at }: CellProps) {
  const { kind } = column
  // Where nobody says that it is a link, an address still is one.
  const link = kind === 'link' || kind === 'embedded' ? linkIn(value, at) : undefined
  if (link) return <MemberLink iri={link} value={value} column={column} />
  const text = textOf(value, kind)
  if (kind === 'address' && /^https?:/i.test(text)) return <ElsewhereLink iri={text}>{text}</ElsewhereLink>
  if (kind === 'date' || kind === 'dateTime')
    return (
      <time dateTime={String(value)} title={String(value)}>
        {text}
      </time>
    )
  return <Text text={text} />
}

export function Text({ text }: { readonly text: string }) {
  const { text: shown, whole } = cut(text, MOST_CHARACTERS)
  return <span title={whole}>{shown}</span>
}

interface MemberLinkProps {
  readonly iri: string
  readonly value: unknown
  readonly column: Column
}

/** Its name where that is known, and otherwise the end of its address: asking for names takes requests. */
function MemberLink({ iri, value, column }: MemberLinkProps) {
  const api = useApi()
  const path = pathBelow(api.base, iri)
  const brought =
    typeof value === 'object' ? ownName(value as never, classNamed(api, column.range)) : undefined
  const known = brought ?? useContext(KnownNames).get(iri)
  const name = known === undefined ? shortId(shortName(iri)) : cut(known, MOST_CHARACTERS).text
  if (path === undefined) return <ElsewhereLink iri={iri}>{name}</ElsewhereLink>
  return (
    <a class={name.startsWith('…') ? 'mono' : undefined} href={hrefOf({ page: 'member', path })} title={iri}>
      {name}
    </a>
  )
}

/** Of a UUID, the end tells most: those of version 7 begin with the time. */
const shortId = (name: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) ? `…${name.slice(-8)}` : cut(name, 30).text

interface ElsewhereLinkProps {
  readonly iri: string
  readonly children: ComponentChildren
}

/** Data is anybody's: only these schemes are followed. */
export function ElsewhereLink({ iri, children }: ElsewhereLinkProps) {
  if (!/^https?:/i.test(iri)) return <span title={iri}>{children}</span>
  return (
    <a href={iri} rel="noreferrer" target="_blank" title={iri}>
      {children}
    </a>
  )
}

interface PlainValueProps {
  readonly value: unknown
  readonly kind: Kind
}

/** A value that is neither a link nor has properties of its own. */
export function PlainValue({ value, kind }: PlainValueProps) {
  if (kind === 'languages' && typeof value === 'object' && value) return <Languages texts={value} />
  const text = textOf(value, kind)
  if (kind === 'address') return <ElsewhereLink iri={text}>{text}</ElsewhereLink>
  if (kind !== 'date' && kind !== 'dateTime') return <span class="member-text">{text}</span>
  return (
    <time dateTime={String(value)} title={String(value)}>
      {text}
    </time>
  )
}

const Languages = ({ texts }: { readonly texts: object }) => (
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
