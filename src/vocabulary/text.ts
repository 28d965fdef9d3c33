import { type JsonValue, Numeral } from '../json.ts'

/** A string that can be stored alike on every store; or what is wrong with it, as the rest of a sentence. */
export function readString(value: JsonValue): { readonly value: string } | { readonly message: string } {
  if (typeof value !== 'string') return { message: `must be a string, not ${kindOf(value)}.` }
  // hypermedia.md, Filters: "U+0000 and lone surrogates in a string: 422."
  if (value.includes('\0')) return { message: 'must not contain the character U+0000.' }
  if (!value.isWellFormed())
    return { message: 'must not contain half a surrogate pair; send whole characters.' }
  return { value }
}

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (value instanceof Numeral) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
