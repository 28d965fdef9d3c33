import type { Command } from 'commander'
import { type Setting, setting } from '../config/settings.ts'
import { readSwitch, UsageError } from '../config/values.ts'
import type { TokenChoice } from '../store/store.ts'
import { COMMAND } from './command-name.ts'
import { withExisting } from './database.ts'
import { count, example, say, table, time } from './output.ts'
import { addDataSettings, addSetting, databaseOf, settingOf, typed, wantsJson } from './settings.ts'
import { readId, requireUser } from './user.ts'

const USER = setting('user <id>', '', 'all tokens of a user', readId, 'none')
const TOKEN_ID = setting(
  'token-id <n>',
  '',
  'one token, by its number in "hydrant token list"',
  readTokenId,
  'none',
)
const ALL = setting('all', 'off', 'every token', readSwitch)

/** `hydrant token …`: which tokens are live, by number, and how to end them. Never the token itself. */
export function addToken(program: Command): void {
  const token = program
    .command('token')
    .description('live tokens: list, revoke')
    .addHelpText('after', example('hydrant token list', 'hydrant token revoke --user 1'))

  addDataSettings(token.command('list').description('list the live tokens by number'))
    .addHelpText('after', example('hydrant token list'))
    .action(async (_: unknown, command: Command) => {
      const tokens = await withExisting(databaseOf(command), (store) => store.listTokens(Date.now()))
      const entries = tokens.map(({ id, userId, issuedAt, expiresAt }) => ({
        id,
        user: userId,
        issuedAt: time(issuedAt),
        expiresAt: time(expiresAt),
      }))
      const rows = entries.map(({ id, user, issuedAt, expiresAt }) => [
        `${id}`,
        `${user}`,
        issuedAt,
        expiresAt,
      ])
      say(
        wantsJson(command),
        entries,
        rows.length === 0 ? 'There are no live tokens.' : table(['token', 'user', 'issued', 'ends'], rows),
      )
    })

  const revoke = token.command('revoke').description('end tokens at once: one, those of a user, or all')
  for (const added of [USER, TOKEN_ID, ALL]) addSetting(revoke, added)
  addDataSettings(revoke)
    .addHelpText('after', example('hydrant token revoke --user 1', 'hydrant token revoke --token-id 12'))
    .action(async (_: unknown, command: Command) => {
      const [choice, json] = [readChoice(command), wantsJson(command)]
      const ended = await withExisting(databaseOf(command), async (store) => {
        const number = await store.revokeTokens(choice, Date.now())
        if (number > 0 || choice === 'all') return number
        if ('userId' in choice) await requireUser(store, choice.userId)
        else throw noToken(choice.tokenId)
        return number
      })
      say(json, { revoked: ended }, `${count(ended, 'token')} ended.`)
    })
}

/** A flag wins: where one is typed, the environment does not add a second choice. */
function readChoice(command: Command): TokenChoice {
  const isTyped = (choice: Setting<unknown>) => typed(command, choice) !== undefined
  const anyTyped = [USER, TOKEN_ID, ALL].some(isTyped)
  const read = <T>(choice: Setting<T>): T | undefined =>
    anyTyped && !isTyped(choice) ? undefined : settingOf(command, choice)
  const [userId, tokenId, all] = [read(USER), read(TOKEN_ID), read(ALL) ?? false]
  if ([userId !== undefined, tokenId !== undefined, all].filter(Boolean).length !== 1)
    throw new UsageError('Say which tokens: --user <id>, --token-id <n> or --all, one of them.')
  if (userId !== undefined) return { userId }
  return tokenId === undefined ? 'all' : { tokenId }
}

function readTokenId(text: string): number {
  // Not repeated: it may be a token where its number should be.
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`that is not the number of a token; see which there are with: ${COMMAND} token list`)
}

const noToken = (tokenId: number) =>
  new Error(`There is no live token ${tokenId}; see which there are with: ${COMMAND} token list`)
