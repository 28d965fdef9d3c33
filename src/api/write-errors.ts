import { setImmediate as turn } from 'node:timers/promises'
import { createPause } from '../deadline.ts'
import {
  addressOf,
  FIRST_MEMBER,
  keyOfMember,
  type Link,
  type Linked,
  type LinkSource,
  listOf,
  type MemberName,
  type MemberValues,
  storeViolations,
} from '../members/index.ts'
import type { Problem } from '../problem.ts'
import {
  type Class,
  indexedKey,
  type Key,
  type Literal,
  namesInKey,
  togetherKey,
  togetherName,
  topProperty,
} from '../vocabulary/index.ts'
import { validationFailed } from './input/problems.ts'
import { InvalidBody } from './input/properties.ts'
import { findLabels } from './labels.ts'
import { apiProblem, apiViolation } from './problems/index.ts'
import { linkAt } from './removal/rules.ts'
import type { ClassDependencies, Write } from './types.ts'

export const missingFrom = ({ collection = '' }: Class, id: string, mayCreate = false): Problem =>
  apiProblem('MemberNotFound', { collection, id: id.slice(0, 128), mayCreate })

/**
 * The problem of a member that others link to. Hidden links count too: the API file may show them again.
 * `takesOthers`: other members would be deleted with this one, and the links may lead to them.
 */
export async function stillLinked(
  {
    from,
    isTruncated,
    takesOthers,
  }: Pick<Linked, 'from' | 'isTruncated'> & { readonly takesOthers?: boolean },
  { model, base, access, store }: ClassDependencies,
  principal: Write['principal'],
): Promise<Problem> {
  const shown: { readonly cls: Class; readonly id: string }[] = []
  const hidden: string[] = []
  const readable: LinkSource[] = []
  const pause = createPause()
  for (const one of from) {
    await pause()
    const { className, id, owner } = one
    if (!(await access.mayReadOf({ className, id, owner }, principal))) continue
    const properties = await access.shownOf({ className, id, owner }, one.properties, principal)
    if (properties.length > 0) readable.push({ ...one, properties })
  }
  // Sorted, since the order of the links would reveal members that also link by a hidden property.
  readable.sort(byName)
  for (const { className, id, properties } of readable) {
    const cls = model.classes.find(({ name }) => name === className)
    if (cls === undefined) hidden.push(`${className} ${id}`)
    else if (properties.some((path) => linkAt(cls, path))) shown.push({ cls, id })
    else hidden.push(`${addressOf(cls, base)(id)} (${properties.join(', ')})`)
  }
  const isAllReadable = readable.length === from.length
  return apiProblem('StillLinked', {
    shown: shown.map(({ cls, id }) => addressOf(cls, base)(id)),
    labels: await findLabels(shown, principal, { model, base, access, store }),
    hidden,
    isAllReadable,
    isTruncated,
    takesOthers,
  })
}

function byName(one: MemberName, other: MemberName): number {
  const [left, right] = [keyOfMember(one), keyOfMember(other)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Like `filter`, but awaits the test of one element after another. */
export async function filterAsync<T>(all: readonly T[], test: (one: T) => Promise<boolean>): Promise<T[]> {
  const passed: T[] = []
  const pause = createPause()
  for (const one of all) {
    if (await test(one)) passed.push(one)
    await pause()
  }
  return passed
}

/** 422 for a write that the store has refused. `hidden`: the names of properties that the user must not see. */
export function refusedByStore(
  failure: Parameters<typeof storeViolations>[0],
  hidden?: ReadonlySet<string>,
): Problem {
  const violations = seenViolations(failure, hidden)
  // Reveals only that something is taken (people.md, Properties for some).
  return validationFailed(...(violations.length > 0 ? violations : [apiViolation('NotUnique', '')]))
}

/** The violations that only the store can find, without the names of hidden properties. */
function seenViolations(
  { dangling, taken }: Parameters<typeof storeViolations>[0],
  hidden: ReadonlySet<string> = new Set(),
): ReturnType<typeof storeViolations> {
  if (hidden.size === 0) return storeViolations({ dangling, taken })
  const seen = taken.flatMap((property) => {
    const names = namesInKey({ property }).filter((name) => !hidden.has(name))
    return names.length === 0 ? [] : togetherName(names)
  })
  const isShown = ({ property }: Link) => !hidden.has(topProperty(property))
  return storeViolations({ dangling: dangling.filter(isShown), taken: seen })
}

/** Each link takes a lookup, one after another. */
const MAX_LINKS_CHECKED = 250

/**
 * hypermedia.md, Writing: the sentence names every violation. An invalid body never reaches the store, so violations that
 * only the store can find are looked up here: dangling links, and unique values that another member has. `hidden`: as for
 * `refusedByStore`; a hook may have sent them.
 */
export async function withStoreViolations(
  error: unknown,
  { cls, access }: ClassDependencies,
  { store, principal, id }: Write,
  hidden?: ReadonlySet<string>,
): Promise<unknown> {
  if (!(error instanceof InvalidBody)) return error
  const { sent: values, links, violations } = error
  const isThere = new Map<string, boolean>()
  const checked = links.slice(0, MAX_LINKS_CHECKED)
  for (const link of checked) {
    const { className } = link
    if (isThere.has(keyOfMember(link))) continue
    const target = await store.find(className, link.id)
    const isReadable = target && (await access.mayReadOf({ className, ...target }, principal, store))
    isThere.set(keyOfMember(link), isReadable === true)
    // One at a time: each lookup reads a whole member, and a thousand of them can take seconds.
    await turn()
  }
  const taken = uniqueKeys(cls, values).map(async ([property, key]) => {
    const filters = [{ property, test: 'in', keys: [key] } as const]
    const { members } = await store.list(cls.name, { ...FIRST_MEMBER, filters })
    return members.every((member) => member.id === id) ? [] : [property]
  })
  const failure = {
    dangling: checked.filter((link) => !isThere.get(keyOfMember(link))),
    taken: (await Promise.all(taken)).flat(),
  }
  const found = seenViolations(failure, hidden)
  return validationFailed(...violations, ...found)
}

/** The unique keys of a body, each with the name under which the store has it; values that could not be read have none. */
function uniqueKeys(cls: Class, values: MemberValues): [property: string, key: Key][] {
  const single = cls.properties.flatMap((property): [string, Key][] => {
    const [value] = property.unique ? listOf(values, property) : []
    return value == null ? [] : [[property.name, indexedKey(property, value as Literal)]]
  })
  const together = cls.uniqueTogether.flatMap((names): [string, Key][] => {
    const key = togetherKey(cls, names, values)
    return key === undefined ? [] : [[togetherName(names), key]]
  })
  return [...single, ...together]
}
