import { setImmediate as turn } from 'node:timers/promises'
import type { AuthStore, Clock, UserEntry } from '../../auth/index.ts'
import {
  FIRST_MEMBER,
  type MemberContent,
  type MemberStore,
  ownOf,
  readText,
  type Selection,
  type StoredMember,
  writeMember,
} from '../../members/index.ts'
import { ACCOUNT, type Class } from '../../vocabulary/index.ts'
import type { Accounts } from './dependencies.ts'

interface MirrorDependencies {
  readonly cls: Class
  readonly members: MemberStore
  readonly auth: Pick<AuthStore, 'usersGeneration' | 'listUsers'>
  readonly clock: Clock
  /** Removes an account with the effects that links declare (people.md, People in data). */
  readonly remove: (id: string) => Promise<void>
}

/**
 * Users change by the command line and by other hosts, too. So they are compared with their accounts whenever their
 * generation differs from that of the last comparison; the next comparison makes up for one that was cut off.
 */
export function createMirror(dependencies: MirrorDependencies): Pick<Accounts, 'mirror' | 'idOf'> {
  const { auth } = dependencies
  let ids: ReadonlyMap<number, string> = new Map()
  let highest = 0
  let seen: number | undefined
  let running: Promise<void> | undefined

  async function compare(generation: number): Promise<void> {
    ids = await mirrorUsers(dependencies)
    highest = Math.max(highest, ...ids.keys())
    seen = generation
  }

  async function mirror(): Promise<void> {
    for (;;) {
      const generation = await auth.usersGeneration()
      if (generation === seen) return
      running ??= compare(generation).finally(() => {
        running = undefined
      })
      await running
    }
  }

  return {
    mirror,
    idOf(number) {
      // Numbers are given in ascending order: a higher one is of a user who was added since.
      if (number <= highest) return ids.get(number)
      return mirror().then(() => ids.get(number))
    },
  }
}

/** Returns the ids of the users, by their numbers. */
async function mirrorUsers({
  cls,
  members,
  auth,
  clock,
  remove,
}: MirrorDependencies): Promise<ReadonlyMap<number, string>> {
  const users = new Map((await auth.listUsers(clock.now())).map((user) => [String(user.id), user]))
  const accounts = new Map<string, StoredMember>()
  for await (const account of accountsIn(members)) {
    // A number is never given to a second user: an id may be.
    if (users.get(account.id)?.number === account.owner) accounts.set(account.id, account)
    else await remove(account.id)
  }
  const { bringInStep, clearName } = createAccountWrites(cls, members)
  const refused: [UserEntry, StoredMember | undefined][] = []
  let compared = 0
  for (const [id, user] of users) {
    const account = accounts.get(id)
    compared += 1
    if (compared % PAGE === 0) await turn()
    if (!(await bringInStep(user, account))) refused.push([user, account])
  }
  // Names may move between users: an account may have the name that another one needs, even in a circle.
  for (const [, account] of refused) if (account !== undefined) await clearName(account)
  for (const [user, account] of refused) await bringInStep(user, account)
  return new Map([...users].map(([id, { number }]) => [number, id]))
}

function createAccountWrites(cls: Class, members: MemberStore) {
  return {
    /** Writes the account, where it differs from its user; false if it is refused, since another account has its name. */
    async bringInStep(user: UserEntry, account: StoredMember | undefined): Promise<boolean> {
      const id = String(user.id)
      if (account === undefined) {
        const added = await members.add(ACCOUNT, { id, owner: user.number, ...contentOf(cls, user) })
        return added.outcome !== 'refused'
      }
      if (ownOf(readText(account.body), 'revision') === user.revision) return true
      const changed = await members.change(ACCOUNT, id, undefined, () => contentOf(cls, user))
      return changed.outcome !== 'refused'
    },
    /** Keeps the revision, so that the account is written again, even if this comparison is cut off. */
    async clearName({ id }: StoredMember): Promise<void> {
      await members.change(ACCOUNT, id, undefined, ({ body }) => {
        const { name, ...rest } = readText(body)
        return writeMember(cls, rest, '')
      })
    },
  }
}

/** How many are compared before other requests have their turn. */
const PAGE = 500

async function* accountsIn(members: MemberStore): AsyncGenerator<StoredMember> {
  let selection: Selection = { ...FIRST_MEMBER, limit: PAGE }
  for (;;) {
    const page = await members.list(ACCOUNT, selection)
    yield* page.members
    await turn()
    if (!page.more || page.edges === undefined) return
    selection = { ...selection, start: { at: 'after', position: page.edges.last } }
  }
}

function contentOf(cls: Class, { id, name, roles, revision, addedAt }: UserEntry): MemberContent {
  const values = {
    userId: id,
    ...(name !== undefined && { name }),
    ...(roles.length > 0 && { roles }),
    revision,
    createdAt: new Date(addedAt).toISOString(),
  }
  return writeMember(cls, values, '')
}
