import type { Key } from '../../vocabulary/index-keys.ts'
import { instantOfKey } from '../../vocabulary/lexical-forms.ts'
import { type GroupPath, UNIT_LENGTH } from '../summary.ts'

const DAY_SECONDS = 86_400

/** The group of a date or a dateTime, in UTC, by its key. */
export function dateUnitOf({ of, name }: NonNullable<GroupPath['unit']>): (key: Key) => string {
  const length = UNIT_LENGTH[name]
  if (of === 'date') return (key) => String(key).slice(0, length)
  const known = new Map<number, string>()
  return (key) => {
    const day = Math.floor(instantOfKey(String(key)) / DAY_SECONDS)
    const found = known.get(day) ?? new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, length)
    known.set(day, found)
    return found
  }
}
