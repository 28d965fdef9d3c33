import type { IncomingHttpHeaders } from 'node:http'

export const TAB = 0x09
export const SPACE = 0x20
const COMMA = 0x2c

/** No client needs more elements, and each one costs time. */
export const MAX_ELEMENTS = 64

/**
 * The elements of a list header (RFC 9110 §5.6.1), trimmed, without empty elements and those beyond the 64th. A head may
 * have 16,000 commas, so this takes one pass and allocates nothing for empty elements.
 */
export function readList(header: string, most: number = MAX_ELEMENTS): string[] {
  const elements: string[] = []
  /** The offsets of the current element: its first character, and the end of its last one that is not blank. */
  let start = -1
  let end = 0
  for (let at = 0; at <= header.length && elements.length < most; at += 1) {
    const code = at === header.length ? COMMA : header.charCodeAt(at)
    if (code === COMMA) {
      if (start >= 0) elements.push(header.slice(start, end))
      start = -1
    } else if (code !== SPACE && code !== TAB) {
      if (start < 0) start = at
      end = at + 1
    }
  }
  return elements
}

/** If-None-Match on a read (RFC 9110 §13.1.2): the client has this representation already. */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  const condition = headers['if-none-match']
  if (condition === undefined) return false
  return condition.trim() === '*' || hasEtag(condition, etag)
}

/**
 * Whether the list has this ETag, with or without the `W/` that compressing proxies add (RFC 9110 §13.1.2). The length of
 * the list does not matter: only the places where the ETag occurs are examined.
 */
export function hasEtag(header: string, etag: string): boolean {
  for (let at = header.indexOf(etag); at >= 0; at = header.indexOf(etag, at + 1)) {
    const start = header.startsWith('W/', at - 2) && at >= 2 ? at - 2 : at
    if (isEdge(header, start - 1, -1) && isEdge(header, at + etag.length, 1)) return true
  }
  return false
}

/** Whether nothing but blanks is between this place and the next comma or the end. */
function isEdge(header: string, from: number, step: 1 | -1): boolean {
  let at = from
  while (header.charCodeAt(at) === SPACE || header.charCodeAt(at) === TAB) at += step
  return at < 0 || at >= header.length || header.charCodeAt(at) === COMMA
}
