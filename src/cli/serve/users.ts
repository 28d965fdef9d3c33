// Who can sign in when a server starts.
import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { hashParaphrase } from '../../auth/index.ts'
import type { Config } from '../../config/index.ts'
import type { AuthStore } from '../../store/index.ts'
import type { Model } from '../../vocabulary/index.ts'
import { commandOn } from '../database.ts'
import { roleList } from '../output.ts'

interface Surroundings {
  readonly config: Config
  readonly log: Logger
}

/** There is no default password: either a random one is shown once, or nobody can sign in yet. */
export async function ensureUser(
  store: AuthStore,
  isBundled: boolean,
  { config: { mode, db }, log }: Surroundings,
): Promise<FirstUser | undefined> {
  if (mode === 'open') {
    log.warn('authentication is off: everybody may read and write')
    return undefined
  }
  if ((await store.listUsers(Date.now())).length > 0) return undefined
  if (isBundled || process.stdout.isTTY) return addFirstUser(store)
  const remedy =
    db === 'sqlite::memory:'
      ? 'no other command reaches a database in memory; name a file with --db sqlite:<path>'
      : `add one with: ${commandOn(db, 'user add 1')}`
  log.warn(`there is no user, so nobody can sign in; ${remedy}`)
  return undefined
}

export interface FirstUser {
  readonly id: number
  readonly paraphrase: string
}

const WORDS = 5

/** Five of 2,048 words: 55 random bits, behind a throttle. */
async function addFirstUser(store: AuthStore): Promise<FirstUser | undefined> {
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  const paraphrase = Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join(' ')
  const id = 1
  const added = await store.addUser(id, await hashParaphrase(paraphrase), Date.now())
  return added ? { id, paraphrase } : undefined
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
