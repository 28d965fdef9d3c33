import { isDeepStrictEqual } from 'node:util'
import { listOf, type MemberValues, ownOf, pairUp } from '../../members/index.ts'
import {
  type Class,
  compileValidator,
  datatypeOf,
  defaultValueOf,
  filledValue,
  type Literal,
  type Property,
  type Range,
  topProperty,
  type ValueProblems,
} from '../../vocabulary/index.ts'
import { inputProblem } from './problems.ts'
import type { SentValues, Submission } from './properties.ts'

/** The member, or the value embedded in it, that is validated. */
interface ValueContext {
  /** The values that are replaced; undefined for a new member or embedded value. */
  readonly former: MemberValues | undefined
  /** The path of the embedded value, with a trailing slash; empty for the member itself. */
  readonly path: string
  /** Whether it is sent as a whole although the body is a patch: a patch replaces a list. */
  readonly isInSentList?: boolean
}

/** Adds defaults and read-only values to the values of a body, in place, and reports violations of the class. */
type Validate = (sent: SentValues, context: ValueContext, submission: Submission) => void

export function createValidate(cls: Class): Validate {
  const findViolations = compileValidator(cls)
  const defaulting = cls.properties.filter((property) => property.default !== undefined)
  const readOnly = new Map(
    cls.properties.filter(({ writable }) => !writable).map((property) => [property.name, property]),
  )
  const always = cls.properties.filter((property) => property.always !== undefined)
  const embedded = cls.properties.flatMap((property) => {
    const { range } = property
    return range.kind === 'embedded'
      ? [{ property, cls: range.cls, validate: createValidate(range.cls) }]
      : []
  })

  return (sent, context, submission) => {
    const { former, path } = context
    const { kind, violations, leaves, userView, isCreation } = submission
    const isWhole = leaves === undefined || context.isInSentList === true
    const isNew = former === undefined
    const isRestored = kind === 'restored' || kind === 'stored'
    for (const property of readOnly.values()) {
      if (!isRestored) keepReadOnly(property, sent, context, submission)
      else restoreReadOnly(property, sent, context)
    }
    for (const property of always) setAlways(property, sent, context, submission)
    if (kind !== 'stored' && (isNew || isWhole))
      for (const property of defaulting)
        if (isNew || isCreation || property.writable) addDefault(property, sent, submission)
    for (const { property, cls, validate } of embedded) {
      const { name, many, writable } = property
      const values = writable || isRestored ? listOf(sent, property) : []
      if (values.length === 0) continue
      const formers = listOf(former ?? {}, property) as MemberValues[]
      const pairs = many ? pairUp(values, formers, cls) : [0]
      const isSentList = many && kind === 'patch' && leaves?.(path + name) === false
      const isInSentList = isSentList || context.isInSentList === true
      for (const [index, value] of values.entries()) {
        const within = `${path}${name}/${many ? `${index}/` : ''}`
        const replaced = formers[pairs[index] ?? -1]
        const inner = { former: replaced, path: within, isInSentList }
        if (value !== undefined) validate(value as SentValues, inner, submission)
      }
    }
    for (const problem of kind === 'stored' ? [] : findViolations(sent)) {
      // A client cannot correct a stored value that it cannot write.
      const { property = '' } = problem.at
      const name = topProperty(property)
      const isReadOnly = readOnly.has(name) || isUnwritten(userView, topProperty(path + property))
      const isKept =
        !isNew && isReadOnly && (!isRestored || isDeepStrictEqual(sent[name], ownOf(former, name)))
      const isLeft = !isNew && MISSING.has(problem.code) && leaves?.(path + property)
      if (!isKept && !isLeft && !violations.has(path + property)) violations.add(path + property, problem)
    }
  }
}

const isUnwritten = (view: Submission['userView'], name: string): boolean =>
  view !== undefined && (view.hidden.has(name) || view.readOnly.has(name))

/** hypermedia.md, Writing: a read-only value is 422 in POST; PUT and PATCH accept it if it equals the stored one. */
function keepReadOnly(
  { name, range }: Property,
  sent: SentValues,
  { former, path }: ValueContext,
  { violations }: Submission,
): void {
  const stored = ownOf(former ?? {}, name)
  if (Object.hasOwn(sent, name) && !violations.has(path + name)) {
    if (former === undefined) violations.add(path + name, inputProblem('ReadOnly', { isNew: true }))
    else if (!isDeepStrictEqual(identityOf(range, sent[name]), identityOf(range, stored)))
      violations.add(path + name, inputProblem('ReadOnly', { isNew: false }))
  }
  if (stored !== undefined) sent[name] = stored
  else if (Object.hasOwn(sent, name)) delete sent[name]
}

/** A read-only value of an import or a hook is kept; null removes it, and an absent value stays as it is stored. */
function restoreReadOnly({ name, always }: Property, sent: SentValues, { former }: ValueContext): void {
  const stored = ownOf(former ?? {}, name)
  if (sent[name] === null) delete sent[name]
  else if (!Object.hasOwn(sent, name) && stored !== undefined && always === undefined) sent[name] = stored
}

/** model.md: set at every write, except that an import and a hook keep the value that they have. */
function setAlways(
  property: Property,
  sent: SentValues,
  { former }: ValueContext,
  submission: Submission,
): void {
  const { name, always } = property
  const { kind } = submission
  if (always === undefined || kind === 'stored' || (kind === 'restored' && Object.hasOwn(sent, name))) return
  // Without a user the value stays as it is.
  const value = filledValue(always, property, submission) ?? ownOf(former ?? {}, name)
  if (value !== undefined) sent[name] = value
}

/** Stored values, with those that are set at every write. */
export function withAlways(
  cls: Class,
  values: MemberValues,
  write: Pick<Submission, 'now' | 'userId'>,
): MemberValues {
  const filled: Record<string, unknown> = { ...values }
  for (const property of cls.properties) {
    const { name, range, always, many } = property
    const value = always && filledValue(always, property, write)
    if (value !== undefined) filled[name] = value
    if (range.kind !== 'embedded') continue
    const embedded = listOf(values, property).map((one) => withAlways(range.cls, one as MemberValues, write))
    if (embedded.length > 0) filled[name] = many ? embedded : embedded[0]
  }
  return filled
}

/** Problems of a required property without a value. */
const MISSING: ReadonlySet<string> = new Set(['RequiredValue', 'BlankText'] satisfies (keyof ValueProblems)[])

function addDefault(property: Property, sent: SentValues, submission: Submission): void {
  if (Object.hasOwn(sent, property.name)) return
  const value = defaultValueOf(property, submission)
  if (value !== undefined) sent[property.name] = value
}

/** Returns the same result for equal values: literals have several spellings; only lists of embedded values have an order. */
function identityOf(range: Range, value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one) => identityOf(range, one))
    return range.kind === 'embedded' ? all : all.sort()
  }
  if (value === undefined || value === null) return undefined
  if (range.kind === 'link') return value
  if (range.kind === 'datatype') return datatypeOf(range.datatype).key(value as Literal)
  return range.cls.properties.map((property) =>
    identityOf(property.range, ownOf(value as MemberValues, property.name)),
  )
}
