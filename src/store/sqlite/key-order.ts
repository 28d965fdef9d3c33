import type { Key } from '../../vocabulary/keys.ts'

/** As SQLite compares: numbers by size, before all text; text by its bytes in UTF-8, which is by code point. */
export function compareKeys(left: Key, right: Key): number {
  if (typeof left === 'number') return typeof right === 'number' ? left - right : -1
  if (typeof right === 'number') return 1
  if (left === right) return 0
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

export const least = (keys: readonly Key[]): Key | null =>
  keys.reduce<Key | null>((found, key) => (found === null || compareKeys(key, found) < 0 ? key : found), null)
