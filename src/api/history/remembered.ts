import type { Awaitable } from '../../database/index.ts'
import type { EntryHead, HistoryEntry, MemberName, StoredMember } from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import { hasCollection } from '../../vocabulary/index.ts'
import { type AccessUser, covers, type Relation } from '../access/ties.ts'
import { findMember } from '../find-member.ts'
import { apiProblem } from '../problems/index.ts'
import type { ClassDependencies } from '../types.ts'
import { missingFrom } from '../write-errors.ts'
import type { Former } from './created-again.ts'
import { namedThen, relationThen } from './then.ts'

/** A member, existing or gone, whose history a user may see. */
export interface Remembered {
  readonly name: MemberName
  readonly address: string
  /** Its relation to the user; for a member that is gone, that of its last state (history.md, On the wire). */
  readonly relation: Relation
  /**
   * The relation to the user that decides what is shown of an entry; undefined if the user may not see the entry. An id
   * that is used again has the history of all members that had it: entries of an earlier one show only what its own
   * last state allows, too.
   */
  relationTo(entry: Pick<EntryHead, 'version'>): Awaitable<Relation | undefined>
  /** The member as it is now, or its last entry if it is gone. */
  readonly latest: { readonly is: 'there'; readonly member: StoredMember } | Gone
}

interface Gone {
  readonly is: 'gone'
  readonly entry: HistoryEntry
}

/** Enough for one text of any size. */
const ONE_TEXT = 1

/** The member that is gone, if the user may see its history: nobody else learns that it was there. */
export async function findGone(
  id: string,
  user: AccessUser,
  dependencies: ClassDependencies,
): Promise<Remembered | undefined> {
  const { cls, access, history, representation } = dependencies
  if (cls.history === undefined || access.rights.history === 'none') return undefined
  const name = { className: cls.name, id: hasCollection(cls) ? id : cls.name }
  const [entry] = await history.list(name, { limit: 1 }, ONE_TEXT)
  if (entry === undefined) return undefined
  const relation = await relationThen(entry, user, dependencies)
  if (!access.mayReadBy(relation) || !covers(access.rights.history, relation)) return undefined
  const relationTo = createRelationTo(name, relation, user, dependencies)
  return {
    name,
    address: representation.address(name.id),
    relation,
    relationTo,
    latest: { is: 'gone', entry: await namedThen(entry, dependencies) },
  }
}

/** However short the body is. */
const MOST_EARLIER = 100

export async function findFormer(
  id: string,
  user: AccessUser,
  dependencies: ClassDependencies,
): Promise<Former | undefined> {
  const gone = await findGone(id, user, dependencies)
  if (gone?.latest.is !== 'gone') return undefined
  const { entry } = gone.latest
  return {
    entry,
    relation: gone.relation,
    async earlier(most) {
      const { access, history, pageSizes } = dependencies
      const range = { before: entry.version, limit: Math.min(most, MOST_EARLIER) }
      const seen = await seenOf(gone, await history.list(gone.name, range, pageSizes.bytes))
      // The id may have been that of another member, of which the user sees less: nothing else of it may come back.
      const shownOf = (relation: Relation) => access.views?.of(relation).shownKey
      const alike = seen.filter(({ relation }) => shownOf(relation) === shownOf(gone.relation))
      return Promise.all(alike.map((one) => namedThen(one.entry, dependencies)))
    },
  }
}

/** Throws 404 for a member that the user may not read, and 403 if its history is for others. */
export async function findRemembered(
  id: string,
  user: AccessUser,
  dependencies: ClassDependencies,
): Promise<Remembered> {
  const { cls, access, store, representation } = dependencies
  const member = await findMember(store, cls, id)
  if (member === undefined) {
    const gone = await findGone(id, user, dependencies)
    if (gone === undefined) throw missing(dependencies, id)
    return gone
  }
  const relation = await access.relationOf(member, user)
  if (!access.mayReadBy(relation)) throw missing(dependencies, id)
  access.requireRight('history', relation)
  const name = { className: cls.name, id: member.id }
  const relationTo = createRelationTo(name, relation, user, dependencies)
  return {
    ...{ name, address: representation.address(member.id), relation, relationTo },
    latest: { is: 'there', member },
  }
}

/** `relation`: to the member that has the id now, or had it last. */
function createRelationTo(
  name: MemberName,
  relation: Relation,
  user: AccessUser,
  dependencies: ClassDependencies,
): Remembered['relationTo'] {
  const { access, history } = dependencies
  const { ties, rights } = access
  if (!ties.owner && ties.paths.length === 0) return () => relation
  return async ({ version }) => {
    const removal = await history.removalFrom(name, version)
    if (removal === undefined) return relation
    const last = await relationThen(removal, user, dependencies)
    const common = {
      owner: relation.owner && last.owner,
      paths: relation.paths.filter((path) => last.paths.includes(path)),
    }
    return access.mayReadBy(common) && covers(rights.history, common) ? common : undefined
  }
}

/** An entry that the user may see, and what the member had to do with the user. */
export interface SeenEntry<E extends EntryHead> {
  readonly entry: E
  readonly relation: Relation
}

/** An entry that a user brings back. */
export interface RestoredEntry extends SeenEntry<HistoryEntry> {
  readonly member: Remembered
}

/** The entries that the user may see, newest first, up to the first one that is hidden. */
export async function seenOf<E extends EntryHead>(
  { relationTo }: Pick<Remembered, 'relationTo'>,
  entries: readonly E[],
): Promise<SeenEntry<E>[]> {
  const seen: SeenEntry<E>[] = []
  let relation: Relation | undefined
  for (const entry of entries) {
    // Before a removal, the id was that of another member.
    if (seen.length === 0 || entry.kind === 'delete') relation = await relationTo(entry)
    if (relation === undefined) break
    seen.push({ entry, relation })
  }
  return seen
}

const missing = ({ cls }: ClassDependencies, id: string): Problem =>
  hasCollection(cls) ? missingFrom(cls, id) : apiProblem('ResourceNotFound', { name: cls.name })
