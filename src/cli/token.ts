import { COMMAND_SETTINGS, type Setting, UsageError } from '../config/index.ts'
import type { TokenChoice } from '../store/index.ts'
import { programName, requireUser, withExisting } from './database.ts'
import { databaseOf, type Invocation } from './invocation.ts'
import { count, table, time } from './output.ts'

/** `hydrant token list`: by number, never the token itself. */
export async function listTokens(call: Invocation): Promise<void> {
  const tokens = await withExisting(databaseOf(call), (store) => store.listTokens(Date.now()))
  const entries = tokens.map(({ id, userId, issuedAt, expiresAt }) => ({
    id,
    user: userId,
    issuedAt: time(issuedAt),
    expiresAt: time(expiresAt),
  }))
  call.say(
    entries,
    entries.length === 0
      ? 'There are no live tokens.'
      : table(
          ['token', 'user', 'issued', 'ends'],
          entries.map((entry) => Object.values(entry).map(String)),
        ),
  )
}

/** `hydrant token revoke` */
export async function revokeTokens(call: Invocation): Promise<void> {
  const choice = readChoice(call)
  const ended = await withExisting(databaseOf(call), async (store) => {
    const number = await store.revokeTokens(choice, Date.now())
    if (number > 0 || choice === 'all') return number
    if ('tokenId' in choice) {
      throw new Error(
        `There is no live token ${choice.tokenId}; see which there are with: ${programName()} token list`,
      )
    }
    await requireUser(store, choice.userId)
    return number
  })
  call.say({ revoked: ended }, `${count(ended, 'token')} ended.`)
}

/** A flag wins: where one is typed, the environment does not add a second choice. */
function readChoice({ typed, setting }: Invocation): TokenChoice {
  const { tokensOf, tokenId: byNumber, allTokens } = COMMAND_SETTINGS
  const isTyped = (choice: Setting<unknown>) => typed(choice) !== undefined
  const anyTyped = [tokensOf, byNumber, allTokens].some(isTyped)
  const read = <T>(choice: Setting<T>) => (anyTyped && !isTyped(choice) ? undefined : setting(choice))
  const [userId, tokenId, all] = [read(tokensOf), read(byNumber), read(allTokens) ?? false]
  if ([userId !== undefined, tokenId !== undefined, all].filter(Boolean).length !== 1)
    throw new UsageError('Say which tokens: --user <id>, --token-id <n> or --all, one of them.')
  if (userId !== undefined) return { userId }
  return tokenId === undefined ? 'all' : { tokenId }
}
