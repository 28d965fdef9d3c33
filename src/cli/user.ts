import { existsSync } from 'node:fs'
import { type AuthStore, hashParaphrase, nameKey, type TokenChoice } from '../auth/index.ts'
import { COMMAND_SETTINGS, readId, readRoles, readUserName, type Setting } from '../config/index.ts'
import { shownDatabase } from '../database/index.ts'
import type { Problem } from '../problem.ts'
import { databaseExists } from '../store/open.ts'
import { count } from '../text.ts'
import { readApiFile } from './api-file.ts'
import { commandOn, noUser, requireUser, withExisting, withStore } from './database.ts'
import { roleList, table, time } from './formats.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'
import { askForParaphrase } from './prompt.ts'

/** `hydrant user add <id> [--name …] [--role …]` */
export async function addUser(call: Invocation, typedId: string): Promise<void> {
  const [id, db] = [readId(typedId), call.database()]
  const roles = call.setting(COMMAND_SETTINGS.role) ?? []
  const name = call.setting(COMMAND_SETTINGS.userName)
  const { warn } = await checkRoles(call, roles)
  // Before the prompt, and without creating a database: the prompt may be cancelled.
  const isNew = !(await databaseExists(db))
  if (!isNew) {
    await withStore(db, async (store) => {
      if ((await store.findUser(id)) !== undefined) throw exists(id, db)
      if (name !== undefined) await requireFree(store, name, db)
    })
  }
  const paraphraseHash = await hashParaphrase(await askForParaphrase(call, id, 'new'))
  await withStore(db, async (store) => {
    const added = await store.addUser({ id, name, roles, paraphraseHash }, Date.now())
    if (added === 'id taken') throw exists(id, db)
    if (name !== undefined && added === 'name taken') throw nameTaken(name, db)
  })
  const given = [
    ...(name === undefined ? [] : [`the name ${name}`]),
    ...(roles.length === 0 ? [] : [`the ${roleList(roles)}`]),
  ]
  call.say(
    { id, added: true, ...(name !== undefined && { name }), roles },
    `User ${id} was added${given.length === 0 ? '' : ` with ${given.join(' and ')}`}.`,
  )
  // For people: a server on another database would not know this user.
  if (isNew && call.io.stderr.isTTY) call.io.stderr.write(`The database ${shownDatabase(db)} was created.\n`)
  warn()
}

/** `hydrant user list` */
export async function listUsers(call: Invocation): Promise<void> {
  const db = call.database()
  const users = await withExisting(db, (store) => store.listUsers(Date.now()))
  const entries = users.map(({ id, name = null, addedAt, liveTokens, roles }) => ({
    ...{ id, name, addedAt: time(addedAt), liveTokens, roles },
  }))
  const rows = entries.map(({ id, name, addedAt, liveTokens, roles }) => [
    ...[id, name ?? '-', addedAt, liveTokens, roles.join(', ') || '-'],
  ])
  call.say(
    entries,
    rows.length === 0
      ? `There are no users; add one with: ${commandOn(db, 'user add 1')}`
      : table(['user', 'name', 'added', 'live tokens', 'roles'], rows),
  )
}

/** `hydrant user paraphrase <id>` */
export async function changeParaphrase(call: Invocation, typedId: string): Promise<void> {
  const [id, db] = [readId(typedId), call.database()]
  await withExisting(db, (store) => requireUser(store, id, db))
  const paraphraseHash = await hashParaphrase(await askForParaphrase(call, id, 'new'))
  await withExisting(db, async (store) => {
    if (!(await store.setParaphrase(id, paraphraseHash))) throw noUser(id, db)
  })
  call.say({ id, changed: true }, `User ${id} has a new passphrase; its tokens have ended.`)
}

/** `hydrant user name <id> <name>` */
export async function changeName(call: Invocation, typedId: string, typed?: string): Promise<void> {
  const [id, db] = [readId(typedId), call.database()]
  const isNone = call.setting(COMMAND_SETTINGS.noName)
  if (isNone === (typed !== undefined)) throw commandProblem('NameOrNone')
  const name = typed === undefined ? null : readUserName(typed)
  await withExisting(db, async (store) => {
    const changed = await store.changeUser(id, { name })
    if (changed === 'missing') throw noUser(id, db)
    if (name !== null && changed === 'name taken') throw nameTaken(name, db)
  })
  call.say({ id, name }, `User ${id} ${name === null ? 'has no name' : `is called ${name}`} from now on.`)
}

async function requireFree(store: AuthStore, name: string, db: string): Promise<void> {
  if ((await store.findUserByName(nameKey(name))) !== undefined) throw nameTaken(name, db)
}

