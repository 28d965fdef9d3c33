import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isUnavailable } from '../database/index.ts'
import { isObject, JsonError, readJson } from '../json.ts'
import {
  type AddOutcome,
  type ConstraintFailure,
  hiddenLinks,
  type Link,
  type MemberName,
  type MemberStore,
  type MemberValues,
  readText,
  storeViolations,
} from '../members/index.ts'
import { Problem, type ProblemData } from '../problem.ts'
import { hasCollection, type Model, type Property, pathTo } from '../vocabulary/index.ts'
import type { IdentityReader, MemberIdentity } from './identity.ts'
import type { ReadMember } from './member-reader.ts'
import type { DataItem, DataPlace } from './ndjson.ts'
import { importViolation, inFile } from './problems.ts'
import { isOfServer, problemsIn } from './sentences.ts'

/** The outcome of adding a member. */
export type ImportOutcome =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'there' }
  /** The member was not added only because some of its links point to members that do not exist. */
  | { readonly outcome: 'dangling'; readonly links: readonly Link[] }
  | { readonly outcome: 'refused'; readonly problems: readonly ProblemData[] }

/** The outcome for a member whose id is taken. */
type Reconciled = Exclude<ImportOutcome, { readonly outcome: 'added' }>

/** An outcome, with the member that it is about. */
type OutcomeFor<Read, One> = One & { readonly read: Read }

/** Adds members in one transaction. */
export async function addMembers<Read extends ReadMember>(
  store: MemberStore,
  members: readonly Read[],
): Promise<OutcomeFor<Read, ImportOutcome>[]> {
  const added = await retryWhileLocked(() =>
    store.addAll(members.map(({ cls, member }) => ({ className: cls.name, member }))),
  )
  // Nearly all are added, and need no promise.
  const others = new Map<Read, Exclude<AddOutcome, { readonly outcome: 'added' }>>()
  for (const [index, read] of members.entries()) {
    const one = added[index] as AddOutcome
    if (one.outcome !== 'added') others.set(read, one)
  }
  const settled = await inGroups([...others.keys()], async (read): Promise<ImportOutcome> => {
    const one = others.get(read)
    if (one?.outcome === 'refused') return refused(one)
    // With other links it may be the same member.
    return read.openLinks.hasGuess ? { outcome: 'dangling', links: [] } : reconcile(store, read)
  })
  const outcomes = new Map(settled.map((one) => [one.read, one]))
  return members.map((read) => outcomes.get(read) ?? { outcome: 'added', read })
}

/** Makes sure that the member with each id is this one, with all of its links. */
export const reconcileAll = <Read extends ReadMember>(
  store: MemberStore,
  members: readonly Read[],
): Promise<OutcomeFor<Read, Reconciled>[]> => inGroups(members, (read) => reconcile(store, read))

/** How many stored members are compared at once: they may be larger than those in the data. */
const AT_ONCE = 10

async function inGroups<Read extends ReadMember, One>(
  members: readonly Read[],
  work: (read: Read) => Promise<One>,
): Promise<OutcomeFor<Read, One>[]> {
  const done: OutcomeFor<Read, One>[] = []
  for (let first = 0; first < members.length; first += AT_ONCE) {
    const group = members.slice(first, first + AT_ONCE).map(async (read) => {
      const one = await retryWhileLocked(() => work(read))
      return { ...one, read }
    })
    done.push(...(await Promise.all(group)))
  }
  return done
}

const refused = (by: ConstraintFailure): Reconciled =>
  by.taken.length === 0
    ? { outcome: 'dangling', links: by.dangling }
    : { outcome: 'refused', problems: storeViolations(by) }

/**
 * Handles a member whose id is taken. If an interrupted import has left it without its circular links, it gets them now.
 */
async function reconcile(store: MemberStore, read: ReadMember): Promise<Reconciled> {
  const { cls, id } = read
  for (;;) {
    const stored = await store.find(cls.name, id)
    // Another process has removed it in the meantime, which is newer than the data.
    if (stored === undefined) return THERE
    const known = readText(stored.body)
    const member = read.keeping(known)
    if (member.body === stored.body) return THERE
    if (!lacksOnlyLinks(read, known, readText(member.body)))
      return read.isDerived
        ? THERE
        : { outcome: 'refused', problems: [importViolation('OtherValues', '@id')] }
    const changed = await store.change(cls.name, id, [stored.version], ({ hidden }) => ({
      ...member,
      hidden,
      links: [...member.links, ...hiddenLinks(hidden)],
    }))
    if (changed.outcome === 'refused') return refused(changed)
    if (changed.outcome !== 'stale') return THERE
  }
}

const THERE: Reconciled = { outcome: 'there' }

