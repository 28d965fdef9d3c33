import type { AuthStore, CheckOwnParaphrase, HashNew } from '../../auth/index.ts'
import type { Mirror } from './mirror.ts'

/** What the resources of accounts need besides those of other classes. */
export interface Accounts {
  readonly auth: AuthStore
  readonly mirror: Mirror
  readonly checkOwn: CheckOwnParaphrase
  readonly hashNew: HashNew
  /** The roles that the API file knows, and those of who manages accounts. */
  readonly roles: readonly string[]
  readonly managers: readonly string[]
  /** Removes the account, and what its links say; throws where they refuse. */
  readonly remove: (id: string) => Promise<void>
}
