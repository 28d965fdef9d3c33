import { classNamed, useApi } from '../../shared/connection/index.ts'
import { MemberLink, NumberText, OutsideLink, Time, useKnownNames } from '../../shared/controls/index.ts'
import { ownName } from '../../shared/labels.ts'
import { counted, linkIn, shortName } from '../../shared/names.ts'
import { cut, isNumber, isObject, phraseOf, textOf, type ValuesByName } from '../../shared/values.ts'
import type { TableColumn } from './columns.ts'

/** Enough values of a list, and enough characters of a text, to distinguish rows. */
export const MOST_VALUES = 3
const MOST_CHARACTERS = 80

interface CellProps {
  readonly value: unknown
  readonly column: TableColumn
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
        <span class="soft" title={cut(textOf(value, kind, { property: column }), 500).text}>
          {' '}
          and {rest} more
        </span>
      )}
    </>
  )
}

function One({ value, column, at }: CellProps) {
  const { kind, range } = column
  // An embedded value may be a link that the documentation does not describe as one.
  const link = kind === 'link' || kind === 'embedded' ? linkIn(value, at) : undefined
  if (link) return <NamedLink iri={link} value={value} range={range} />
  if (kind === 'embedded' && isObject(value)) return <Phrase value={value} range={range} />
  const text = textOf(value, kind, { property: column })
  if (isNumber(kind)) return <NumberText value={value} text={text} />
  if (kind === 'iri' && /^https?:/i.test(text)) return <OutsideLink iri={text}>{text}</OutsideLink>
  return kind === 'date' || kind === 'dateTime' ? <Time value={value} text={text} /> : <Text text={text} />
}

function Phrase({ value, range }: { value: ValuesByName; range: string | undefined }) {
  const api = useApi()
  const names = useKnownNames()
  const linked = (iri: string): string => names.get(iri) ?? shortId(shortName(iri))
  return <Text text={phraseOf(value, classNamed(api, range), { ...api.documentation, linked })} />
}

export function Text({ text }: { text: string }) {
  const { text: shown, whole } = cut(text, MOST_CHARACTERS)
  return <span title={whole}>{shown}</span>
}

/** Shows a member's name if it is known, and otherwise the end of its address: reading a name needs a request. */
function NamedLink({ iri, value, range }: { iri: string; value: unknown; range: string | undefined }) {
  const api = useApi()
  const names = useKnownNames()
  const brought =
    typeof value === 'object'
      ? ownName(value as ValuesByName, classNamed(api, range), api.documentation.classes)
      : undefined
  const known = brought ?? names.get(iri)
  const id = shortName(iri)
  const isUuid = known === undefined && UUID.test(id)
  return (
    <MemberLink iri={iri} class={isUuid ? 'mono' : undefined} title={iri}>
      {known === undefined ? shortId(id) : cut(known, MOST_CHARACTERS).text}
    </MemberLink>
  )
}

/** The end of a UUID says more than its beginning, which is the time in version 7. */
const shortId = (id: string): string => (UUID.test(id) ? `…${id.slice(-8)}` : cut(id, 30).text)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
