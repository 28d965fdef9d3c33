import type { EntryHead } from '../../members/index.ts'
import { HISTORY } from '../../vocabulary/index.ts'
import { apiProblem } from '../problems/index.ts'
import { LINK_FORMAT } from '../request.ts'
import type { EntryRepresentation } from './entries.ts'
import type { Remembered } from './remembered.ts'

// The headers and the format of Memento (RFC 7089).

/** RFC 7089 §2.1.1.1: the time of RFC 1123, in GMT, to the second. */
export const mementoTime = (at: number): string => new Date(at).toUTCString()

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The end of the second that Accept-Datetime names. */
export function readAcceptDatetime(text: string): number {
  const time = text.length <= 40 && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  // A date such as 31 February would be read as another one.
  if (!Number.isNaN(time) && mementoTime(time) === text) return time + 999
  throw apiProblem('InvalidDatetime')
}

interface LinkedEntry extends EntryHead {
  readonly previous: EntryHead | undefined
  readonly next: EntryHead | undefined
}

/** The member itself answers for the time that a request names, and its history lists all times. */
const ownLinks = (address: string): string[] => [
  `<${address}>; rel="original timegate"`,
  `<${address}/${HISTORY}>; rel="timemap version-history"; type="${LINK_FORMAT}"`,
]

/** The `Link` header of a member that has a history. */
export const memberLinks = (address: string): readonly string[] => ['Link', ownLinks(address).join(', ')]

/** The headers of an entry. A deletion is no memento: at that time there was nothing any more. */
export function mementoHeaders(
  { addressOf }: EntryRepresentation,
  member: Remembered,
  entry: LinkedEntry,
): readonly string[] {
  const link = (rel: string, head: EntryHead | undefined): string[] =>
    head === undefined ? [] : [linkTo(addressOf(member, head), rel, head)]
  const links = [...ownLinks(member.address), ...link('prev', entry.previous), ...link('next', entry.next)]
  return ['Memento-Datetime', mementoTime(entry.at), 'Link', links.join(', ')]
}

function linkTo(address: string, rel: string, { kind, at }: EntryHead): string {
  if (kind === 'delete') return `<${address}>; rel="${rel}"`
  return `<${address}>; rel="${`${rel} memento`.trim()}"; datetime="${mementoTime(at)}"`
}

/** A page of the TimeMap (RFC 7089 §5). `next`: the address of the page with older entries. */
export function timeMap(
  { addressOf }: EntryRepresentation,
  member: Remembered,
  {
    entries,
    self,
    next,
  }: { readonly entries: readonly EntryHead[]; readonly self: string; readonly next: string | undefined },
): string {
  const shown = entries.filter(({ kind }) => kind !== 'delete')
  const [newest, oldest] = [shown[0], shown.at(-1)]
  const range =
    newest && oldest ? `; from="${mementoTime(oldest.at)}"; until="${mementoTime(newest.at)}"` : ''
  const lines = [
    `<${member.address}>; rel="original timegate"`,
    `<${self}>; rel="self"; type="${LINK_FORMAT}"${range}`,
    ...(next === undefined ? [] : [`<${next}>; rel="timemap"; type="${LINK_FORMAT}"`]),
    ...shown.map((entry) => linkTo(addressOf(member, entry), '', entry)),
  ]
  return `${lines.join(',\n')}\n`
}
