import type { Config } from '../config.ts'
import { commandOn } from './database.ts'
import type { FirstUser } from './first-user.ts'
import { duration } from './output.ts'

/** What to do next, to be copied line by line. */
export function firstSteps(
  url: string,
  { mode, tokenTtlMs, db }: Pick<Config, 'mode' | 'tokenTtlMs' | 'db'>,
  firstUser: FirstUser | undefined,
): string {
  if (mode === 'open') return `Authentication is off: everybody may read and write.\n\n  curl ${url}\n`
  const user = `${firstUser?.id ?? '<id>'}:${firstUser?.paraphrase ?? '<paraphrase>'}`
  return [
    ...introduction(firstUser, db),
    ...(mode === 'token' ? withToken(url, user, duration(tokenTtlMs)) : withoutToken(url, user)),
    '',
  ].join('\n')
}

function introduction(firstUser: FirstUser | undefined, db: string): string[] {
  if (firstUser === undefined) {
    // No other command reaches a database in memory.
    if (db === 'sqlite::memory:') return []
    return [
      `Sign in as one of the users (${commandOn(db, 'user list')}). Where there is none yet, add one:`,
      `  ${commandOn(db, 'user add 1')}`,
      '',
    ]
  }
  return [
    `User ${firstUser.id} was added. The paraphrase is shown this once, so write it down:`,
    '',
    `  ${firstUser.paraphrase}`,
    '',
  ]
}

function withToken(url: string, user: string, lifetime: string): string[] {
  return [
    'Step A: any request without credentials is answered with a nonce.',
    `  NONCE=$(curl -s -o /dev/null -w '%header{x-authentication}' ${url})`,
    `Step B: the nonce and the credentials are exchanged for a token, which lives ${lifetime}.`,
    `  TOKEN=$(curl -s -o /dev/null -w '%header{x-authorization}' -u '${user}' -H "X-Authentication: $NONCE" ${url})`,
    'Step C: the token opens everything.',
    `  curl -H "X-Authorization: $TOKEN" ${url}`,
  ]
}

function withoutToken(url: string, user: string): string[] {
  return [
    'Every request needs a fresh nonce and the credentials; each response brings the next nonce.',
    `  NONCE=$(curl -s -o /dev/null -w '%header{x-authentication}' ${url})`,
    `  curl -i -u '${user}' -H "X-Authentication: $NONCE" ${url}`,
  ]
}
