import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, Principal, UserRoles } from '../../auth/index.ts'
import type { Store } from '../../store/index.ts'
import { apiProblem } from '../problems/index.ts'
import { type Subscriber, Subscription } from './subscription.ts'

/** How many streams are written to before other requests get a turn. */
const SLICE = 10

export interface SubscriptionsDependencies {
  readonly auth: Pick<Store['auth'], 'listRoles'>
  readonly clock: Clock
  readonly limits: { readonly all: number; readonly perUser: number }
  readonly heartbeatMs: number
}

/** The open streams of a process. */
export interface Subscriptions {
  count(): number
  /** Throws if a limit is reached. */
  add(subscriber: Subscriber): Subscription
  remove(subscription: Subscription): void
  wakeAll(): Promise<void>
  /** Ends streams whose token was revoked, or whose user was removed or has other roles. */
  endRevoked(): Promise<void>
  endAll(): void
  /** Ends streams whose time is over, and sends heartbeats; needs no store. */
  tick(): void
}

export function createSubscriptions({
  auth,
  clock,
  limits,
  heartbeatMs,
}: SubscriptionsDependencies): Subscriptions {
  const open = new Set<Subscription>()
  /** Streams grouped by equal principals; computed again after a stream was added or removed. */
  let byPrincipal: readonly Subscription[][] | undefined

  return {
    count: () => open.size,
    add(subscriber) {
      const key = keyOf(subscriber)
      if (open.size >= limits.all) throw apiProblem('TooManyStreams', { retryAfterSeconds: 5 })
      if ([...open].filter((one) => keyOf(one.subscriber) === key).length >= limits.perUser)
        throw apiProblem('TooManyOwnStreams', { retryAfterSeconds: 5 })
      const subscription = new Subscription(subscriber, clock.now())
      open.add(subscription)
      byPrincipal = undefined
      return subscription
    },
    remove(subscription) {
      open.delete(subscription)
      byPrincipal = undefined
    },
    // Other requests get a turn after every slice, and after the first stream, which does the encoding for the others.
    async wakeAll() {
      for (const [index, subscription] of [...open].entries()) {
        if (index < 2 || index % SLICE === 0) await nextTurn()
        subscription.wake()
      }
    },
    // Streams that begin while the roles are read were just admitted.
    async endRevoked() {
      byPrincipal ??= [...Map.groupBy(open, principalTextOf).values()]
      for (const subscription of await findRevoked(byPrincipal, auth)) subscription.end()
    },
    endAll() {
      for (const subscription of open) subscription.end()
    },
    tick() {
      const now = clock.now()
      const heartbeatBefore = performance.now() - heartbeatMs
      for (const subscription of open) {
        if (subscription.isPast(now)) subscription.end()
        else if (subscription.heartbeatAt <= heartbeatBefore) {
          subscription.heartbeatAt = performance.now()
          subscription.isHeartbeatDue = true
          subscription.wake()
        }
      }
    },
  }
}

const keyOf = ({ principal, address }: Subscriber): number | string => principal?.number ?? address

const principalTextOf = ({ subscriber: { principal } }: Subscription): string =>
  `${principal?.token?.id} ${principal?.userId} ${principal?.number} ${principal?.roles}`

/** Uses one lookup for all tokens, and one for all users without a token. */
async function findRevoked(
  byPrincipal: readonly Subscription[][],
  auth: SubscriptionsDependencies['auth'],
): Promise<readonly Subscription[]> {
  const checked = byPrincipal.flatMap((streams) => {
    const principal = streams[0]?.subscriber.principal
    return principal === undefined ? [] : [{ streams, principal }]
  })
  const idsBy = (idOf: (principal: Principal) => number | undefined): number[] => [
    ...new Set(checked.flatMap(({ principal }) => idOf(principal) ?? [])),
  ]
  const tokens = idsBy(({ token }) => token?.id)
  const users = idsBy(({ token, userId }) => (token === undefined ? userId : undefined))
  const ofTokens = tokens.length > 0 ? await auth.listRoles('tokens', tokens) : NONE
  const ofUsers = users.length > 0 ? await auth.listRoles('users', users) : NONE
  return checked.flatMap(({ streams, principal }) => {
    const { token, userId } = principal
    const found = token === undefined ? ofUsers.get(userId) : ofTokens.get(token.id)
    return isSame(found, principal) ? [] : streams
  })
}

const NONE: ReadonlyMap<number, UserRoles> = new Map()
const isSame = (found: UserRoles | undefined, { number, roles }: Principal): boolean =>
  found?.number === number && found.roles.join() === roles.join()
