import { hash } from 'node:crypto'
import type { Key } from '../../vocabulary/keys.ts'

/**
 * Keys as text that PostgreSQL compares byte by byte (`COLLATE "C"`) in the order of `compareKeys`: numbers before all
 * strings, strings by code point. An index entry has at most 2,704 bytes, so a string beyond 500 characters is cut, and
 * told apart from others that begin alike by a digest of the whole: equality stays exact, and so does the order but
 * among strings that share their first 500 characters. Those stand in an order of no meaning that never changes.
 */
const LONGEST = 500
const DIGEST = 64

export function keyText(key: Key): string {
  if (typeof key === 'number') return `n${numberText(key)}`
  const head = headOf(key)
  return head === undefined ? `s${key}` : `s${head}${hash('sha256', key, 'hex')}`
}

/** The whole string where its text is cut; null where it is not. */
export const wholeText = (key: Key): string | null =>
  typeof key === 'string' && headOf(key) !== undefined ? key : null

/** What text a string begins with that is beyond 500 characters; undefined for a shorter one. */
export function headOf(text: string): string | undefined {
  // Half the code units at least are characters.
  if (text.length <= LONGEST) return undefined
  let end = 0
  for (let count = 0; count < LONGEST; count += 1) {
    if (end >= text.length) return undefined
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  }
  return end < text.length ? text.slice(0, end) : undefined
}

/** The key that a text was made of. `whole`: the string where the text is cut, as far as it is kept. */
export function keyOf(text: string, whole: string | null): Key {
  if (whole !== null) return whole
  const rest = text.slice(1)
  return text.startsWith('n') ? numberOf(rest) : rest
}

/** The text of a key that `keyOf` has given without the whole string: of one that is cut, what is left of it. */
export const textOfCut = (key: Key): string =>
  typeof key === 'string' && isCut(key) ? `s${key}` : keyText(key)

function isCut(key: string): boolean {
  const head = headOf(key)
  return (
    head !== undefined && key.length === head.length + DIGEST && /^[0-9a-f]{64}$/.test(key.slice(-DIGEST))
  )
}

/** The bits of a double order positive numbers as unsigned integers; negative ones the other way round. */
function numberText(value: number): string {
  const bytes = Buffer.alloc(8)
  // Of both zeros, the one without a sign: they are equal.
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  flip(bytes, value >= 0)
  return bytes.toString('hex')
}

function numberOf(text: string): number {
  const bytes = Buffer.from(text, 'hex')
  flip(bytes, ((bytes[0] ?? 0) & 0x80) !== 0)
  return bytes.readDoubleBE(0)
}

function flip(bytes: Buffer, isPositive: boolean): void {
  if (isPositive) bytes[0] = (bytes[0] as number) ^ 0x80
  else for (let index = 0; index < 8; index += 1) bytes[index] = ~(bytes[index] as number)
}
