import { type Accounts, createMirror, createRemoveGone, HttpError } from '../api/index.ts'
import type { CheckOwnParaphrase, Clock, HashNew } from '../auth/index.ts'
import { Problem } from '../problem.ts'
import type { Store } from '../store/index.ts'
import { ACCOUNTS, isAccount, type Model } from '../vocabulary/index.ts'
import type { Log } from './log.ts'
import type { MembersByName } from './members.ts'

interface AccountsDependencies {
  readonly base: string
  readonly log: Log
  readonly model: Model
  readonly store: Store
  readonly clock: Clock
  readonly checkOwn: CheckOwnParaphrase
  readonly hashNew: HashNew
  /** The members as the program itself sees them, without the rules for accounts. */
  readonly members: MembersByName
}

/** The accounts of a service; undefined without authentication. */
export function createAccounts(dependencies: AccountsDependencies): Accounts | undefined {
  const { model, base, store, clock, checkOwn, hashNew, members, log } = dependencies
  const cls = model.classes.find(isAccount)
  if (cls?.collection === undefined) return undefined
  const remove = async (id: string) => {
    try {
      await members(ACCOUNTS).remove(id)
    } catch (error) {
      throw error instanceof HttpError && error.cause instanceof Problem ? error.cause : error
    }
  }
  const removeGone = createRemoveGone({
    ...{ model, base, remove, ...logGone(log) },
    members: store.members,
    now: () => clock.now(),
  })
  const mirrored = createMirror({ cls, members: store.members, auth: store.auth, clock, remove: removeGone })
  const { roles: managers = [] } = model.accounts?.manage ?? {}
  const roles = model.access?.roles ?? []
  return { auth: store.auth, ...mirrored, checkOwn, hashNew, remove, managers, roles }
}

/** How many addresses a line of the log has. */
const MAX_LOGGED = 100

const logGone = (log: Log) => ({
  onUnlinked: (id: string, addresses: readonly string[]) =>
    log.warn(
      { user: Number(id), members: addresses.length, addresses: addresses.slice(0, MAX_LOGGED) },
      'a user was removed: these members no longer link to the account, and may lack a required value',
    ),
  onKept: (id: string, classNames: readonly string[]) =>
    log.warn(
      { user: Number(id), classes: classNames },
      'a user was removed, but members of classes that the API file does not have link to the account: ' +
        'until "hydrant purge" has removed them, a new user with this id has no account',
    ),
})
