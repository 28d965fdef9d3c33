/** The name of a class, or of a datatype: the last part of its IRI. */
export const nameOfIri = (iri: string): string => iri.split(/[#/:]/).pop() ?? iri

/** `text` in at most `bytes` of UTF-8, since these, more than characters, make up tokens. */
export function cutLine(text: string, bytes: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (Buffer.byteLength(line) <= bytes) return line
  let used = 0
  let shown = ''
  for (const character of line) {
    used += Buffer.byteLength(character)
    if (used > bytes - 3) break
    shown += character
  }
  return `${shown.trimEnd()}…`
}