/** `hydrant user roles <id> …` */
export async function changeRoles(call: Invocation, typedId: string, ...typed: string[]): Promise<void> {
  const [id, db] = [readId(typedId), call.database()]
  const isNone = call.setting(COMMAND_SETTINGS.noRoles)
  if (isNone === typed.length > 0) throw commandProblem('RolesOrNone')
  const roles = isNone ? [] : readRoles(typed.join(','))
  const { warn } = await checkRoles(call, roles)
  await withExisting(db, async (store) => {
    if (!(await store.setRoles(id, roles))) throw noUser(id, db)
  })
  call.say({ id, roles }, `User ${id} has ${isNone ? 'no role' : `the ${roleList(roles)}`} from now on.`)
  warn()
}

/** Refuses roles that the API file does not declare. Without a file, returns a function that prints a warning at the end. */
async function checkRoles(call: Invocation, roles: readonly string[]): Promise<{ warn: () => void }> {
  if (roles.length === 0) return { warn: () => {} }
  const file = call.setting(COMMAND_SETTINGS.api) ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined)
  if (file === undefined) {
    const unchecked = `the ${roleList(roles)} could not be checked: there is no ${DEFAULT_FILE} in this folder; name the API file with --api.`
    return { warn: () => call.console.error(`hydrant: warning: ${unchecked}`) }
  }
  const declared = (await readApiFile(call, file)).model.access?.roles ?? []
  const unknown = roles.find((role) => !declared.includes(role))
  if (unknown === undefined) return { warn: () => {} }
  throw commandProblem('UndeclaredRole', { role: unknown, file, declared })
}

const DEFAULT_FILE = 'api.yaml'

/** `hydrant user remove <id>` */
export async function removeUser(call: Invocation, typedId: string): Promise<void> {
  const [id, db] = [readId(typedId), call.database()]
  const ended = await withExisting(db, async (store) => {
    const tokens = (await store.listTokens(Date.now())).filter(({ userId }) => userId === id).length
    if (!(await store.removeUser(id))) throw noUser(id, db)
    return tokens
  })
  call.say({ id, removed: true }, `User ${id} was removed; ${count(ended, 'token')} ended.`)
}

const exists = (id: number, db: string): Problem =>
  commandProblem('UserExists', { id, command: commandOn(db, `user paraphrase ${id}`) })

const nameTaken = (name: string, db: string): Problem =>
  commandProblem('NameTaken', { name, command: commandOn(db, 'user list') })

/** `hydrant token list`: lists tokens by number, never the tokens themselves. */
export async function listTokens(call: Invocation): Promise<void> {
  const tokens = await withExisting(call.database(), (store) => store.listTokens(Date.now()))
  const entries = tokens.map(({ id, userId, issuedAt, expiresAt }) => ({
    id,
    user: userId,
    issuedAt: time(issuedAt),
    expiresAt: time(expiresAt),
  }))
  const rows = entries.map((entry) => Object.values(entry))
  call.say(
    entries,
    rows.length === 0 ? 'There are no live tokens.' : table(['token', 'user', 'issued', 'ends'], rows),
  )
}

/** `hydrant token revoke` */
export async function revokeTokens(call: Invocation): Promise<void> {
  const [choice, db] = [readChoice(call), call.database()]
  const ended = await withExisting(db, async (store) => {
    const number = await store.revokeTokens(choice, Date.now())
    if (number > 0 || choice === 'all') return number
    if ('tokenId' in choice)
      throw commandProblem('NoLiveToken', { tokenId: choice.tokenId, command: commandOn(db, 'token list') })
    await requireUser(store, choice.userId, db)
    return number
  })
  call.say({ revoked: ended }, `${count(ended, 'token')} ended.`)
}

/** A flag wins: if one is typed, the environment does not add a second choice. */
function readChoice({ typed, setting }: Invocation): TokenChoice {
  const { tokensOf, tokenId: byNumber, allTokens } = COMMAND_SETTINGS
  const isTyped = (choice: Setting<unknown>) => typed(choice) !== undefined
  const anyTyped = [tokensOf, byNumber, allTokens].some(isTyped)
  const read = <T>(choice: Setting<T>) => (anyTyped && !isTyped(choice) ? undefined : setting(choice))
  const [userId, tokenId, all] = [read(tokensOf), read(byNumber), read(allTokens) ?? false]
  if ([userId !== undefined, tokenId !== undefined, all].filter(Boolean).length !== 1)
    throw commandProblem('WhichTokens')
  if (userId !== undefined) return { userId }
  return tokenId === undefined ? 'all' : { tokenId }
}
