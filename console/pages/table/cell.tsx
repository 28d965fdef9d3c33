import { classNamed, useApi } from '../../shared/connection/index.ts'
import { MemberLink, OutsideLink, Time, useKnownNames } from '../../shared/controls/index.ts'
import { counted, linkIn, ownName, shortName } from '../../shared/names.ts'
import { cut, isObject, phraseOf, textOf, type Values } from '../../shared/values.ts'
import type { Column } from './columns.ts'

/** Enough values of a list, and enough characters of a text, to tell rows apart. */
export const MOST_VALUES = 3
const MOST_CHARACTERS = 80

interface CellProps {
  readonly value: unknown
  readonly column: Column
  /** The address of the member: links may be relative to it. */
  readonly at: string
}

export function Cell({ value, column, at }: CellProps) {
  const { kind, words } = column
  if (value === undefined) return null
  if (!Array.isArray(value)) return <One value={value} column={column} at={at} />
  if (kind === 'embedded' && value.some((one) => linkIn(one, at) === undefined))
    return <Text text={counted(value.length, words)} />
  const rest = value.length - MOST_VALUES
  return (
    <>
      {value.slice(0, MOST_VALUES).map((one, index) => (
        <>
          {index > 0 && ', '}
          <One value={one} column={column} at={at} />
        </>
      ))}
      {rest > 0 && (
        <span class="soft" title={cut(textOf(value, kind), 500).text}>
          {' '}
          and {rest} more
        </span>
      )}
    </>
  )
}

function One({ value, column: { kind, range }, at }: CellProps) {
  // An embedded value may be a link that the documentation does not describe as one.
  const link = kind === 'link' || kind === 'embedded' ? linkIn(value, at) : undefined
  if (link) return <NamedLink iri={link} value={value} range={range} />
  if (kind === 'embedded' && isObject(value)) return <Phrase value={value} range={range} />
  const text = textOf(value, kind)
  if (kind === 'iri' && /^https?:/i.test(text)) return <OutsideLink iri={text}>{text}</OutsideLink>
  return kind === 'date' || kind === 'dateTime' ? <Time value={value} text={text} /> : <Text text={text} />
}

function Phrase({ value, range }: { value: Values; range: string | undefined }) {
  const api = useApi()
  const names = useKnownNames()
  const linked = (iri: string): string => names.get(iri) ?? shortId(shortName(iri))
  return <Text text={phraseOf(value, classNamed(api, range), { ...api.documentation, linked })} />
}

export function Text({ text }: { text: string }) {
  const { text: shown, whole } = cut(text, MOST_CHARACTERS)
  return <span title={whole}>{shown}</span>
}

/** A member by its name where that is known, and otherwise by the end of its address: reading names takes requests. */
function NamedLink({ iri, value, range }: { iri: string; value: unknown; range: string | undefined }) {
  const api = useApi()
  const names = useKnownNames()
  const brought = typeof value === 'object' ? ownName(value as never, classNamed(api, range)) : undefined
  const known = brought ?? names.get(iri)
  const name = known === undefined ? shortId(shortName(iri)) : cut(known, MOST_CHARACTERS).text
  return (
    <MemberLink iri={iri} class={name.startsWith('…') ? 'mono' : undefined} title={iri}>
      {name}
    </MemberLink>
  )
}

/** The end of a UUID tells most: those of version 7 begin with the time. */
const shortId = (name: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) ? `…${name.slice(-8)}` : cut(name, 30).text
