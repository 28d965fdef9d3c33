import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../errors.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../../json.ts'
import {
  addressOf,
  fillHoles,
  keepHidden,
  listOf,
  ownOf,
  pairUp,
  readText,
  type Values,
  writeMember,
} from '../../members/index.ts'
import type { Awaitable, MemberContent, NewMember, StoredMember, WholeText } from '../../store/index.ts'
import {
  type Class,
  compileValidator,
  datatypeOf,
  type Literal,
  type Property,
  pathTo,
  type Range,
} from '../../vocabulary/index.ts'
import { createIsOwnContext, type References } from './identifiers.ts'
import { createToOwnTerms } from './json-ld.ts'
import { createReadProperties, type SentValues, type Submission, Violations } from './properties.ts'

type Current = StoredMember & WholeText

/** The user who will own what is created (access.md, Owners). */
export interface Creator {
  readonly userId: number
  readonly number: number
}

interface Replacement {
  readonly kind?: Submission['kind']
  readonly references?: References
}

interface Creation extends Replacement {
  /** The one value that `@id` may have; without it `@id` is refused. */
  readonly address?: string | undefined
  readonly creator?: Creator | undefined
}

export type Input = ReturnType<typeof createInput>

/** Turns what was sent for a member into what is stored; 422 that names every violation. `now` is for defaults. */
export function createInput(cls: Class, base: string) {
  const readProperties = createReadProperties(cls, base)
  const validate = createValidate(cls)
  const addressFor = addressOf(cls, base)
  const collection = base + pathTo(cls.collection ?? cls.name)
  const isOwnContext = createIsOwnContext(cls, base)
  const toOwnTerms = createToOwnTerms(cls, base)

  function write(
    sent: JsonObject,
    where: Omit<Submission, 'violations' | 'target'>,
    former?: { readonly values: Values; readonly hidden: string },
  ): MemberContent {
    const violations = new Violations()
    const submission = { ...where, target: where.address ?? collection, violations }
    const values = readProperties(sent, '', submission)
    validate(values, { former: former?.values, path: '' }, submission)
    violations.throwIfAny()
    const hidden = former === undefined ? '' : keepHidden(cls, former.hidden, values, former.values)
    const written = writeMember(cls, values, hidden)
    requireFewWords(written.keys.words.length)
    return written
  }

  function replace(
    sent: JsonObject,
    { id, body, hidden }: Current,
    now: number,
    { kind = 'whole', references }: Replacement = {},
  ): MemberContent {
    const where = { address: addressFor(id), kind, now, references }
    return write(sent, where, { values: readText(body), hidden })
  }

  return {
    /** JSON-LD in the terms of this API. Relative addresses are relative to `target`. */
    toOwnTerms(sent: JsonObject, target: string): Awaitable<JsonObject> {
      const { '@context': context } = sent
      const isOwn = (context === undefined || isOwnContext(context)) && isInOwnTerms(sent, '@context')
      return isOwn ? sent : toOwnTerms(sent, target)
    },
    create(sent: JsonObject, id: string, now: number, options: Creation = {}): NewMember {
      const { address, creator, kind = 'whole', references } = options
      const where = { address, kind, now, userId: creator?.userId, references }
      return { id, owner: creator?.number, ...write(sent, where) }
    },
    replace,
    /** RFC 7396: replaces the member by its representation with the patch applied. */
    update(patch: JsonObject, current: Current, now: number, references?: References): MemberContent {
      const represented = readJson(`{${fillHoles(current, base).slice(1)}}`) as JsonObject
      return replace(mergePatch(represented, patch), current, now, { kind: 'patch', references })
    },
  }
}

/** Whether a body needs no JSON-LD processor, as nearly all do. `known`: a keyword that has been checked already. */
function isInOwnTerms(value: JsonValue, known?: string): boolean {
  if (Array.isArray(value)) return value.every((one) => isInOwnTerms(one))
  if (!isObject(value)) return true
  // Not Object.entries, which would copy what every request sends.
  for (const name in value) {
    if (name === known) continue
    if (name.includes(':') || (name.startsWith('@') && name !== '@id' && name !== '@type')) return false
    if (!isInOwnTerms(value[name] as JsonValue)) return false
  }
  return true
}

/** Each word is an index entry: the 150,000 of a full megabyte would hold up other writers. A novel has 20,000. */
const MAX_WORDS = 20_000

function requireFewWords(count: number): void {
  if (count <= MAX_WORDS) return
  const message =
    `The texts of a member may have ${MAX_WORDS.toLocaleString('en')} different words, and these have ` +
    `${count.toLocaleString('en')}; a property that is \`filterable: false\` in the API file has none that count.`
  throw invalid([{ propertyPath: '', message }])
}

