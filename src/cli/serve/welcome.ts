import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { LogFormat } from '../../service/index.ts'
import { pathTo } from '../../vocabulary/index.ts'
import { commandOn } from '../database.ts'
import { duration } from '../output.ts'
import type { FirstUser } from './users.ts'

export interface Welcome {
  readonly base: string
  /** Where it listens, which behind a proxy is not the base. */
  readonly address: string
  /** Where the console is, if there is one. */
  readonly page: string | undefined
  /** One of the API, for the lines to copy. */
  readonly collection: string
  readonly firstUser: FirstUser | undefined
}

export type WelcomeConfig = Pick<Config, 'mode' | 'tokenTtlMs' | 'db'> & { readonly logFormat: LogFormat }

/** Says where the API is, and what to do next. */
export function announce(welcome: Welcome, config: WelcomeConfig, log: Logger): void {
  const { base, address, page, firstUser } = welcome
  if (config.logFormat === 'json') {
    // At every level: programs that start a server wait for this line.
    log.child({}, { level: 'info' }).info({ url: base, address }, 'listening')
    if (page !== undefined) log.info({ url: page }, 'console')
  } else {
    process.stdout.write(`listening on ${base}\nbound to ${address}\n`)
    if (page !== undefined) process.stdout.write(`console on ${page}\n`)
  }
  // The paraphrase is for the person at the terminal, not for the log.
  const stream = config.logFormat === 'json' ? process.stderr : process.stdout
  if (config.logFormat === 'pretty' || firstUser !== undefined)
    stream.write(`\n${firstSteps(welcome, config).join('\n')}\n\n`)
}

/** What to do next: open the console, or copy line by line. */
function firstSteps(
  { base, page, collection, firstUser }: Welcome,
  { mode, tokenTtlMs, db }: WelcomeConfig,
): string[] {
  const url = base + pathTo(collection)
  if (mode === 'open') {
    const console = page === undefined ? [] : [`Open ${page} in a browser, or:`, '']
    return ['Authentication is off: everybody may read and write.', '', ...console, `  curl ${url}`]
  }
  const user = `${firstUser?.id ?? '<id>'}:${firstUser?.paraphrase ?? '<paraphrase>'}`
  const takeNonce = `  NONCE=$(curl -s -o /dev/null -w '%header{x-authentication}' ${url})`
  const byHand =
    mode === 'nonce'
      ? [
          'Every request needs a fresh nonce and the credentials; each response brings the next nonce.',
          takeNonce,
          `  curl -i -u '${user}' -H "X-Authentication: $NONCE" ${url}`,
        ]
      : [
          'Step A: any request without credentials is answered with a nonce.',
          takeNonce,
          `Step B: the nonce and the credentials are exchanged for a token, which lives ${duration(tokenTtlMs)}.`,
          `  TOKEN=$(curl -s -o /dev/null -w '%header{x-authorization}' -u '${user}' -H "X-Authentication: $NONCE" ${url})`,
          'Step C: the token opens everything.',
          `  curl -H "X-Authorization: $TOKEN" ${url}`,
        ]
  return [...introduction(firstUser, db, page), ...byHand]
}

function introduction(firstUser: FirstUser | undefined, db: string, page: string | undefined): string[] {
  // No other command reaches a database in memory.
  if (firstUser === undefined && db === 'sqlite::memory:') return []
  const byHand = page === undefined ? [] : ['Or by hand, in another terminal:']
  if (firstUser !== undefined) {
    return [
      `User ${firstUser.id} was added. The paraphrase is shown this once, so write it down:`,
      '',
      `  ${firstUser.paraphrase}`,
      '',
      ...(page === undefined ? [] : [`Open ${page} in a browser and sign in as user ${firstUser.id}.`, '']),
      ...byHand,
    ]
  }
  return [
    page === undefined
      ? `The lines below need the id and the paraphrase of one of the users (${commandOn(db, 'user list')}).`
      : `Open ${page} in a browser and sign in as one of the users (${commandOn(db, 'user list')}).`,
    'Where there is none yet, add one:',
    `  ${commandOn(db, 'user add 1')}`,
    '',
    ...byHand,
  ]
}
