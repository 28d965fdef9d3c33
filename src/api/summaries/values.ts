import { FIRST_MEMBER, type MemberStore, type MemberValues, readText } from '../../members/index.ts'
import { indexedKey, type Key, type Literal, listAt, valueOfKey } from '../../vocabulary/index.ts'
import { type Scope, within } from '../access/scope.ts'
import { parameterProblem } from '../problems/index.ts'
import type { Path } from '../query/path.ts'
import type { StepClass } from '../query/restrict.ts'

/** A key of a summary, and the path whose value it stands for. */
export interface KeyAtPath {
  readonly path: Path
  readonly key: Key
}

/** The value of a key, as members have it. */
export type ServedValue = (one: KeyAtPath) => Literal

export interface ValueDependencies {
  readonly store: Pick<MemberStore, 'list'>
  readonly base: string
  /** The class that is summarized. */
  readonly className: string
  /** The members that the user may read of the class that a path leads to, or may list of the class itself. */
  readonly scopeAt: (to: StepClass | undefined) => Scope
}

/** A text that has to be looked up counts as at least this many bytes, since each needs a query of its own. */
const LOOKUP_BYTES = 16 * 1024

/**
 * Finds the values of keys. The key of a long text does not hold it: any member with that key has it. Only members that
 * the user may read are looked at, since their size counts, and equal instants may be written in several ways. Undefined if
 * there is no such member any more. `maxBytes`: how much may be read for that; undefined for any.
 */
export async function readValues(
  keys: readonly KeyAtPath[],
  { store, base, className, scopeAt }: ValueDependencies,
  maxBytes: number | undefined,
): Promise<ServedValue | undefined> {
  const found = new Map<string, Literal>()
  let bytes = 0
  for (const one of keys) {
    const { path, key } = one
    const name = nameOf(one)
    if (found.has(name) || valueOfKey(path.property, key) !== undefined) continue
    const filter = { property: path.key as string, test: 'in', keys: [key] } as const
    const to = lastStep(path)
    const selection = within({ ...FIRST_MEMBER, filters: [filter] }, scopeAt(to))
    const { members } = await store.list(to?.className ?? className, selection)
    const [member] = members
    if (member === undefined) return undefined
    bytes += Math.max(member.body.length, LOOKUP_BYTES)
    if (maxBytes !== undefined && bytes > maxBytes)
      throw parameterProblem('SummaryTooLarge', 'itemsPerPage', {})
    const value = valuesAt(readText(member.body), (path.key as string).split('.')).find(
      (text) => indexedKey(path.property, text) === key,
    )
    if (value === undefined) return undefined
    found.set(name, value)
  }
  return (one) => {
    const { property } = one.path
    const value = valueOfKey(property, one.key) ?? found.get(nameOf(one))
    if (value === undefined) throw new Error(`${property.name} has not been read.`)
    return property.range.kind === 'link' ? base + value : value
  }
}

const nameOf = ({ path, key }: KeyAtPath): string => `${path.property.name} ${key}`

/** The step to the members that have the property at the end of the path; undefined for the class itself. */
const lastStep = ({ steps }: Path): StepClass | undefined =>
  steps.flatMap(({ step }) => (step.kind === 'embedded' ? [] : step)).at(-1)

function valuesAt(values: MemberValues, [name = '', ...rest]: readonly string[]): Literal[] {
  const found = listAt(values, name)
  return rest.length === 0
    ? (found as Literal[])
    : found.flatMap((one) => valuesAt(one as MemberValues, rest))
}
