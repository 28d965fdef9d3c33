import type { Command } from 'commander'
import { readUserId } from '../auth/credentials.ts'
import { hashParaphrase } from '../auth/paraphrase.ts'
import { UsageError } from '../config.ts'
import { withExisting, withStore } from './database.ts'
import { count, table, time } from './output.ts'
import { askForParaphrase } from './paraphrase-prompt.ts'
import { addSettings, configOf } from './settings.ts'

interface Output {
  readonly json?: boolean
}

/** `hydrant user …`: who may sign in. */
export function addUser(program: Command): void {
  const user = program.command('user').description('who may sign in: add, list, paraphrase, remove')

  subcommand(
    user,
    'add <id>',
    'add a user; the paraphrase is asked for, or read as one line from standard input',
  )
    .addHelpText(
      'after',
      example('hydrant user add 1', 'printf \'%s\\n\' "$PARAPHRASE" | hydrant user add 2'),
    )
    .action(async (text: string, { json }: Output, command: Command) => {
      const id = readId(text)
      await withStore(configOf(command).db, async (store) => {
        const exists = new Error(
          `User ${id} exists already; "hydrant user paraphrase ${id}" gives it a new paraphrase.`,
        )
        if ((await store.findUser(id)) !== undefined) throw exists
        const paraphraseHash = await hashParaphrase(await askForParaphrase(id))
        if (!(await store.addUser(id, paraphraseHash, Date.now()))) throw exists
      })
      say(json, { id, added: true }, `User ${id} was added.`)
    })

  subcommand(user, 'list', 'list the users')
    .addHelpText('after', example('hydrant user list --json'))
    .action(async ({ json }: Output, command: Command) => {
      const users = await withExisting(configOf(command).db, (store) => store.listUsers(Date.now()))
      const rows = users.map(({ id, addedAt, liveTokens }) => [String(id), time(addedAt), String(liveTokens)])
      const entries = users.map((entry) => ({ ...entry, addedAt: time(entry.addedAt) }))
      say(
        json,
        entries,
        rows.length === 0 ? 'There are no users.' : table(['user', 'added', 'live tokens'], rows),
      )
    })

  subcommand(user, 'paraphrase <id>', 'give a user a new paraphrase; ends the tokens of the user')
    .addHelpText('after', example('hydrant user paraphrase 1'))
    .action(async (text: string, { json }: Output, command: Command) => {
      const id = readId(text)
      await withExisting(configOf(command).db, async (store) => {
        if ((await store.findUser(id)) === undefined) throw unknown(id)
        const paraphraseHash = await hashParaphrase(await askForParaphrase(id))
        if (!(await store.setParaphrase(id, paraphraseHash))) throw unknown(id)
      })
      say(json, { id, changed: true }, `User ${id} has a new paraphrase; its tokens have ended.`)
    })

  subcommand(user, 'remove <id>', 'remove a user; ends the tokens of the user')
    .addHelpText('after', example('hydrant user remove 1'))
    .action(async (text: string, { json }: Output, command: Command) => {
      const id = readId(text)
      const ended = await withExisting(configOf(command).db, async (store) => {
        const now = Date.now()
        const tokens = (await store.listTokens(now)).filter(({ userId }) => userId === id).length
        if (!(await store.removeUser(id))) throw unknown(id)
        return tokens
      })
      say(json, { id, removed: true }, `User ${id} was removed; ${count(ended, 'token')} ended.`)
    })
}

function subcommand(parent: Command, name: string, description: string): Command {
  return addSettings(parent.command(name).description(description), ['db']).option(
    '--json',
    'output for programs',
  )
}

export const example = (...lines: readonly string[]): string =>
  `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`

export function say(json: boolean | undefined, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text)
}

export function readId(text: string): number {
  const id = readUserId(text)
  if (id !== undefined) return id
  throw new UsageError(
    `"${text.slice(0, 40)}" is not a user id; give a whole number from 1 to 9007199254740991.`,
  )
}

const unknown = (id: number) => new Error(`There is no user ${id}; "hydrant user list" shows who there is.`)
