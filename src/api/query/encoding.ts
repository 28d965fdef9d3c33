import { badRequest } from '../../errors.ts'

/** A name or a value of a query. Its bytes beyond ASCII arrive as one character each: they are UTF-8, encoded or not. */
export function decode(text: string): string {
  if (!/[%\x80-\xff]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll(/[\x80-\xff]/g, encodeByte))
  } catch {
    throw badRequest('The query has a "%" or a byte that does not begin a UTF-8 character.')
  }
}

/** A value of a form. */
export const decodeText = (text: string): string => decode(text.replaceAll('+', ' '))

/** RFC 3986 §3.4: these may stand in a query as they are, and are easier to read so. */
const READABLE = new Map(
  [':', '/', '?', '@', '!', '$', ',', ';'].map((one) => [encodeURIComponent(one), one]),
)

/** For the links that are served; `decode` and `decodeText` both read it back. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (octet) => READABLE.get(octet) ?? octet)

/**
 * What HTTP lets through in a query but an IRI does not allow (RFC 3987 §2.2), percent-encoded; and every byte beyond
 * ASCII.
 */
export const toIri = (query: string): string =>
  query.replaceAll(/%(?![0-9A-Fa-f]{2})|[^!-~]|["<>[\\\]^`{|}#]/g, encodeByte)

export function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Quoted and cut: what is sent back of what was sent stays short. */
export const show = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
