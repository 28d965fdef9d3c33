import type { WireRecord } from '../../../src/client/index.ts'

/** What went over the wire, as it is kept. */
export interface WireEntry extends WireRecord {
  readonly number: number
  /** The bodies that are not kept any more. */
  readonly dropped?: readonly ('request' | 'response')[]
}

/** More than anybody scrolls through. */
const MOST_ENTRIES = 200
/** Of all bodies together. A character takes one byte, or two. */
export const MOST_CHARACTERS = 20_000_000
/** To drop one that is as short as this gains nothing. */
const SHORT = 1_000

export const DROPPED = 'Of all bodies, the latest 20 MB are kept.'

/** The latest of them come first; what is old loses its bodies, and what is older is gone. */
export function latestOf(entries: readonly WireEntry[]): readonly WireEntry[] {
  let left = MOST_CHARACTERS
  const fits = (text: string): boolean => {
    if (text.length <= SHORT) return true
    left -= text.length
    return left >= 0
  }
  return entries.slice(0, MOST_ENTRIES).map((entry, index) => {
    const { requestBody = '', responseBody } = entry
    const keepsRequest = fits(requestBody)
    const keepsResponse = fits(responseBody)
    // The latest one is what somebody wants to look at.
    if (index === 0 || (keepsRequest && keepsResponse)) return entry
    return {
      ...entry,
      requestBody: keepsRequest ? entry.requestBody : undefined,
      responseBody: keepsResponse ? responseBody : '',
      dropped: [
        ...(entry.dropped ?? []),
        ...(keepsRequest ? [] : ['request' as const]),
        ...(keepsResponse ? [] : ['response' as const]),
      ],
    }
  })
}
