import { isObject, valueIn } from './kinds.ts'

/** By value; the order of keys says nothing, and what is null or undefined is not there. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  }
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].every((key) => isSame(valueIn(one, key), valueIn(other, key)))
  }
  return (one ?? undefined) === (other ?? undefined)
}
