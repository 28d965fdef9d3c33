import type { AuthStore, Clock } from '../../auth/index.ts'
import { type MemberReads, type MemberStore, readOtherwise, type StoredMember } from '../../members/index.ts'
import { ACCOUNT } from '../../vocabulary/index.ts'

interface ActivityDependencies {
  readonly auth: Pick<AuthStore, 'listAccounts'>
  readonly clock: Clock
}

/**
 * The store, whose accounts also have the last sign-in of their users and the number of their tokens: these change too
 * often to be stored with the accounts, and are not part of their version (people.md, Accounts).
 */
export function withActivity(members: MemberStore, { auth, clock }: ActivityDependencies): MemberStore {
  async function active(accounts: readonly StoredMember[]): Promise<StoredMember[]> {
    const ids = accounts.map(({ id }) => Number(id))
    const found = await auth.listAccounts(ids, clock.now())
    return accounts.map((account) => {
      const { signedInAt, liveTokens = 0 } = found.get(Number(account.id)) ?? {}
      const at = signedInAt === undefined ? '' : `,"signedInAt":"${new Date(signedInAt).toISOString()}"`
      return { ...account, body: `${account.body}${at},"tokens":${liveTokens}` }
    })
  }

  /** No response about accounts is kept, since nothing tells when a token ends. */
  const stateOf = (reads: Pick<MemberReads, 'state'>, className: string) =>
    className === ACCOUNT ? undefined : reads.state(className)

  const changed: Partial<MemberStore> = {
    state: (className) => stateOf(members, className),
    standby() {
      const reads = members.standby?.()
      return reads && readOtherwise(reads, { state: (className) => stateOf(reads, className) })
    },
    find(className, id) {
      const found = members.find(className, id)
      if (className !== ACCOUNT) return found
      return Promise.resolve(found).then(async (one) => one && (await active([one]))[0])
    },
    findAll(className, ...asked) {
      const found = members.findAll(className, ...asked)
      return className === ACCOUNT ? Promise.resolve(found).then(active) : found
    },
    list(className, selection) {
      const page = members.list(className, selection)
      if (className !== ACCOUNT) return page
      return Promise.resolve(page).then(async (one) => ({ ...one, members: await active(one.members) }))
    },
  }
  return Object.assign(Object.create(members) as MemberStore, changed)
}
