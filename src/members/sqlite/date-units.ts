import type { Key } from '../../vocabulary/index-keys.ts'
import { FIRST_INSTANT, instantOfKey, LAST_INSTANT } from '../../vocabulary/lexical-forms.ts'
import { type GroupPath, UNIT_LENGTH } from '../summary.ts'

const DAY_SECONDS = 86_400
/** In UTC, an instant may be in a year without four digits: it counts as the nearest day that has four. */
const FIRST_DAY = FIRST_INSTANT / DAY_SECONDS
const LAST_DAY = Math.floor(LAST_INSTANT / DAY_SECONDS)

/** The group of a date or a dateTime, in UTC, by its key. */
export function dateUnitOf({ of, name }: NonNullable<GroupPath['unit']>): (key: Key) => string {
  const length = UNIT_LENGTH[name]
  if (of === 'date') return (key) => String(key).slice(0, length)
  const known = new Map<number, string>()
  return (key) => {
    const day = Math.min(LAST_DAY, Math.max(FIRST_DAY, Math.floor(instantOfKey(String(key)) / DAY_SECONDS)))
    const found = known.get(day) ?? new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, length)
    known.set(day, found)
    return found
  }
}
