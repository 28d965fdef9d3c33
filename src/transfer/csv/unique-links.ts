// Links of CSV that name their targets by a unique value, as people know them: `customer.email`, or a customer's number.
import { createHash } from 'node:crypto'
import { BoundedMap } from '../../bounded-map.ts'
import { isObject, JSON_NUMBER, JsonNumber, type JsonObject, type JsonValue } from '../../json.ts'
import { FIRST_MEMBER, type MemberStore } from '../../members/index.ts'
import { atProperty, Problem, type ProblemData } from '../../problem.ts'
import {
  type Class,
  type DatatypeName,
  datatypeOf,
  ID,
  indexedKey,
  isLinkToAccount,
  type Literal,
  type Model,
  type Property,
  pathTo,
  type Range,
} from '../../vocabulary/index.ts'
import { SCHEME } from '../identity.ts'
import { uniqueIn } from '../name-lookup.ts'
import { importViolation } from '../problems.ts'

/** A link to a member that is not known so far. `id`: a placeholder for its id, which no member has. */
export interface UnresolvedLink {
  readonly id: string
  readonly problem: ProblemData
}

/** The links of a member that may change when all of the data has been read. */
export interface OpenLinks {
  readonly unresolved: readonly UnresolvedLink[]
  /** Whether a value was taken for an id before all members were read: it may turn out to be a unique value. */
  readonly hasGuess: boolean
}

export const NO_OPEN_LINKS: OpenLinks = { unresolved: [], hasGuess: false }

/** The ids of members of the data by their unique values, whether they are stored or wait. */
export interface KnownKeys {
  /** The first member with a key counts. */
  add(className: string, property: string, key: string | number, id: string): void
  find(className: string, property: string, key: string | number): string | undefined
}

export interface UniqueLinks {
  /** Puts addresses in the place of unique values. */
  resolve(values: JsonObject, cls: Class): Promise<OpenLinks>
  /** Remembers a member that others may name before it is stored. */
  note(cls: Class, id: string, values: JsonObject): void
  /** Called once all members of the data have been read. */
  complete(): void
}

interface ResolvedLink {
  readonly value: JsonValue
  readonly unresolved?: UnresolvedLink
  readonly isGuess?: boolean
}

type LinkRange = Extract<Range, { kind: 'link' }>

const MOST_CACHED = 10_000