/** RFC 7396 §2, except that null stays: so a value that is removed differs from one that was not mentioned. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), target)
  for (const [name, value] of Object.entries(patch)) {
    const former: JsonValue = merged[name] ?? null
    merged[name] = isObject(value) && isObject(former) ? mergePatch(former, value) : value
  }
  return merged
}

/** Where values belong: to a member, or to a value embedded in one. */
interface ValueContext {
  /** The values that are replaced; undefined for what is new. */
  readonly former: Values | undefined
  /** The path of the embedded value, with a slash at its end; empty for the member itself. */
  readonly path: string
}

/** Adds defaults and read-only values to what was sent, in place, and reports what the class does not allow. */
type Validate = (sent: SentValues, context: ValueContext, submission: Submission) => void

function createValidate(cls: Class): Validate {
  const findViolations = compileValidator(cls)
  const defaulting = cls.properties.filter((property) => property.default !== undefined)
  const readOnly = new Map(
    cls.properties.filter(({ writable }) => !writable).map((property) => [property.name, property]),
  )
  const embedded = cls.properties.flatMap((property) =>
    property.range.kind === 'embedded' ? [{ property, validate: createValidate(property.range.cls) }] : [],
  )

  return (sent, context, submission) => {
    const { former, path } = context
    const { kind, violations } = submission
    const isNew = former === undefined
    const isRestored = kind === 'restored' || kind === 'stored'
    for (const property of readOnly.values()) {
      if (!isRestored) keepReadOnly(property, sent, context, submission)
      else restoreReadOnly(property, sent, context)
    }
    if (kind !== 'stored' && (isNew || kind !== 'patch'))
      for (const property of defaulting) addDefault(property, sent, isNew ? submission : undefined)
    for (const { property, validate } of embedded) {
      const { name, many, writable } = property
      const values = writable || isRestored ? listOf(sent, property) : []
      if (values.length === 0) continue
      const formers = listOf(former ?? {}, property) as Values[]
      const pairs = many ? pairUp(values, formers) : [0]
      for (const [index, value] of values.entries()) {
        const within = `${path}${name}/${many ? `${index}/` : ''}`
        const replaced = formers[pairs[index] ?? -1]
        if (value !== undefined) validate(value as SentValues, { former: replaced, path: within }, submission)
      }
    }
    for (const { propertyPath, message } of kind === 'stored' ? [] : findViolations(sent)) {
      // A client cannot correct a stored value that it cannot write.
      const [name = ''] = propertyPath.split('/', 1)
      const isKept =
        !isNew && readOnly.has(name) && (!isRestored || isDeepStrictEqual(sent[name], ownOf(former, name)))
      if (!isKept && !violations.has(path + propertyPath)) violations.add(path + propertyPath, message)
    }
  }
}

/** hypermedia.md, Writing: a read-only value is 422 in POST, and accepted in PUT and PATCH where it equals the stored one. */
function keepReadOnly(
  { name, range }: Property,
  sent: SentValues,
  { former, path }: ValueContext,
  { violations }: Submission,
): void {
  const stored = ownOf(former ?? {}, name)
  if (Object.hasOwn(sent, name) && !violations.has(path + name)) {
    if (former === undefined) violations.add(path + name, 'is read-only; leave it out.')
    else if (!isDeepStrictEqual(identityOf(range, sent[name]), identityOf(range, stored)))
      violations.add(path + name, 'is read-only; send the value that is stored, or leave it out.')
  }
  if (stored === undefined) delete sent[name]
  else sent[name] = stored
}

/** A read-only value of an import or a hook counts; null removes it, and an absent one stays as it is stored. */
function restoreReadOnly({ name }: Property, sent: SentValues, { former }: ValueContext): void {
  const stored = ownOf(former ?? {}, name)
  if (sent[name] === null) delete sent[name]
  else if (!Object.hasOwn(sent, name) && stored !== undefined) sent[name] = stored
}

/** `creation` is undefined for a replacement, whose defaults are those of a creation except for time and user. */
function addDefault(
  { name, range, writable, default: given }: Property,
  sent: SentValues,
  creation: Submission | undefined,
): void {
  if (given === undefined || Object.hasOwn(sent, name)) return
  if (given.kind === 'value') {
    if (creation !== undefined || writable) sent[name] = given.value
  } else if (given.kind === 'user') {
    if (creation?.userId !== undefined) sent[name] = creation.userId
  } else if (creation !== undefined) {
    const instant = new Date(creation.now).toISOString()
    sent[name] = range.kind === 'datatype' && range.datatype === 'date' ? instant.slice(0, 10) : instant
  }
}

/** Equal for equal values: a literal may have several spellings, and only lists of embedded values have an order. */
function identityOf(range: Range, value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one) => identityOf(range, one))
    return range.kind === 'embedded' ? all : all.sort()
  }
  if (value === undefined || value === null) return undefined
  if (range.kind === 'link') return value
  if (range.kind === 'datatype') return datatypeOf(range.datatype).key(value as Literal)
  return range.cls.properties.map((property) =>
    identityOf(property.range, ownOf(value as Values, property.name)),
  )
}
