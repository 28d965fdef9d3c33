import {
  createScanValues,
  type HistoryEntry,
  type HistoryStore,
  hiddenLinks,
  type Link,
  type MemberName,
  withHiddenLinkIds,
  withLinkIds,
} from '../../members/index.ts'
import { ACCOUNT, isAccount, topProperty } from '../../vocabulary/index.ts'
import type { AccessUser, Relation, TieStore } from '../access/ties.ts'
import type { ClassDependencies } from '../types.ts'

/**
 * The relation of a member that is gone to a user, at the time of its removal. Its links no longer follow accounts: a
 * link to an account that was added later named another user with the same id (people.md, People in data). If a member that
 * it linked to was removed since, what that one was last counts, too: another one may have its id by now.
 */
export async function relationThen(
  entry: HistoryEntry,
  user: AccessUser,
  dependencies: Pick<ClassDependencies, 'access' | 'store' | 'history'>,
): Promise<Relation> {
  const { access, store } = dependencies
  if (user === undefined || !access.followsLinks) return access.relationOf(entry, user)
  const isNamedAt = createIsNamedAt(user, store)
  const then = membersThen(entry, isNamedAt, dependencies)
  const now: TieStore = {
    find: async (...name) => (await store.find(...name)) ?? then.find(...name),
  }
  const relation = await access.relationOf(entry, user, now)
  if (relation.paths.length === 0) return relation
  const { paths } = await access.relationOf(entry, user, then)
  const isNamed = await isNamedAt(entry.at)
  const holds = (path: string) => paths.includes(path) && (isNamed || path.includes('.'))
  return { ...relation, paths: relation.paths.filter(holds) }
}

/** Whether an account that was named at a time is that of the user. */
type IsNamedAt = (at: number) => Promise<boolean>

function createIsNamedAt({ userId, number }: NonNullable<AccessUser>, store: TieStore): IsNamedAt {
  return async (at) => {
    const account = await store.find(ACCOUNT, String(userId))
    return account?.owner === number && addedAt(account.body) <= at
  }
}

/** The members that a member links to: if one was removed since, as it was last, and not if it named another user. */
const membersThen = (
  { at }: HistoryEntry,
  isNamedAt: IsNamedAt,
  { store, history }: Pick<ClassDependencies, 'store' | 'history'>,
): TieStore => ({
  async find(className, id) {
    const removal = await removalSince(at, { className, id }, history)
    if (removal === undefined) return store.find(className, id)
    return (await isNamedAt(removal.at)) ? removal : undefined
  },
})

/** The first removal of a member at or after a time: a cascade removes both at once. */
async function removalSince(
  at: number,
  member: MemberName,
  history: HistoryStore,
): Promise<HistoryEntry | undefined> {
  const before = await history.findAt(member, at - 1)
  const isRemoved = before?.kind === 'delete'
  return history.removalFrom(member, (before?.version ?? 0) + (isRemoved ? 1 : 0))
}

/** An entry as it is shown and brought back. */
export type NamingEntry<E extends HistoryEntry = HistoryEntry> = E & {
  /**
   * The ids of the accounts that it does not name, since they were added later; absent if there are none. Without those of
   * hidden links, which would show in the ETag.
   */
  readonly unnamed?: string
}

/**
 * The entry with links that lead nowhere in place of those to accounts that were added after it: they named other users
 * with the same ids, who are gone (people.md, People in data). So they can be brought back no more than any link to
 * something that is gone, whoever sees them and whatever writes them. `hidden`: the properties that the user may not see.
 */
export async function namedThen<E extends HistoryEntry>(
  entry: E,
  { model, store, wholeRepresentation }: Pick<ClassDependencies, 'model' | 'store' | 'wholeRepresentation'>,
  hidden: ReadonlySet<string> = NONE,
): Promise<NamingEntry<E>> {
  if (!model.classes.some(isAccount)) return entry
  const links = wholeRepresentation.linksIn(entry, Number.POSITIVE_INFINITY)
  const named = [...links, ...hiddenLinks(entry.hidden)].filter(leadsToAccount).map(({ id }) => id)
  if (named.length === 0) return entry
  const accounts = await store.findAll(ACCOUNT, [...new Set(named)], Number.MAX_SAFE_INTEGER)
  const later = new Set(accounts.flatMap(({ id, body }) => (addedAt(body) <= entry.at ? [] : id)))
  if (later.size === 0) return entry
  const isLater = (target: MemberName) => leadsToAccount(target) && later.has(target.id)
  const changed = links.filter(isLater)
  const isShown = ({ property }: Link) => !hidden.has(topProperty(property))
  const unnamed = new Set(changed.filter(isShown).map(({ id }) => id))
  return {
    ...entry,
    ...withLinkIds(entry, changed, formerId),
    hidden: withHiddenLinkIds(entry.hidden, (target) => (isLater(target) ? formerId(target) : target.id)),
    ...(unnamed.size > 0 && { unnamed: [...unnamed].toSorted().join() }),
  }
}

const NONE: ReadonlySet<string> = new Set()

const leadsToAccount = ({ className }: MemberName): boolean => className === ACCOUNT

/** The id of no account: theirs are numbers. */
const formerId = ({ id }: MemberName): string => `removed-${id}`

const scanAdded = createScanValues(new Map([['createdAt', 0]]))

/** Never, if the account does not say it. */
function addedAt(body: string): number {
  let at = Number.POSITIVE_INFINITY
  scanAdded(body, (_, from, to) => {
    at = Date.parse(JSON.parse(body.slice(from, to)))
  })
  return at
}
