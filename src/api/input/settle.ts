import { isDeepStrictEqual } from 'node:util'
import { pairUp } from '../../members/adopt-hidden.ts'
import { listOf, type Values } from '../../members/stored-text.ts'
import { datatypeOf, type Literal } from '../../vocabulary/datatypes.ts'
import type { Class, Property } from '../../vocabulary/model.ts'
import { compileValidator } from '../../vocabulary/schema.ts'
import type { SentValues } from './class.ts'
import type { Report } from './report.ts'

/** What goes for a whole body. */
export interface Settling {
  readonly now: number
  readonly report: Report
  /** Whether absent values get their default: a patch says what it changes, and removes by null. */
  readonly isWhole: boolean
  /** Whether read-only values are taken as they were sent, for members that come from elsewhere. */
  readonly isRestored: boolean
}

/**
 * Completes what was sent, in place, to the values that are stored, and reports what the class does not allow.
 * `former`: what is replaced; undefined for what is new.
 */
export type Settle = (sent: SentValues, former: Values | undefined, path: string, settling: Settling) => void

export function createSettle(cls: Class): Settle {
  const validate = compileValidator(cls)
  const defaulting = cls.properties.filter((property) => property.default !== undefined)
  const readOnly = cls.properties.filter(({ writable }) => !writable)
  const readOnlyNames = new Set(readOnly.map(({ name }) => name))
  const within = cls.properties.flatMap((property) =>
    property.range.kind === 'embedded' ? [{ property, settle: createSettle(property.range.cls) }] : [],
  )

  return (sent, former, path, settling) => {
    const { now, report, isRestored, isWhole } = settling
    for (const property of readOnly) {
      if (isRestored) takeReadOnly(property, sent)
      else keepReadOnly(property, sent, former, path, report)
    }
    const isNew = former === undefined
    if (isNew || isWhole) for (const property of defaulting) addDefault(property, sent, isNew, now)
    for (const { property, settle } of within) {
      if (property.writable || isRestored) settleWithin(property, settle, sent, former, path, settling)
    }
    for (const { propertyPath, message } of validate(sent)) {
      // Nobody can mend what nobody can write.
      const isKept = former !== undefined && readOnlyNames.has(propertyPath.split('/', 1)[0] ?? '')
      if (!isKept && !report.has(path + propertyPath)) report.add(path + propertyPath, message)
    }
  }
}

const takeReadOnly = ({ name }: Property, sent: SentValues): void => {
  if (sent[name] === null) delete sent[name]
}

/** hypermedia.md, Writing: in PUT or PATCH accepted when it equals the stored value; in POST it is 422. */
function keepReadOnly(
  { name, range }: Property,
  sent: SentValues,
  former: Values | undefined,
  path: string,
  report: Report,
): void {
  const stored = former !== undefined && Object.hasOwn(former, name) ? former[name] : undefined
  if (Object.hasOwn(sent, name) && !report.has(path + name)) {
    if (former === undefined) report.add(path + name, 'is read-only; leave it out.')
    else if (!isSame(range, sent[name] ?? undefined, stored)) {
      report.add(path + name, 'is read-only; send the value that is stored, or leave it out.')
    }
  }
  if (stored === undefined) delete sent[name]
  else sent[name] = stored
}

/** A replacement is as if created anew, except that the time of the creation stays what it was. */
function addDefault(
  { name, range, writable, default: given }: Property,
  sent: SentValues,
  isNew: boolean,
  now: number,
): void {
  if (given === undefined || Object.hasOwn(sent, name)) return
  if (given.kind === 'value') {
    if (isNew || writable) sent[name] = given.value
  } else if (isNew) {
    const instant = new Date(now).toISOString()
    sent[name] = range.kind === 'datatype' && range.datatype === 'date' ? instant.slice(0, 10) : instant
  }
}

function settleWithin(
  property: Property,
  settle: Settle,
  sent: SentValues,
  former: Values | undefined,
  path: string,
  settling: Settling,
): void {
  const values = listOf(sent, property)
  if (values.length === 0) return
  const formerValues = former === undefined ? [] : listOf(former, property)
  const pairs = property.many ? pairUp(values, formerValues) : [formerValues.length > 0 ? 0 : undefined]
  values.forEach((value, index) => {
    if (value === undefined) return
    const pair = pairs[index]
    const place = path + property.name + (property.many ? `/${index}/` : '/')
    settle(
      value as SentValues,
      pair === undefined ? undefined : (formerValues[pair] as Values),
      place,
      settling,
    )
  })
}

function isSame(range: Property['range'], sent: unknown, stored: unknown): boolean {
  if (sent === undefined || stored === undefined) return sent === stored
  if (Array.isArray(sent) && Array.isArray(stored)) return isSameSet(range, sent, stored)
  if (range.kind === 'embedded') return isSameEmbedded(range.cls, sent as Values, stored as Values)
  return identity(range, sent) === identity(range, stored)
}

/** Values of linked data have no order; embedded ones have no key to be found by, and are compared one by one. */
function isSameSet(range: Property['range'], sent: readonly unknown[], stored: readonly unknown[]): boolean {
  if (sent.length !== stored.length) return false
  if (range.kind === 'embedded') return sent.every((one, index) => isSame(range, one, stored[index]))
  const sorted = (values: readonly unknown[]) => values.map((value) => identity(range, value)).sort()
  return isDeepStrictEqual(sorted(sent), sorted(stored))
}

const identity = (range: Exclude<Property['range'], { kind: 'embedded' }>, value: unknown): unknown =>
  range.kind === 'link' ? value : datatypeOf(range.datatype).key(value as Literal)

const isSameEmbedded = (cls: Class, sent: Values, stored: Values): boolean =>
  cls.properties.every(({ name, range }) => isSame(range, ownOf(sent, name), ownOf(stored, name)))

const ownOf = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined
