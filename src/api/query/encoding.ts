// Encodes and decodes the names and values of a query.
import { MAX_TARGET } from '../../http/index.ts'
import { apiProblem } from '../problems/index.ts'

/** Splits a parameter into its name, decoded, and its value as it was sent. */
export function splitPair(pair: string): [name: string, sent: string] {
  const equals = pair.indexOf('=')
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), pair.slice(equals + 1)]
}

/**
 * Decodes a name or a value. A byte beyond ASCII arrives as one character: it is read as UTF-8, percent-encoded or not.
 */
export function decode(text: string): string {
  if (!/[%\x80-\xff]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll(/[\x80-\xff]/g, encodeByte))
  } catch {
    throw apiProblem('InvalidQueryEncoding')
  }
}

/** Characters that a query may have unencoded (RFC 3986 §3.4). */
const READABLE = new Map(
  [':', '/', '?', '@', '!', '$', ',', ';', '='].map((one) => [encodeURIComponent(one), one]),
)

export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (octet) => READABLE.get(octet) ?? octet)

/** A link in the response must not exceed the length limit of a target: percent-encoding can make a query three times as long. */
export function requireFollowable(targetLength: number): void {
  if (targetLength <= MAX_TARGET) return
  throw apiProblem('QueryTooLong', { bytes: targetLength, maxBytes: MAX_TARGET })
}

/** Percent-encodes characters that HTTP accepts and an IRI does not (RFC 3987 §2.2), and every byte beyond ASCII. */
export const toIri = (query: string): string =>
  query.replaceAll(/%(?![0-9A-Fa-f]{2})|[^!-~]|["<>[\\\]^`{|}#]/g, encodeByte)

export function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** The name of a variable (RFC 6570 §2.3): ASCII letters, digits, "_" and single dots are not encoded. */
export const toVariable = (name: string): string =>
  encodeURIComponent(name).replaceAll(/[-~!'()*]/g, encodeByte)