/** Whether the stored member lacks nothing but links that can be deferred. */
function lacksOnlyLinks(read: ReadMember, known: MemberValues, wanted: MemberValues): boolean {
  return (
    Object.keys(known).every((name) => isDeepStrictEqual(known[name], wanted[name])) &&
    read.cls.properties.every(
      (property) =>
        !Object.hasOwn(wanted, property.name) ||
        Object.hasOwn(known, property.name) ||
        canDeferLinks(read, property),
    )
  )
}

/** Whether a member can be added without the links of this property, and get them once their targets exist. */
export const canDeferLinks = ({ asStored }: ReadMember, property: Property): boolean =>
  (asStored || !property.required) && hasLinks(property)

const hasLinks = ({ range }: Property): boolean =>
  range.kind === 'link' || (range.kind === 'embedded' && range.cls.properties.some(hasLinks))

const LONGEST_LOCK_MS = 60_000
const RETRY_MS = 50

/**
 * A server on the same database, or another import, may hold the lock for longer than a request would wait. A write that
 * is refused for this reason has changed nothing, and is tried again.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_LOCK_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      await wait(RETRY_MS)
    }
  }
}

/** How many members were added, existed already, and were refused. */
export interface Tally {
  /** How many entries of histories were added, which are no members; absent if there were none. */
  entries?: number
  added: number
  alreadyThere: number
  refused: number
}

/** Called for each problem of a member. */
export type Report = (place: DataPlace, problem: ProblemData) => void

/** How many refused members are remembered: a wrong file may have any number. */
const MAX_REMEMBERED = 10_000

/** Counts outcomes, and reports members that are refused. */
export interface ImportResults {
  readonly tally: Tally
  refuse(place: DataPlace, problems: readonly ProblemData[]): void
  record(member: ReadMember, outcome: Exclude<ImportOutcome, { readonly outcome: 'dangling' }>): void
  /** Refuses a text that cannot be read as a member. Rethrows errors that the data has not caused. */
  refuseText(found: DataItem, error: unknown): void
  /** Whether a member is among the refused ones that are remembered. */
  isRefused(member: MemberName): boolean
  /**
   * Why a member with these dangling links is refused, with the places of targets that were refused themselves.
   * `placeOf`: the places of members that are about to be refused.
   */
  problemsOf(dangling: readonly Link[], placeOf?: (link: Link) => DataPlace | undefined): ProblemData[]
}

export function createResults(model: Model, addresses: IdentityReader, report: Report): ImportResults {
  const tally: Tally = { added: 0, alreadyThere: 0, refused: 0 }
  const places = new Map<string, DataPlace>()
  const collections = new Map(
    model.classes.filter(hasCollection).map(({ name, collection }) => [name, collection]),
  )
  const keyOf = (className: string, id: string) => `${className} ${id}`

  function remember(className: string, id: string, { line, row }: DataPlace): void {
    if (places.size < MAX_REMEMBERED) places.set(keyOf(className, id), { line, row })
  }

  function refuse(place: DataPlace, problems: readonly ProblemData[]): void {
    tally.refused++
    for (const problem of problems) report(place, problem)
  }

  return {
    tally,
    refuse,
    record({ text, cls, id, afterWrite }, one) {
      if (one.outcome === 'added') {
        tally.added++
        afterWrite()
      }
      if (one.outcome === 'there') tally.alreadyThere++
      if (one.outcome === 'refused') {
        refuse(text, one.problems)
        remember(cls.name, id, text)
      }
    },
    isRefused: ({ className, id }) => places.has(keyOf(className, id)),
    refuseText(found, error) {
      if (!(error instanceof Problem) || isOfServer(error)) throw error
      refuse(found, problemsIn(error instanceof JsonError ? inFile(error, found.line) : error))
      const known = 'text' in found ? identityIn(found.text, addresses) : undefined
      if (known?.id !== undefined) remember(known.cls.name, known.id, found)
    },
    problemsOf: (dangling, placeOf = () => undefined) =>
      dangling.flatMap((link) => {
        const { property, className, id } = link
        const place = places.get(keyOf(className, id)) ?? placeOf(link)
        if (place === undefined) return storeViolations({ dangling: [link], taken: [] })
        const address = `${pathTo(collections.get(className) ?? className)}/${id}`
        return [importViolation('RefusedTarget', property, { address, ...place })]
      }),
  }
}

/** The class and id of a member that could not be read; undefined if they cannot be read either. */
function identityIn(text: string, { identify }: IdentityReader): MemberIdentity | undefined {
  try {
    const sent = readJson(text)
    return isObject(sent) ? identify(sent['@type'], sent['@id']) : undefined
  } catch {
    return undefined
  }
}
