import { hash } from 'node:crypto'

const LONGEST = 128

/**
 * The id of a row, from the texts of its key. It is the key itself, if that has only letters, digits, ".", "_" and "-"; any
 * other byte is written as "~" and two digits, and the parts of a key are separated by "~~". So no two keys have one id.
 */
export function idOfKey(parts: readonly string[]): string {
  const id = parts.map(escaped).join('~~')
  return id.length <= LONGEST ? id : `~h${hash('sha256', id, 'hex')}`
}

/** Only dots, or nothing, would be another address. */
const isNoSegment = (text: string): boolean => /^\.{0,2}$/.test(text)

function escaped(part: string): string {
  if (isNoSegment(part)) return part === '' ? '~' : part.replaceAll('.', '~2e')
  return part.replaceAll(/[^A-Za-z0-9._-]+/g, (others) =>
    Array.from(Buffer.from(others), (byte) => `~${byte.toString(16).padStart(2, '0')}`).join(''),
  )
}
