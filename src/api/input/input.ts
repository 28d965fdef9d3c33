import { badRequest, HttpError, invalid } from '../../errors.ts'
import { LD_JSON, type Request } from '../../http/index.ts'
import { isObject, type JsonObject, type JsonValue, Numeral, readJson } from '../../json.ts'
import { addressOf, keepHidden, readText, type Values, writeMember } from '../../members/index.ts'
import type { Awaitable, MemberContent, NewMember, StoredMember, WholeText } from '../../store/index.ts'
import { type Class, pathTo, type Range } from '../../vocabulary/index.ts'
import { createIsOwnContext, createToOwnTerms } from './json-ld.ts'
import { createReadProperties, type Submission, Violations } from './properties.ts'
import { createValidate } from './validate.ts'
import type { References } from './value.ts'

const PATCH_TYPES = ['application/merge-patch+json', 'application/json']

/** The two kinds of bodies; RFC 5789 §2.2 wants Accept-Patch. */
const BODIES = {
  member: { types: [LD_JSON, 'application/json'], headers: [], is: ', the member itself' },
  patch: {
    types: PATCH_TYPES,
    headers: ['Accept-Patch', PATCH_TYPES.join(', ')],
    is: ' with the properties that are to change',
  },
}

export type BodyKind = keyof typeof BODIES

/** 415 for a body of another media type, before anything else of the request is read. */
export function requireMediaType({ headers }: Request, kind: BodyKind): void {
  const { types, headers: errorHeaders } = BODIES[kind]
  const sent = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (sent === undefined || !types.includes(sent)) {
    const named =
      sent === undefined
        ? 'The body has no Content-Type'
        : `${JSON.stringify(sent.slice(0, 100))} is not understood here`
    throw new HttpError(415, `${named}; send ${types.join(' or ')}.`, { headers: errorHeaders })
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpError(415, 'Compressed bodies are not understood; send it without Content-Encoding.')
  }
}

/** The body of a write as one JSON object. */
export const readBody = async (request: Request, kind: BodyKind): Promise<JsonObject> =>
  requireNode(readJson(decode(await request.readBody())), kind)

export function requireNode(value: JsonValue, kind: BodyKind): JsonObject {
  // The expanded form of JSON-LD is a list of nodes.
  const isList = kind === 'member' && Array.isArray(value) && value.length === 1
  const node = isList ? (value[0] ?? null) : value
  if (isObject(node)) return node
  throw new HttpError(422, `The body must be one JSON object${BODIES[kind].is}.`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('The body is not UTF-8.')
  }
}

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
    replace(sent: JsonObject, current: Current, now: number, options: Replacement = {}): MemberContent {
      const { kind = 'whole', references } = options
      const where = { address: addressFor(current.id), kind, now, references }
      return write(sent, where, { values: readText(current.body), hidden: current.hidden })
    },
    /** RFC 7396: replaces the member by its representation with the patch applied. */
    update(
      patch: JsonObject,
      { id, body, hidden }: Current,
      now: number,
      references?: References,
    ): MemberContent {
      const values = readText(body)
      const where = { address: addressFor(id), kind: 'patch', now, references } as const
      return write(mergePatch(asSent(cls, values, base), patch), where, { values, hidden })
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

/** Stored values in the form in which a client would send them. */
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
