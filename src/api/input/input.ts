import { invalid } from '../../errors.ts'
import { isObject, type JsonObject, type JsonValue, Numeral } from '../../json.ts'
import { addressOf, keepHidden, readText, type Values, writeMember } from '../../members/index.ts'
import type { Awaitable, NewMember, StoredMember, WholeText, Written } from '../../store/index.ts'
import { type Class, pathTo, type Range } from '../../vocabulary/index.ts'
import { createComplete } from './complete.ts'
import { createToOwnTerms } from './json-ld/own-terms.ts'
import { createReadProperties } from './properties.ts'
import { type Submission, Violations } from './submission.ts'

type Current = StoredMember & WholeText

/** What was sent for a member, checked against its class and ready to be stored; or 422 that names every violation. */
export interface Input {
  /** JSON-LD of any shape as JSON in our own terms. `target`: what its relative addresses are relative to. */
  toOwnTerms(sent: JsonObject, target: string): Awaitable<JsonObject>
  /** `now` is for defaults; `address` is what `@id` may say, which is refused without one. */
  create(sent: JsonObject, id: string, now: number, address?: string): NewMember
  /** As a creation, but read-only values are taken as they were sent: for members that come from elsewhere. */
  restore(sent: JsonObject, id: string, now: number): NewMember
  replace(sent: JsonObject, current: Current, now: number): Written
  /** RFC 7396: a replacement by what the patch makes of the present representation. */
  update(patch: JsonObject, current: Current, now: number): Written
}

/**
 * Each word of a member stands in an index, and each is written when the member is: a text of a megabyte can have 150,000
 * different ones, which take longer than a write may (hypermedia.md has no such limit: it is ours). A novel has 20,000.
 */
export const MOST_WORDS = 20_000

function requireFewWords(count: number): void {
  if (count <= MOST_WORDS) return
  const message =
    `The texts of a member may have ${MOST_WORDS.toLocaleString('en')} different words, and these have ` +
    `${count.toLocaleString('en')}; a property that is \`filterable: false\` in the API file has none that count.`
  throw invalid([{ propertyPath: '', message }])
}

export function createInput(cls: Class, base: string): Input {
  const readProperties = createReadProperties(cls, base)
  const complete = createComplete(cls)
  const addressFor = addressOf(cls, base)
  const collection = base + pathTo(cls.collection ?? cls.name)

  function read(sent: JsonObject, former: Values | undefined, where: Omit<Submission, 'violations'>): Values {
    const submission = { ...where, violations: new Violations() }
    const values = readProperties(sent, '', submission)
    complete(values, { former, path: '' }, submission)
    submission.violations.throwIfAny()
    return values
  }

  function writtenOf(values: Values, hidden: string): Written {
    const written = writeMember(cls, values, hidden)
    requireFewWords(written.keys.words.length)
    return written
  }

  function replaced(
    sent: JsonObject,
    former: Values,
    current: Current,
    { kind, now }: Pick<Submission, 'kind' | 'now'>,
  ): Written {
    const address = addressFor(current.id)
    const values = read(sent, former, { target: address, address, kind, now })
    return writtenOf(values, keepHidden(cls, current.hidden, values, former))
  }

  return {
    toOwnTerms: createToOwnTerms(cls, base),
    create(sent, id, now, address) {
      const values = read(sent, undefined, { target: address ?? collection, address, kind: 'whole', now })
      return { id, ...writtenOf(values, '') }
    },
    restore(sent, id, now) {
      const where = { target: collection, address: undefined, kind: 'restored', now } as const
      return { id, ...writtenOf(read(sent, undefined, where), '') }
    },
    replace: (sent, current, now) => replaced(sent, readText(current.body), current, { kind: 'whole', now }),
    update(patch, current, now) {
      const former = readText(current.body)
      const patched = mergePatch(asSent(cls, former, base), patch)
      return replaced(patched, former, current, { kind: 'patch', now })
    },
  }
}

/**
 * RFC 7396 §2, except that what is removed stays behind as null, which is no value to JSON-LD either: so a property that
 * is to be removed can be told from one that was not mentioned.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), target)
  for (const [name, value] of Object.entries(patch)) {
    const former: JsonValue = merged[name] ?? null
    merged[name] = isObject(value) && isObject(former) ? mergePatch(former, value) : value
  }
  return merged
}

/** Stored values as if they had been sent. */
function asSent(cls: Class, values: Values, base: string): JsonObject {
  const sent: JsonObject = Object.create(null)
  for (const { name, range } of cls.properties) {
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    sent[name] = Array.isArray(value)
      ? value.map((one) => valueAsSent(range, one, base))
      : valueAsSent(range, value, base)
  }
  return sent
}

function valueAsSent(range: Range, value: unknown, base: string): JsonValue {
  if (range.kind === 'embedded') return asSent(range.cls, value as Values, base)
  if (range.kind === 'link') return `${base}${value}`
  return typeof value === 'number' ? new Numeral(String(value)) : (value as JsonValue)
}
