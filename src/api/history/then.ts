import { createScanValues, type HistoryEntry } from '../../members/index.ts'
import { ACCOUNT } from '../../vocabulary/index.ts'
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

const scanAdded = createScanValues(new Map([['createdAt', 0]]))

/** Never, if the account does not say it. */
function addedAt(body: string): number {
  let at = Number.POSITIVE_INFINITY
  scanAdded(body, (_, from, to) => {
    at = Date.parse(JSON.parse(body.slice(from, to)))
  })
  return at
}
