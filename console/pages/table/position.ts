import type { CollectionPage } from 'hydrant-client'
import { queryOf } from '../../shared/queries.ts'
import type { Pair } from './query.ts'

type Turnable = Pick<CollectionPage<object>, 'members' | 'totalItems' | 'previous' | 'next'>

/** A cursor does not say where its page is. The first and the last page are known, and so are the pages next to them. */
export function createCountBefore() {
  const starts = new Map<string, number>()
  const ends = new Map<string, number>()

  const find = (query: string, pairs: readonly Pair[], page: Turnable): number | undefined => {
    const { members, previous, next, totalItems } = page
    const numbered = byNumber(pairs, page)
    if (numbered !== undefined) return numbered
    if (previous === undefined) return 0
    if (next === undefined && totalItems !== undefined) return Math.max(0, totalItems - members.length)
    const end = ends.get(query)
    return starts.get(query) ?? (end === undefined ? undefined : Math.max(0, end - members.length))
  }

  /** How many members come before a page; undefined if that is unknown. */
  return (query: string, pairs: readonly Pair[], page: Turnable): number | undefined => {
    const found = find(query, pairs, page)
    if (found !== undefined && page.next !== undefined)
      starts.set(queryOf(page.next), found + page.members.length)
    if (found !== undefined && page.previous !== undefined) ends.set(queryOf(page.previous), found)
    return found
  }
}

/** By the page number, if the page is full or its size is in the query. */
function byNumber(pairs: readonly Pair[], { members, next }: Turnable): number | undefined {
  const number = wholeNumber(pairs.find(({ name }) => name === 'page'))
  const size = wholeNumber(pairs.find(({ role }) => role === 'limit')) ?? (next && members.length)
  return number && size ? (number - 1) * size : undefined
}

const wholeNumber = (pair: Pair | undefined): number | undefined =>
  /^[1-9]\d{0,8}$/.test(pair?.value ?? '') ? Number(pair?.value) : undefined

interface RowPosition {
  readonly before: number | undefined
  readonly shown: number
  readonly total: number | undefined
  /** Whether a missing total means that there are more than 1,000 (hypermedia.md, totalItems). */
  readonly countsToThousand: boolean
}

export function positionText(
  { before, shown, total, countsToThousand }: RowPosition,
  locale?: string,
): string {
  const number = (value: number) => value.toLocaleString(locale)
  const rows =
    before === undefined || shown === 0 ? number(shown) : `${number(before + 1)}–${number(before + shown)}`
  // The members may have been counted at another moment.
  if (total !== undefined) return `${rows} of ${number(Math.max(total, (before ?? 0) + shown))}`
  return countsToThousand ? `${rows} of more than ${number(1_000)}` : `${rows} of an unknown number`
}

/** With more rows than this, rendering and scrolling are slow. */
const MOST_ROWS = 200

/** The part of a large page that is shown. */
export function rowRange(rows: number, number: number) {
  const start = number * MOST_ROWS
  const lastNumber = Math.max(0, Math.ceil(rows / MOST_ROWS) - 1)
  return { number, lastNumber, start, end: Math.min(rows, start + MOST_ROWS) }
}
