import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { refusal } from '../api/index.ts'
import { HttpError, invalid, type Violation } from '../errors.ts'
import { hiddenLinks, readText, type Values } from '../members/index.ts'
import type { Added, Link, MemberStore, Refused } from '../store/index.ts'
import type { Class, Property } from '../vocabulary/index.ts'
import type { ReadMember } from './member-reader.ts'

/** What has become of a member. */
export type Outcome =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'there' }
  /** Nothing but links to what is not there keeps it out. */
  | { readonly outcome: 'dangling'; readonly links: readonly Link[] }
  | { readonly outcome: 'refused'; readonly error: HttpError }

/** What is there already is never added. */
type Meeting = Exclude<Outcome, { readonly outcome: 'added' }>

type Of<Read, One> = One & { readonly read: Read }

/** Adds members in one transaction. */
export async function addMembers<Read extends ReadMember>(
  store: MemberStore,
  members: readonly Read[],
): Promise<Of<Read, Outcome>[]> {
  const added = await retryWhileLocked(() =>
    store.addAll(members.map(({ cls, member }) => ({ className: cls.name, member }))),
  )
  return inGroups(members, async (read, index): Promise<Outcome> => {
    const one = added[index] as Added
    if (one.outcome === 'added') return one
    return one.outcome === 'exists' ? meet(store, read) : refused(one)
  })
}

/** Makes sure that the member with each id is this one, with all of its links. */
export const meetAll = <Read extends ReadMember>(
  store: MemberStore,
  members: readonly Read[],
): Promise<Of<Read, Meeting>[]> => inGroups(members, (read) => meet(store, read))

/** A stored member may be larger than the one in the data: so many are read at once. */
const AT_ONCE = 10

async function inGroups<Read extends ReadMember, One>(
  members: readonly Read[],
  work: (read: Read, index: number) => Promise<One>,
): Promise<Of<Read, One>[]> {
  const done: Of<Read, One>[] = []
  for (let first = 0; first < members.length; first += AT_ONCE) {
    const group = members.slice(first, first + AT_ONCE)
    done.push(
      ...(await Promise.all(
        group.map(async (read, index) => ({ ...(await work(read, first + index)), read })),
      )),
    )
  }
  return done
}

const refused = (by: Refused): Meeting =>
  by.taken.length === 0
    ? { outcome: 'dangling', links: by.dangling }
    : { outcome: 'refused', error: refusal(by) }

const meet = (store: MemberStore, read: ReadMember): Promise<Meeting> =>
  retryWhileLocked(() => meetExisting(store, read))

/**
 * What to do about a member whose id is taken. An import that was interrupted may have left it there without links that
 * point in a circle: it gets them now.
 */
async function meetExisting(store: MemberStore, read: ReadMember): Promise<Meeting> {
  const { cls, id } = read
  for (;;) {
    const stored = await store.find(cls.name, id)
    // Removed by another process in the meantime, which was later than the data.
    if (stored === undefined) return THERE
    const known = readText(stored.body)
    const member = read.keeping(known)
    if (member.body === stored.body) return THERE
    if (!lacksLinksAlone(cls, known, readText(member.body)))
      return read.isDerived ? THERE : { outcome: 'refused', error: invalid([OTHER_VALUES]) }
    const changed = await store.change(cls.name, id, [stored.version], ({ hidden }) => ({
      ...member,
      hidden,
      links: [...member.links, ...hiddenLinks(hidden)],
    }))
    if (changed.outcome === 'refused') return refused(changed)
    if (changed.outcome !== 'stale') return THERE
  }
}

const THERE: Meeting = { outcome: 'there' }

const OTHER_VALUES: Violation = {
  propertyPath: '@id',
  message:
    'is that of a member that is there already with other values; change that one, or give another "@id".',
}

/** Whether nothing but optional properties that link somewhere keep the two apart. */
function lacksLinksAlone(cls: Class, known: Values, wanted: Values): boolean {
  return (
    Object.keys(known).every((name) => isDeepStrictEqual(known[name], wanted[name])) &&
    cls.properties.every(
      (property) =>
        !Object.hasOwn(wanted, property.name) ||
        Object.hasOwn(known, property.name) ||
        canComeLater(property),
    )
  )
}

/** Whether a member can be added without the links of this property, to get them when their targets are there. */
export const canComeLater = (property: Property): boolean => !property.required && hasLinks(property)

const hasLinks = ({ range }: Property): boolean =>
  range.kind === 'link' || (range.kind === 'embedded' && range.cls.properties.some(hasLinks))

const LONGEST_LOCK_MS = 60_000
const RETRY_MS = 50

/**
 * A server that writes to the same database, or another import, may hold its lock for longer than a request would wait.
 * What was refused for that has changed nothing and can be tried again.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_LOCK_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 503 || performance.now() > deadline) throw error
      await wait(RETRY_MS)
    }
  }
}
