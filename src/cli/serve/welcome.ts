// The first user, and the output of a server that has started.
import type { Logger } from 'pino'
import { type AuthStore, hashParaphrase, makeParaphrase } from '../../auth/index.ts'
import type { Config } from '../../config/index.ts'
import { type Model, pathTo } from '../../vocabulary/index.ts'
import { commandOn } from '../database.ts'
import { duration, roleList } from '../formats.ts'
import { describeOpen, listOpen } from '../open-classes.ts'

interface Welcome {
  readonly base: string
  /** The address that it listens on, which behind a proxy is not the base. */
  readonly address: string
  /** The address of the console, if there is one. */
  readonly page: string | undefined
  /** A collection of the API, for the commands to copy. */
  readonly collection: string
  /** The paraphrase of user 1, if that user was just added. */
  readonly paraphrase: string | undefined
}

interface WelcomeContext {
  readonly config: Config
  readonly log: Logger
}

/** Prints where the API is, and what to do next. */
export function printWelcome(welcome: Welcome, { config, log }: WelcomeContext): void {
  const { base, address, page, paraphrase } = welcome
  const isJson = config.logFormat === 'json'
  if (isJson) {
    // Logged at every level: programs that start a server wait for this line.
    log.child({}, { level: 'info' }).info({ url: base, address }, 'listening')
    if (page !== undefined) log.info({ url: page }, 'console')
  } else {
    process.stdout.write(`listening on ${base}\nbound to ${address}\n`)
    if (page !== undefined) process.stdout.write(`console on ${page}\n`)
  }
  // The paraphrase is for the person at the terminal, not for the log.
  const stream = isJson ? process.stderr : process.stdout
  if (!isJson || paraphrase !== undefined) stream.write(`\n${firstSteps(welcome, config).join('\n')}\n\n`)
}

/** What to do next: open the console, or copy commands line by line. */
function firstSteps(
  { base, page, collection, paraphrase }: Welcome,
  { mode, tokenTtlMs, db }: Config,
): string[] {
  const url = base + pathTo(collection)
  if (mode === 'open') {
    const console = page === undefined ? [] : [`Open ${page} in a browser, or:`, '']
    return ['Authentication is off: everybody may read and write.', '', ...console, `  curl ${url}`]
  }
  const user = paraphrase === undefined ? '<id>:<passphrase>' : `1:${paraphrase}`
  const takeNonce = `  NONCE=$(curl -s -o /dev/null -w '%header{x-authentication}' ${url})`
  const byHand =
    mode === 'nonce'
      ? [
          'Every request needs a fresh nonce and the credentials; each response brings the next nonce.',
          takeNonce,
          `  curl -i -u '${user}' -H "X-Authentication: $NONCE" ${url}`,
        ]
      : [
          'Step A: send any request without credentials, and get a nonce.',
          takeNonce,
          `Step B: send the nonce with the credentials, and get a token, which is valid for ${duration(tokenTtlMs)}.`,
          `  TOKEN=$(curl -s -o /dev/null -w '%header{x-authorization}' -u '${user}' -H "X-Authentication: $NONCE" ${url})`,
          'Step C: send the token with every request.',
          `  curl -H "X-Authorization: $TOKEN" ${url}`,
        ]
  return [...introduction(paraphrase, db, page), ...byHand]
}

function introduction(paraphrase: string | undefined, db: string, page: string | undefined): string[] {
  // No other command reaches a database in memory.
  if (paraphrase === undefined && db === 'sqlite::memory:') return []
  const who = paraphrase === undefined ? `one of the users (${commandOn(db, 'user list')})` : 'user 1'
  const inBrowser =
    page === undefined
      ? []
      : [`Open ${page} in a browser and sign in as ${who}.`, '', 'Or by hand, in another terminal:']
  if (paraphrase === undefined)
    return page === undefined ? [`The lines below need the id and the passphrase of ${who}.`, ''] : inBrowser
  return [
    'User 1 was added. The passphrase is shown this once, so write it down:',
    '',
    `  ${paraphrase}`,
    '',
    ...inBrowser,
  ]
}

/**
 * There is no default password: either user 1 gets a random one, which is shown once, or nobody can sign in yet. This user
 * has every role of the API file, and so can manage accounts at once (people.md, Accounts).
 */
export async function ensureUser(
  store: AuthStore,
  { isBundled, roles }: { readonly isBundled: boolean; readonly roles: readonly string[] },
  { config: { mode, db }, log }: WelcomeContext,
): Promise<string | undefined> {
  if (mode === 'open') {
    log.warn('authentication is off: everybody may read and write')
    return undefined
  }
  if ((await store.listUsers(Date.now())).length > 0) return undefined
  if (isBundled || process.stdout.isTTY) return addFirstUser(store, roles)
  const remedy =
    db === 'sqlite::memory:'
      ? 'no other command reaches a database in memory; name a file with --db sqlite:<path>'
      : `add one with: ${commandOn(db, 'user add 1')}`
  log.warn(`there is no user, so nobody can sign in; ${remedy}`)
  return undefined
}

async function addFirstUser(store: AuthStore, roles: readonly string[]): Promise<string | undefined> {
  const paraphrase = await makeParaphrase()
  const user = { id: 1, roles, paraphraseHash: await hashParaphrase(paraphrase) }
  return (await store.addUser(user, Date.now())) === 1 ? paraphrase : undefined
}

/** What is served without signing in must not go unnoticed (people.md, Anyone). */
export function logOpen(model: Model, { log }: Pick<WelcomeContext, 'log'>): void {
  const open = listOpen(model)
  if (open.length === 0) return
  const classes = open.map(({ class: name }) => name)
  log.info({ classes }, `anyone may read without signing in: ${describeOpen(open).join(', ')}`)
}

/** Nothing else reveals a misspelt role, in the file or of a user (access.md, Users). */
export async function warnOfRoles(
  { access }: Model,
  store: AuthStore,
  { config: { db }, log }: WelcomeContext,
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
  const named = holders.slice(0, MAX_NAMED).map(({ id }) => id)
  log.warn(
    { roles: unknown, users: holders.length },
    `the API file does not know the ${roleList(unknown)} (of user ${named.join(', ')}` +
      `${holders.length > MAX_NAMED ? ', …' : ''}); declare ${unknown.length === 1 ? 'it' : 'them'} under "roles", or see: ${commandOn(db, 'user list')}`,
  )
}

const MAX_NAMED = 5
