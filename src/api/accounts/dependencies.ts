import type { AuthStore, CheckOwnParaphrase, HashNew } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'

/** Brings the accounts, which are members, in step with the users. It is cheap where nothing has changed. */
export type Mirror = () => Promise<void>

/** What the resources of accounts need besides those of other classes. */
export interface Accounts {
  readonly auth: AuthStore
  readonly mirror: Mirror
  /** The id of the user with this number; undefined where that user was removed. */
  readonly idOf: (number: number) => Awaitable<string | undefined>
  readonly checkOwn: CheckOwnParaphrase
  readonly hashNew: HashNew
  /** The roles that the API file knows, and those that manage accounts. */
  readonly roles: readonly string[]
  readonly managers: readonly string[]
  /** Removes the account, with the effects that links declare; throws if they refuse. */
  readonly remove: (id: string) => Promise<void>
}
