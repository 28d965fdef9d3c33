import type { Command } from 'commander'
import { readUserId } from '../auth/claims.ts'
import { hashParaphrase } from '../auth/paraphrase.ts'
import { UsageError } from '../config/values.ts'
import { isThere } from '../store/open.ts'
import type { AuthStore } from '../store/store.ts'
import { COMMAND } from './command-name.ts'
import { withExisting, withStore } from './database.ts'
import { count, example, say, table, time } from './output.ts'
import { askForParaphrase } from './paraphrase-prompt.ts'
import { addDataSettings, databaseOf, wantsJson } from './settings.ts'

/** `hydrant user …`: who may sign in. */
export function addUser(program: Command): void {
  const user = program
    .command('user')
    .description('who may sign in: add, list, paraphrase, remove')
    .addHelpText('after', example('hydrant user add 1', 'hydrant user list'))

  subcommand(
    user,
    'add <id>',
    'add a user; the paraphrase is asked for, or read as one line from standard input',
  )
    .addHelpText(
      'after',
      example('hydrant user add 1', 'printf \'%s\\n\' "$PARAPHRASE" | hydrant user add 2'),
    )
    .action(async (text: string, _: unknown, command: Command) => {
      const [id, db, json] = [readId(text), databaseOf(command), wantsJson(command)]
      // Before the paraphrase is asked for, and without a database left behind should none be given.
      if (await isThere(db)) await withExisting(db, (store) => requireUnknown(store, id))
      const paraphraseHash = await hashParaphrase(await askForParaphrase(id))
      await withStore(db, async (store) => {
        if (!(await store.addUser(id, paraphraseHash, Date.now()))) throw exists(id)
      })
      say(json, { id, added: true }, `User ${id} was added.`)
    })

  subcommand(user, 'list', 'list the users')
    .addHelpText('after', example('hydrant user list --json'))
    .action(async (_: unknown, command: Command) => {
      const users = await withExisting(databaseOf(command), (store) => store.listUsers(Date.now()))
      const rows = users.map(({ id, addedAt, liveTokens }) => [String(id), time(addedAt), String(liveTokens)])
      say(
        wantsJson(command),
        users.map((entry) => ({ ...entry, addedAt: time(entry.addedAt) })),
        rows.length === 0
          ? `There are no users; add one with: ${COMMAND} user add 1`
          : table(['user', 'added', 'live tokens'], rows),
      )
    })

  subcommand(user, 'paraphrase <id>', 'give a user a new paraphrase; ends the tokens of the user')
    .addHelpText('after', example('hydrant user paraphrase 1'))
    .action(async (text: string, _: unknown, command: Command) => {
      const [id, db, json] = [readId(text), databaseOf(command), wantsJson(command)]
      await withExisting(db, (store) => requireUser(store, id))
      const paraphraseHash = await hashParaphrase(await askForParaphrase(id))
      await withExisting(db, async (store) => {
        if (!(await store.setParaphrase(id, paraphraseHash))) throw unknown(id)
      })
      say(json, { id, changed: true }, `User ${id} has a new paraphrase; its tokens have ended.`)
    })

  subcommand(user, 'remove <id>', 'remove a user; ends the tokens of the user')
    .addHelpText('after', example('hydrant user remove 1'))
    .action(async (text: string, _: unknown, command: Command) => {
      const [id, json] = [readId(text), wantsJson(command)]
      const ended = await withExisting(databaseOf(command), async (store) => {
        const tokens = (await store.listTokens(Date.now())).filter(({ userId }) => userId === id).length
        if (!(await store.removeUser(id))) throw unknown(id)
        return tokens
      })
      say(json, { id, removed: true }, `User ${id} was removed; ${count(ended, 'token')} ended.`)
    })
}

const subcommand = (parent: Command, name: string, description: string): Command =>
  addDataSettings(parent.command(name).description(description))

/** What was typed is not repeated: it may be a paraphrase in the wrong place. */
export function readId(text: string): number {
  const id = readUserId(text)
  if (id !== undefined) return id
  throw new UsageError('that is not a user id; give a whole number from 1 to 9007199254740991, such as 1.')
}

async function requireUnknown(store: AuthStore, id: number): Promise<void> {
  if ((await store.findUser(id)) !== undefined) throw exists(id)
}

export async function requireUser(store: AuthStore, id: number): Promise<void> {
  if ((await store.findUser(id)) === undefined) throw unknown(id)
}

const exists = (id: number) =>
  new Error(`User ${id} exists already; give it a new paraphrase with: ${COMMAND} user paraphrase ${id}`)

const unknown = (id: number) =>
  new Error(`There is no user ${id}; see who there is with: ${COMMAND} user list`)
