import { refusal } from '../api/write.ts'
import { type HttpError, invalid } from '../errors.ts'
import type { Added, Link, MemberStore } from '../store/store.ts'
import { meetExisting } from './existing.ts'
import type { ReadMember } from './member-reader.ts'
import { patiently } from './patience.ts'

/** What has become of a member. */
export type Placing =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'there' }
  /** Nothing but links to what is not there keeps it out. */
  | { readonly outcome: 'dangling'; readonly links: readonly Link[] }
  | { readonly outcome: 'refused'; readonly error: HttpError }

/** What is there already is never added. */
export type Meeting = Exclude<Placing, { readonly outcome: 'added' }>

/** Adds members in one transaction. */
export async function addMembers(store: MemberStore, members: readonly ReadMember[]): Promise<Placing[]> {
  const added = await patiently(() =>
    store.addAll(members.map(({ cls, member }) => ({ className: cls.name, member }))),
  )
  return inGroups(members, (read, index) => placingOf(store, read, added[index] as Added))
}

/** What is there may be larger than what is added: so many are read at once. */
const AT_ONCE = 10

export async function inGroups<T>(
  members: readonly ReadMember[],
  work: (read: ReadMember, index: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  for (let first = 0; first < members.length; first += AT_ONCE) {
    const group = members.slice(first, first + AT_ONCE)
    done.push(...(await Promise.all(group.map((read, index) => work(read, first + index)))))
  }
  return done
}

async function placingOf(store: MemberStore, read: ReadMember, added: Added): Promise<Placing> {
  switch (added.outcome) {
    case 'added':
      return added
    case 'exists':
      return meet(store, read)
    case 'refused':
      return added.taken.length === 0
        ? { outcome: 'dangling', links: added.dangling }
        : { outcome: 'refused', error: refusal(added) }
  }
}

/** Makes sure that what is there is this member, with all of its links. */
export async function meet(store: MemberStore, read: ReadMember): Promise<Meeting> {
  const met = await patiently(() => meetExisting(store, read))
  switch (met.outcome) {
    case 'there':
      return met
    case 'other':
      return { outcome: 'refused', error: invalid(met.violations) }
    case 'refused':
      return met.taken.length === 0
        ? { outcome: 'dangling', links: met.dangling }
        : { outcome: 'refused', error: refusal(met) }
  }
}
