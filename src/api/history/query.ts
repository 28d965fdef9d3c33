import type { NumberCipher } from '../../seal.ts'
import { parameterProblem } from '../problems/index.ts'
import { decode, splitPair } from '../query/decoding.ts'
import { unknownParameter } from '../query/explain.ts'
import { type PageSizes, readCount } from '../query/paging.ts'

/** A page of entries, newest first. */
export interface EntryQuery {
  /** Only entries with a lower version. */
  readonly before: number | undefined
  readonly limit: number
  /** The query of the links to other pages, without the cursor. */
  readonly linkQuery: string
}

const PAGING = ['after', 'itemsPerPage']

/** Rejects unknown parameters and malformed values. `fixed`: further parameters, each with its only value. */
export function readEntryQuery(
  query: string | undefined,
  { pageSizes, versions }: { readonly pageSizes: PageSizes; readonly versions: NumberCipher },
  fixed: Readonly<Record<string, string>> = {},
): EntryQuery {
  const known = [...Object.keys(fixed), ...PAGING]
  const sent = new Map<string, string>()
  for (const pair of (query ?? '').split('&').filter(Boolean)) {
    const [name, value] = splitPair(pair)
    if (!known.includes(name)) throw unknownParameter(name, { known, listed: known })
    if (sent.has(name)) throw parameterProblem('DuplicateParameter', name, {})
    sent.set(name, decode(value))
  }
  for (const [name, value] of Object.entries(fixed))
    if (sent.has(name) && sent.get(name) !== value) throw parameterProblem('OnlyValue', name, { value })
  const size = sent.get('itemsPerPage')
  const limit = size === undefined ? pageSizes.standard : readCount('itemsPerPage', size, pageSizes.maximum)
  const kept = [...Object.entries(fixed).map(([name, value]) => `${name}=${value}`), `itemsPerPage=${limit}`]
  return { before: readCursor(sent.get('after'), versions), limit, linkQuery: kept.join('&') }
}

function readCursor(text: string | undefined, versions: NumberCipher): number | undefined {
  if (text === undefined) return undefined
  const version = versions.open(text)
  if (version === undefined) throw parameterProblem('InvalidCursor', 'after', {})
  return version
}
