// Encodes the names and values of a query.

/** Characters that a query may have unencoded (RFC 3986 §3.4). */
const READABLE = new Map(
  [':', '/', '?', '@', '!', '$', ',', ';', '='].map((one) => [encodeURIComponent(one), one]),
)

export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (octet) => READABLE.get(octet) ?? octet)

/** Percent-encodes characters that HTTP accepts and an IRI does not (RFC 3987 §2.2), and every byte beyond ASCII. */
export const toIri = (query: string): string =>
  query.replaceAll(/%(?![0-9A-Fa-f]{2})|[^!-~]|["<>[\\\]^`{|}#]/g, encodeByte)

export function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** The name of a variable (RFC 6570 §2.3): ASCII letters, digits, "_" and single dots are not encoded. */
export const toVariable = (name: string): string =>
  encodeURIComponent(name).replaceAll(/[-~!'()*]/g, encodeByte)
