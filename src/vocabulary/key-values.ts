import { datatypeOf, type Literal } from './datatypes.ts'
import { headOf, type Key, shortenedKey } from './index-keys.ts'
import { decimalOfKey, FIRST_INSTANT, instantOfKey, LAST_INSTANT } from './lexical-forms.ts'
import type { DatatypeName, Property } from './model.ts'
import { pathTo } from './names.ts'

/**
 * The value of an indexed key: the inverse of `indexedKey`, with one spelling for equal values. Undefined for the key of a
 * long text, which does not hold the text. A link is a path such as `/authors/7`.
 */
export function valueOfKey({ range, constraints }: Property, key: Key): Literal | undefined {
  if (range.kind === 'embedded') throw new Error('An embedded value has no key.')
  if (range.kind === 'link') return `${pathTo(range.collection)}/${key}`
  const { family } = datatypeOf(range.datatype)
  if (family === 'boolean') return key === 1
  if (range.datatype === 'decimal') return decimalText(String(key), constraints.scale)
  if (family === 'number') return key
  return family === 'text' ? textOf(String(key)) : temporalText(range.datatype, String(key))
}

function textOf(key: string): string | undefined {
  const shortened = shortenedKey(key)
  return shortened.startsWith('=') ? shortened.slice(1) : undefined
}

/** `scale`: how many digits there are behind the point at least. */
function decimalText(key: string, scale = 0): string {
  const { negative, digits, point } = decimalOfKey(key)
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const fraction = ('0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point))).padEnd(scale, '0')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const HOURS_14 = 14 * 3600

/** In UTC, unless that would be a year without four digits: XSD 1.0 has no year 0. */
function temporalText(datatype: DatatypeName, key: string): string | undefined {
  if (headOf(key) !== undefined) return undefined
  if (datatype !== 'dateTime') return key
  const instant = instantOfKey(key)
  const [shift, zone] =
    instant < FIRST_INSTANT ? [HOURS_14, '+14:00'] : instant > LAST_INSTANT ? [-HOURS_14, '-14:00'] : [0, 'Z']
  return new Date((instant + shift) * 1000).toISOString().slice(0, 19) + key.slice(12) + zone
}
