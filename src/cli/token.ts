import type { Command } from 'commander'
import { UsageError } from '../config.ts'
import type { TokenChoice } from '../store/store.ts'
import { withExisting } from './database.ts'
import { count, table, time } from './output.ts'
import { addSettings, configOf } from './settings.ts'
import { example, readId, say } from './user.ts'

interface Revoked {
  readonly user?: string
  readonly tokenId?: string
  readonly all?: boolean
  readonly json?: boolean
}

/** `hydrant token …`: which tokens are live, by number, and how to end them. Never the token itself. */
export function addToken(program: Command): void {
  const token = program.command('token').description('live tokens: list, revoke')

  addSettings(token.command('list').description('list the live tokens by number'), ['db'])
    .option('--json', 'output for programs')
    .addHelpText('after', example('hydrant token list'))
    .action(async ({ json }: Revoked, command: Command) => {
      const tokens = await withExisting(configOf(command).db, (store) => store.listTokens(Date.now()))
      const entries = tokens.map(({ id, userId, issuedAt, expiresAt }) => ({
        id,
        user: userId,
        issuedAt: time(issuedAt),
        expiresAt: time(expiresAt),
      }))
      const rows = entries.map((entry) => [
        String(entry.id),
        String(entry.user),
        entry.issuedAt,
        entry.expiresAt,
      ])
      say(
        json,
        entries,
        rows.length === 0 ? 'There are no live tokens.' : table(['token', 'user', 'issued', 'ends'], rows),
      )
    })

  addSettings(token.command('revoke').description('end tokens at once'), ['db'])
    .option('--user <id>', 'all tokens of a user')
    .option('--token-id <n>', 'one token, by its number in "hydrant token list"')
    .option('--all', 'every token')
    .option('--json', 'output for programs')
    .addHelpText('after', example('hydrant token revoke --user 1'))
    .action(async (revoked: Revoked, command: Command) => {
      const choice = readChoice(revoked)
      const ended = await withExisting(configOf(command).db, async (store) => {
        const number = await store.revokeTokens(choice, Date.now())
        if (number === 0 && choice !== 'all' && 'tokenId' in choice) {
          throw new Error(
            `There is no live token ${choice.tokenId}; "hydrant token list" shows which there are.`,
          )
        }
        if (
          number === 0 &&
          choice !== 'all' &&
          'userId' in choice &&
          (await store.findUser(choice.userId)) === undefined
        ) {
          throw new Error(`There is no user ${choice.userId}; "hydrant user list" shows who there is.`)
        }
        return number
      })
      say(revoked.json, { revoked: ended }, `${count(ended, 'token')} ended.`)
    })
}

function readChoice({ user, tokenId, all }: Revoked): TokenChoice {
  const given = [user, tokenId, all].filter((choice) => choice !== undefined)
  if (given.length !== 1)
    throw new UsageError('Say which tokens: --user <id>, --token-id <n> or --all, one of them.')
  if (user !== undefined) return { userId: readId(user) }
  if (tokenId === undefined) return 'all'
  if (!/^[1-9]\d{0,15}$/.test(tokenId))
    throw new UsageError(`"${tokenId.slice(0, 40)}" is not the number of a token.`)
  return { tokenId: Number(tokenId) }
}