/** `cls`: the class of the members. `known`: the keys of the members that were read. */
export function createUniqueLinks(
  cls: Class,
  { model, store, known }: { readonly model: Model; readonly store: MemberStore; readonly known: KnownKeys },
): UniqueLinks {
  const classes = new Map(model.classes.map((one) => [one.name, one]))
  const isOfItself = linksTo(cls, cls.name)
  const cached = new BoundedMap<string, string>(MOST_CACHED)
  let isComplete = false

  /** The id of the member with this value. */
  async function find(target: Class, property: Property, key: string | number): Promise<string | undefined> {
    const name = JSON.stringify([target.name, property.name, key])
    const before = cached.get(name)
    if (before !== undefined) return before
    const filters = [{ property: property.name, test: 'in', keys: [key] } as const]
    const [member] = (await store.list(target.name, { ...FIRST_MEMBER, filters })).members
    if (member !== undefined) cached.set(name, member.id)
    return member?.id ?? known.find(target.name, property.name, key)
  }

  async function isId(target: Class, id: string): Promise<boolean> {
    if (known.find(target.name, '@id', id) !== undefined) return true
    return (await store.findHeads(target.name, [id])).length > 0
  }

  async function resolveLink(
    sent: JsonValue,
    { className, collection }: LinkRange,
    at: string,
  ): Promise<ResolvedLink> {
    const target = classes.get(className)
    const named = target && readReference(sent, target)
    if (target === undefined || named === undefined) return { value: sent }
    // Most are ids, which need no lookup. Others wait, until it is known that no line of the data has this id.
    if (named.id !== undefined && !isComplete) return { value: sent, isGuess: true }
    if (named.id !== undefined && (await isId(target, named.id))) return { value: sent }
    const { property } = named
    const literal = readLiteral(property, named.value, at)
    const id = await find(target, property, indexedKey(property, literal))
    if (id !== undefined) return { value: `${pathTo(collection)}/${id}` }
    if (named.id !== undefined) return { value: sent }
    const value = String(literal)
    const problem = importViolation('NoSuchTarget', at, { className, property: property.name, value })
    const placeholder = createHash('sha256').update(JSON.stringify(problem)).digest('hex').slice(0, 32)
    return { value: `${pathTo(collection)}/${placeholder}`, unresolved: { id: placeholder, problem } }
  }

  async function resolveWithin(values: JsonObject, { properties }: Class, path: string): Promise<OpenLinks> {
    const unresolved: UnresolvedLink[] = []
    let hasGuess = false
    for (const { name, range } of properties) {
      const value = values[name]
      if (value === undefined || range.kind === 'datatype' || isLinkToAccount(range)) continue
      const all: JsonValue[] = []
      for (const one of [value].flat()) {
        if (range.kind === 'link') {
          const resolved = await resolveLink(one, range, path + name)
          all.push(resolved.value)
          if (resolved.unresolved !== undefined) unresolved.push(resolved.unresolved)
          hasGuess ||= resolved.isGuess ?? false
        } else {
          all.push(one)
          if (!isObject(one)) continue
          const within = await resolveWithin(one, range.cls, `${path}${name}/`)
          unresolved.push(...within.unresolved)
          hasGuess ||= within.hasGuess
        }
      }
      values[name] = Array.isArray(value) ? all : (all[0] as JsonValue)
    }
    return { unresolved, hasGuess }
  }

  return {
    resolve: (values, of) => resolveWithin(values, of, ''),
    note(of, id, values) {
      if (!isOfItself) return
      known.add(of.name, '@id', id, id)
      for (const property of uniqueIn(of)) {
        const value = values[property.name]
        if (value === undefined) continue
        const literal = readLiteral(property, value, property.name)
        known.add(of.name, property.name, indexedKey(property, literal), id)
      }
    },
    complete() {
      isComplete = true
    },
  }
}

/** `id`: given if the value may be the id of a member, which counts first. */
interface Reference {
  readonly property: Property
  readonly value: JsonValue
  readonly id?: string
}

/** An object of a unique property, or a text that is no address where the target has one such property. */
function readReference(sent: JsonValue, target: Class): Reference | undefined {
  const unique = uniqueIn(target)
  if (isObject(sent)) {
    const [[name, value] = [], ...others] = Object.entries(sent)
    const property = unique.find((one) => one.name === name)
    return property === undefined || value === undefined || others.length > 0
      ? undefined
      : { property, value }
  }
  const [property, ...others] = unique
  if (typeof sent !== 'string' || sent.includes('/') || SCHEME.test(sent)) return undefined
  if (property === undefined || others.length > 0) return undefined
  const value = isNumber(property) && JSON_NUMBER.test(sent) ? new JsonNumber(sent) : sent
  if ('problem' in datatypeOf(datatypeIn(property)).read(value)) return undefined
  return { property, value, ...(ID.test(sent) && { id: sent }) }
}

const datatypeIn = ({ range }: Property): DatatypeName =>
  (range as Extract<Range, { kind: 'datatype' }>).datatype

const isNumber = (property: Property): boolean => datatypeOf(datatypeIn(property)).family === 'number'

function readLiteral(property: Property, value: JsonValue, at: string): Literal {
  const reading = datatypeOf(datatypeIn(property)).read(value)
  if ('value' in reading) return reading.value
  throw new Problem('ValidationFailed', {}, { violations: [atProperty(reading.problem, at)] })
}

const linksTo = ({ properties }: Class, name: string): boolean =>
  properties.some(({ range }) =>
    range.kind === 'embedded' ? linksTo(range.cls, name) : range.kind === 'link' && range.className === name,
  )
