import { isUtf8 } from 'node:buffer'
import { MAX_SENT_BYTES, readParaphrase } from './paraphrase.ts'
import { isTokenShaped } from './token.ts'

/** What the headers of a request claim, not yet believed. A malformed token is absent; the others are as sent. */
export interface Claims {
  readonly token: string | undefined
  readonly nonce: string | undefined
  readonly authorization: string | undefined
}

export interface Credentials {
  readonly userId: number
  readonly paraphrase: string
}

/**
 * Undefined when one of the three headers occurs more than once: a proxy may have read another one than we would
 * (authentication.md, order of decisions, 0). `rawHeaders` because node:http joins or drops repeated headers.
 */
export function readClaims(rawHeaders: readonly string[]): Claims | undefined {
  let token: string | undefined
  let nonce: string | undefined
  let authorization: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    const value = rawHeaders[index + 1] as string
    // The length first: it rules out nearly every header without a comparison.
    if (name.length === 15 && name.toLowerCase() === 'x-authorization') {
      if (token !== undefined) return undefined
      token = value
    } else if (name.length === 16 && name.toLowerCase() === 'x-authentication') {
      if (nonce !== undefined) return undefined
      nonce = value
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) return undefined
      authorization = value
    }
  }
  return {
    token: token !== undefined && isTokenShaped(token) ? token : undefined,
    nonce,
    authorization,
  }
}

/** `Basic `, and in base64 a user id of up to 16 digits, the colon and a paraphrase. */
const LONGEST_BASIC = 6 + 4 * Math.ceil((16 + 1 + MAX_SENT_BYTES) / 3)

/**
 * RFC 7617 §2, strictly: one space, canonical base64 with padding, UTF-8, the first colon splits. Only for a request
 * whose nonce is good, and the length first (authentication.md, Step B in order): anybody may send credentials.
 */
export function readBasic(authorization: string): Credentials | undefined {
  if (authorization.length > LONGEST_BASIC) return undefined
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return undefined
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const userId = readUserId(text.slice(0, colon))
  if (userId === undefined) return undefined
  const read = readParaphrase(text.slice(colon + 1))
  return 'problem' in read ? undefined : { userId, paraphrase: read.paraphrase }
}

/** A plain decimal integer from 1 to 2^53-1: no sign, space, leading zero or exponent. */
export function readUserId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}
