import type { WireRecord } from 'hydrant-client'
import { attempt } from '../attempt.ts'
import { isObject } from '../values.ts'

export type RecordedRequest = Pick<WireRecord, 'method' | 'url' | 'requestHeaders' | 'requestBody'>

export interface WireEntry extends WireRecord {
  readonly number: number
  /** Bodies that were dropped to save memory. */
  readonly dropped?: readonly ('request' | 'response')[]
}

const MOST_ENTRIES = 200
/** The limit for all bodies together. A character takes one or two bytes. */
export const MOST_CHARACTERS = 20_000_000
/** Bodies this short are always kept. */
const SHORT = 1_000

export const DROPPED = 'Only the latest 20 MB of bodies are kept.'

/** The latest entries, newest first. Older entries lose their bodies. */
export function latestOf(entries: readonly WireEntry[]): readonly WireEntry[] {
  let left = MOST_CHARACTERS
  const fits = (text: string): boolean => {
    if (text.length <= SHORT) return true
    left -= text.length
    return left >= 0
  }
  return entries.slice(0, MOST_ENTRIES).map((entry, index) => {
    const { requestBody = '', responseBody, dropped = [] } = entry
    const bodies = [['request', requestBody] as const, ['response', responseBody] as const]
    const tooMuch = bodies.filter(([, text]) => !fits(text)).map(([side]) => side)
    // The newest entry is kept whole, whatever its size.
    if (index === 0 || tooMuch.length === 0) return entry
    return {
      ...entry,
      requestBody: tooMuch.includes('request') ? undefined : entry.requestBody,
      responseBody: tooMuch.includes('response') ? '' : responseBody,
      dropped: [...dropped, ...tooMuch],
    }
  })
}

/** The members of a body that are paraphrases: of an account, or the two of a change. */
const PARAPHRASES = ['paraphrase', 'current', 'new']

const isOfAccounts = (url: string): boolean => url.split('/').slice(-3).includes('accounts')

/** The client leaves out the secrets of headers; paraphrases in bodies are left out here, before anything keeps them. */
export function withoutParaphrases<T extends Pick<WireRecord, 'url' | 'requestBody' | 'responseBody'>>(
  record: T,
): T {
  if (!isOfAccounts(record.url)) return record
  const { requestBody, responseBody } = record
  return {
    ...record,
    requestBody: requestBody && hideParaphrases(requestBody),
    responseBody: hideParaphrases(responseBody),
  }
}

function hideParaphrases(text: string): string {
  const body: unknown = attempt(() => JSON.parse(text))
  if (!isObject(body) || !PARAPHRASES.some((name) => typeof body[name] === 'string')) return text
  const hidden = Object.entries(body).map(([name, value]) => [
    name,
    PARAPHRASES.includes(name) && typeof value === 'string' ? '<paraphrase>' : value,
  ])
  return JSON.stringify(Object.fromEntries(hidden))
}

/** The steps of seed.md, section 5. `credentials`: tokens are off, so a request with nonce and credentials was served. */
export type AuthenticationStep = 'challenge' | 'exchange' | 'token' | 'credentials'

type AuthenticationRecord = Pick<WireRecord, 'requestHeaders' | 'status' | 'responseHeaders'>

/** Undefined if the API is open to everyone. */
export function stepOf(record: AuthenticationRecord): AuthenticationStep | undefined {
  const { requestHeaders, status, responseHeaders } = record
  const sent = new Headers(requestHeaders)
  if (sent.has('authorization')) {
    const served = status !== undefined && status < 400 && responseHeaders['x-authorization'] === undefined
    return served ? 'credentials' : 'exchange'
  }
  if (status === 401 && responseHeaders['x-authentication'] !== undefined) return 'challenge'
  return sent.has('x-authorization') ? 'token' : undefined
}

export const isTokenRefused = ({ requestHeaders, status }: AuthenticationRecord): boolean =>
  status === 401 && new Headers(requestHeaders).has('x-authorization')

/** Whether anyone may read what was answered, and a user might see more (people.md, Anyone). */
export const isPublicAnswer = ({
  requestHeaders,
  status = 500,
  responseHeaders,
}: AuthenticationRecord): boolean =>
  status < 300 &&
  !new Headers(requestHeaders).has('x-authorization') &&
  /x-authorization/i.test(responseHeaders.vary ?? '')

/**
 * Whether the API may have another description now: after a new token (the server may have restarted), a collection that
 * is missing, or a forbidden write.
 */
export function mayHaveChanged(
  seen: AuthenticationRecord & Pick<WireRecord, 'method' | 'url'>,
  collections: readonly { readonly iri: string }[],
): boolean {
  const { method, url, status = 500 } = seen
  if (status === 403) return method !== 'GET'
  if (status === 404) return collections.some(({ iri }) => iri === url.split('?')[0])
  return stepOf(seen) === 'exchange' && status < 300
}
