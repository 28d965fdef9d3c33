import { badRequest } from '../../errors.ts'
import type { Start } from '../../store/store.ts'
import type { Cursors, Place } from './cursor.ts'
import type { Given } from './parameters.ts'
import { show } from './text.ts'

export interface PageSizes {
  readonly standard: number
  readonly maximum: number
  /** Of the members on a page: with more it is cut. */
  readonly bytes: number
}

/** Where in the collection, as the query says it. */
export interface Paging {
  /** Undefined on the way by cursor. */
  readonly page: number | undefined
  readonly itemsPerPage: number
  readonly start: Start
  /** Of the cursor, where it has one. */
  readonly place: Place | undefined
}

/** Counting off pages gets slower with every one: past this many members, cursors do better. */
const DEEPEST = 10_000

/** Whether the page begins among the members that can be reached by page. */
export const isReachable = (page: number, itemsPerPage: number): boolean =>
  (page - 1) * itemsPerPage < DEEPEST

export function readPaging(given: Given, sizes: PageSizes, cursors: Cursors): Paging {
  const sent = new Map<string, string>()
  for (const [{ role }, [value = '']] of given) sent.set(role, value)
  const [page, after, before] = [sent.get('page'), sent.get('after'), sent.get('before')]
  const size = sent.get('itemsPerPage')
  const itemsPerPage = size === undefined ? sizes.standard : readCount('itemsPerPage', size, sizes.maximum)

  if (after !== undefined && before !== undefined)
    throw badRequest('before: goes without after; give one of the two.')
  if (page !== undefined && (after ?? before) !== undefined)
    throw badRequest('page: goes without after and before; give a page or a cursor.')
  if (page !== undefined) return pageAt(readCount('page', page, Number.MAX_SAFE_INTEGER), itemsPerPage)

  const byCursor = { page: undefined, itemsPerPage }
  if (after !== undefined) return { ...byCursor, ...from('after', cursors.readAfter(after)) }
  if (before === undefined) return { ...byCursor, start: { at: 'offset', offset: 0 }, place: undefined }
  const place = cursors.readBefore(before)
  if (place !== 'end') return { ...byCursor, ...from('before', place) }
  return { ...byCursor, start: { at: 'before', position: 'end' }, place: undefined }
}

const from = (at: 'after' | 'before', place: Place): Pick<Paging, 'start' | 'place'> => ({
  start: { at, position: place.position },
  place,
})

function pageAt(page: number, itemsPerPage: number): Paging {
  if (isReachable(page, itemsPerPage))
    return {
      page,
      itemsPerPage,
      start: { at: 'offset', offset: (page - 1) * itemsPerPage },
      place: undefined,
    }
  throw badRequest(
    `page: ${page} is too far; pages reach the first ${DEEPEST} members. ` +
      'Cursors reach all: leave "page" out and follow "next".',
  )
}

function readCount(name: string, text: string, maximum: number): number {
  const count = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= maximum) return count
  const range = maximum === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${maximum}`
  throw badRequest(`${name}: ${show(text)} is not a whole number ${range}.`)
}
