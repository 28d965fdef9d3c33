import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { AuthStore } from '../../store/index.ts'
import type { Model } from '../../vocabulary/index.ts'
import { commandOn } from '../database.ts'
import { roleList } from '../output.ts'

interface Surroundings {
  readonly config: Config
  readonly log: Logger
}

/** A role that is misspelt, in the file or at a user, shows nowhere else (access.md, Users). */
export async function warnOfRoles(
  { access }: Model,
  store: AuthStore,
  { config: { db }, log }: Surroundings,
): Promise<void> {
  const declared = access?.roles ?? []
  const users = await store.listUsers(Date.now())
  const held = new Set(users.flatMap(({ roles }) => roles))
  const missing = declared.filter((role) => !held.has(role))
  if (missing.length > 0) {
    const remedy = commandOn(db, `user roles <id> ${missing[0]}`)
    log.warn({ roles: missing }, `no user has the ${roleList(missing)}; give a user a role with: ${remedy}`)
  }
  const unknown = [...held].filter((role) => !declared.includes(role))
  if (unknown.length === 0) return
  const holders = users.filter(({ roles }) => roles.some((role) => unknown.includes(role)))
  const named = holders.slice(0, MOST_NAMED).map(({ id }) => id)
  log.warn(
    { roles: unknown, users: holders.length },
    `the API file does not know the ${roleList(unknown)} (of user ${named.join(', ')}` +
      `${holders.length > MOST_NAMED ? ', …' : ''}); declare them under "roles", or see: ${commandOn(db, 'user list')}`,
  )
}

const MOST_NAMED = 5
