import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { ACCOUNT, ACCOUNTS, isTied, type Model, pathTo, rightsOf } from '../../vocabulary/index.ts'
import type { Accounts } from './dependencies.ts'

/**
 * The address of the account of a user who has made a change, where the reader may see that account (live.md, The feed).
 * `actor`: the number of the user.
 */
export type ShowActor = (
  actor: number | undefined,
  reader: Principal | undefined,
) => Awaitable<string | undefined>

/** For readers with these roles. */
export function createShowActor(
  { access }: Model,
  base: string,
  accounts: Accounts | undefined,
  userRoles: readonly string[] | undefined,
): ShowActor {
  if (accounts === undefined) return () => undefined
  const addressOf = (id: string | undefined) => id && `${base}${pathTo(ACCOUNTS)}${pathTo(id)}`
  const { read } = rightsOf(access, ACCOUNT, userRoles)
  return (actor, reader) => {
    if (actor === undefined) return undefined
    const isShown = isTied(read) ? read.owner && actor === reader?.number : read === 'any'
    const id = isShown ? accounts.idOf(actor) : undefined
    return id instanceof Promise ? id.then(addressOf) : addressOf(id as string | undefined)
  }
}
