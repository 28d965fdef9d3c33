import { hashParaphrase } from '../auth/index.ts'
import { COMMAND_SETTINGS, readId, readRoles, UsageError } from '../config/index.ts'
import { isThere } from '../store/index.ts'
import { noUser, programName, requireUser, withExisting, withStore } from './database.ts'
import { databaseOf, type Invocation } from './invocation.ts'
import { count, roleList, table, time } from './output.ts'
import { askForParaphrase } from './prompt.ts'

/** `hydrant user add <id> [--role …]` */
export async function addUser(call: Invocation, typedId: string): Promise<void> {
  const [id, db] = [readId(typedId), databaseOf(call)]
  const roles = call.setting(COMMAND_SETTINGS.role) ?? []
  // Before the paraphrase is asked for, and without a database left behind should none be given.
  if (await isThere(db)) {
    await withExisting(db, async (store) => {
      if ((await store.findUser(id)) !== undefined) throw exists(id)
    })
  }
  const paraphraseHash = await hashParaphrase(await askForParaphrase(call.io, id, 'new'))
  await withStore(db, async (store) => {
    if (!(await store.addUser(id, paraphraseHash, Date.now(), roles))) throw exists(id)
  })
  call.say(
    { id, added: true, roles },
    `User ${id} was added${roles.length === 0 ? '' : ` with the ${roleList(roles)}`}.`,
  )
}

/** `hydrant user list` */
export async function listUsers(call: Invocation): Promise<void> {
  const users = await withExisting(databaseOf(call), (store) => store.listUsers(Date.now()))
  const rows = users.map(({ id, addedAt, liveTokens, roles }) => [
    String(id),
    time(addedAt),
    String(liveTokens),
    roles.join(', ') || '-',
  ])
  call.say(
    users.map(({ id, addedAt, liveTokens, roles }) => ({
      id,
      addedAt: time(addedAt),
      liveTokens,
      roles,
    })),
    rows.length === 0
      ? `There are no users; add one with: ${programName()} user add 1`
      : table(['user', 'added', 'live tokens', 'roles'], rows),
  )
}

/** `hydrant user paraphrase <id>` */
export async function changeParaphrase(call: Invocation, typedId: string): Promise<void> {
  const [id, db] = [readId(typedId), databaseOf(call)]
  await withExisting(db, (store) => requireUser(store, id))
  const paraphraseHash = await hashParaphrase(await askForParaphrase(call.io, id, 'new'))
  await withExisting(db, async (store) => {
    if (!(await store.setParaphrase(id, paraphraseHash))) throw noUser(id)
  })
  call.say({ id, changed: true }, `User ${id} has a new paraphrase; its tokens have ended.`)
}

/** `hydrant user roles <id> …` */
export async function changeRoles(call: Invocation, typedId: string, ...typed: string[]): Promise<void> {
  const [id, db] = [readId(typedId), databaseOf(call)]
  const isNone = call.setting(COMMAND_SETTINGS.noRoles)
  if (isNone === typed.length > 0)
    throw new UsageError('give all roles that the user is to have, or --none, and not both.')
  const roles = isNone ? [] : readRoles(typed.join(','))
  await withExisting(db, async (store) => {
    if (!(await store.setRoles(id, roles))) throw noUser(id)
  })
  call.say({ id, roles }, `User ${id} has ${isNone ? 'no role' : `the ${roleList(roles)}`} from now on.`)
}

/** `hydrant user remove <id>` */
export async function removeUser(call: Invocation, typedId: string): Promise<void> {
  const id = readId(typedId)
  const ended = await withExisting(databaseOf(call), async (store) => {
    const tokens = (await store.listTokens(Date.now())).filter(({ userId }) => userId === id).length
    if (!(await store.removeUser(id))) throw noUser(id)
    return tokens
  })
  call.say({ id, removed: true }, `User ${id} was removed; ${count(ended, 'token')} ended.`)
}

const exists = (id: number) =>
  new Error(
    `User ${id} exists already; give it a new paraphrase with: ${programName()} user paraphrase ${id}`,
  )
