import {
  createScanValues,
  type HistoryEntry,
  hiddenLinks,
  type Link,
  type MemberName,
  withHiddenLinkIds,
  withLinkIds,
} from '../../members/index.ts'
import { ACCOUNT, isAccount, topProperty } from '../../vocabulary/index.ts'
import type { AccessUser, Relation } from '../access/ties.ts'
import type { ClassDependencies } from '../types.ts'

/**
 * The relation of a member that is gone to a user, at the time of its removal. Its links no longer follow accounts: a
 * link to an account that was added later named another user with the same id (people.md, People in data).
 */
export async function relationThen(
  entry: HistoryEntry,
  user: AccessUser,
  { access, store }: Pick<ClassDependencies, 'access' | 'store'>,
): Promise<Relation> {
  const relation = await access.relationOf(entry, user)
  const isDirect = (path: string) => !path.includes('.')
  if (user === undefined || !relation.paths.some(isDirect)) return relation
  const account = await store.find(ACCOUNT, String(user.userId))
  if (account?.owner === user.number && addedAt(account.body) <= entry.at) return relation
  return { ...relation, paths: relation.paths.filter((path) => !isDirect(path)) }
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
