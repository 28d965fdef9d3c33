import type { Key } from '../../vocabulary/keys.ts'

/**
 * Keys as text that PostgreSQL compares byte by byte (`COLLATE "C"`) in the order of `compareKeys`: numbers before all
 * strings, strings by code point. An index entry has at most 2,704 bytes; a key that `indexKey` has made, at most 864.
 */
export const keyText = (key: Key): string => (typeof key === 'number' ? `n${numberText(key)}` : `s${key}`)

/** The key that a text was made of. */
export const keyOf = (text: string): Key => (text.startsWith('n') ? numberOf(text.slice(1)) : text.slice(1))

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
