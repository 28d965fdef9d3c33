import type { Command } from 'commander'
import { readDatabase } from '../config/database.ts'
import { setting } from '../config/settings.ts'
import { UsageError } from '../config/values.ts'
import { isPostgres, shownDatabase } from '../store/store.ts'
import { amount } from './bulk-summary.ts'
import { example, say, table } from './output.ts'
import { openProgress } from './progress.ts'
import { addJson, addSetting, settingOf, wantsJson } from './settings.ts'

const FROM = setting('from <db>', '', 'the embedded database, sqlite:<path>', readDatabase, 'none')
const TO = setting(
  'to <db>',
  '',
  'the empty database, postgres://user@host/database; one with a password better in the variable',
  readDatabase,
  'none',
)

const ABOUT = `
Users, tokens, the nonce secret and all members go along, in one transaction; the original stays as it is. While it is
being copied, a server on it reads on, and its writes wait or get 503; stop it first, since what it
takes afterwards is not in the copy. What both hold is compared at the end.`

/** `hydrant copy --from <db> --to <db>` */
export function addCopy(program: Command): void {
  const copy = program
    .command('copy')
    .description('move an embedded database, users included, to an empty PostgreSQL')
  addJson(addSetting(addSetting(copy, FROM), TO))
    .addHelpText('after', ABOUT)
    .addHelpText(
      'after',
      example(
        'hydrant copy --from sqlite:hydrant.db --to postgres://hydrant@db.example.org/hydrant',
        'HYDRANT_TO="$HYDRANT_DB" hydrant copy --from sqlite:hydrant.db',
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const [from, to] = readDirection(settingOf(command, FROM), settingOf(command, TO))
      const { copyStore } = await import('../store/open.ts')
      const progress = await openProgress(0)
      try {
        const tables = await copyStore(from, to, (done, total) =>
          progress.update(done, `${amount(done)} of ${amount(total)} rows written and compared`, total),
        )
        progress.stop()
        say(wantsJson(command), { from, to: shownDatabase(to), tables }, describe(from, to, tables))
      } finally {
        progress.stop()
      }
    })
}

function readDirection(from: string | undefined, to: string | undefined): [from: string, to: string] {
  if (from === undefined || to === undefined) {
    throw new UsageError('Say what is copied where: --from sqlite:<path> --to postgres://user@host/database.')
  }
  if (!from.startsWith('sqlite:') || from === 'sqlite::memory:' || !isPostgres(to)) {
    throw new UsageError(
      'copy goes from an embedded database to PostgreSQL, and no other way: ' +
        '--from sqlite:<path> --to postgres://user@host/database.',
    )
  }
  return [from, to]
}

type Tables = Awaited<ReturnType<typeof import('../store/open.ts')['copyStore']>>

const describe = (from: string, to: string, tables: Tables): string =>
  [
    `${shownDatabase(to)} has all of ${from}; what was written and what was read back are the same:`,
    table(
      ['table', 'rows', 'SHA-256'],
      tables.map(({ table: name, rows, sha256 }) => [name, amount(rows), sha256]),
    ),
    'What members are found by is made when the first server starts on it, which then goes through them once.',
    `What is written to ${from} from now on is not in the copy: stop whoever serves it.`,
  ].join('\n')
