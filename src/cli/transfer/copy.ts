import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { COMMAND_SETTINGS } from '../../config/index.ts'
import { isPostgres, schemaOf, shownDatabase, sqlitePath } from '../../database/index.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { fileProblem, fileReason } from '../../service/problems/files.ts'
import { backUp, copyStore, restoreBackup } from '../../store/open.ts'
import { amount } from '../../text.ts'
import { commandOn } from '../database.ts'
import { table } from '../formats.ts'
import type { Invocation } from '../invocation.ts'
import { openProgress } from '../output.ts'
import { commandProblem } from '../problems.ts'

/** `hydrant copy --from <db> --to <db>` */
export async function copyDatabase(call: Invocation): Promise<void> {
  const [from, to] = readDirection(call)
  const progress = await openProgress(call.io, 0)
  const tables = await copyStore(from, to, (done, total) =>
    progress.update(done, `${amount(done)} of ${amount(total)} rows written and compared`, total),
  ).finally(progress.stop)
  call.say({ from, to: shownDatabase(to), tables }, describe(from, to, tables))
}

function readDirection({ setting }: Invocation): [from: string, to: string] {
  const [from, to] = [setting(COMMAND_SETTINGS.from), setting(COMMAND_SETTINGS.to)]
  if (from === undefined || to === undefined) throw commandProblem('NoDirection')
  if (!from.startsWith('sqlite:') || from === 'sqlite::memory:' || !isPostgres(to))
    throw commandProblem('WrongDirection')
  return [from, to]
}

const describe = (from: string, to: string, tables: Awaited<ReturnType<typeof copyStore>>): string =>
  [
    `${shownDatabase(to)} has all of ${from}; what was written and what was read back are the same:`,
    table(
      ['table', 'rows', 'SHA-256'],
      tables.map(({ table: name, rows, sha256 }) => [name, amount(rows), sha256]),
    ),
    'What members are found by is made when the first server starts on it, which then goes through them once.',
    `What is written to ${from} from now on is not in the copy: stop the servers on it.`,
  ].join('\n')

/** `hydrant backup <file>` */
export async function backUpDatabase(call: Invocation, file: string): Promise<void> {
  const db = call.database()
  // PostgreSQL has its own program for this, which also makes a consistent copy.
  if (isPostgres(db))
    throw commandProblem('BackupOfPostgres', { database: shownDatabase(db), schema: schemaOf(db) })
  // Errors of SQLite are about the database, errors of the system about the backup file.
  await explainOpenFailure(db, async () => {
    try {
      await backUp(db, file)
    } catch (error) {
      const reason = fileReason(error)
      throw reason === undefined
        ? error
        : fileProblem('FileNotWritten', { path: file, reason, other: 'file' })
    }
  })
  const bytes = statSync(file).size
  call.say({ file, bytes }, `${file} has all of ${db} (${amount(bytes)} bytes).`)
}

/** `hydrant restore <backup>` */
export async function restoreDatabase(call: Invocation, backup: string): Promise<void> {
  const db = call.database()
  if (isPostgres(db)) throw commandProblem('RestoreOfPostgres')
  const path = behindLinks(sqlitePath(db))
  const isThere = existsSync(path)
  const aside = call.setting(COMMAND_SETTINGS.force) ? nameAside(path) : undefined
  await restoreBackup(backup, `sqlite:${path}`, aside)
  const kept = isThere ? { aside } : {}
  call.say(
    { restored: path, ...kept },
    [
      `${path} has all of ${backup}.${isThere ? ` What was there is in ${aside}.` : ''}`,
      'Users, passphrases and tokens are as they were then. End the tokens before you serve it:',
      `  ${commandOn(db, 'token revoke --all')}`,
    ].join('\n'),
  )
}

/** Follows symbolic links: the link stays, and its target, which may be on another disk, is replaced or created. */
function behindLinks(path: string, most = 40): string {
  if (most === 0 || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  if (existsSync(path)) return realpathSync(path)
  return behindLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)), most - 1)
}

/** An unused name: another restore in the same second must not replace the file that the first one has put aside. */
function nameAside(path: string): string {
  const name = `${path}.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  let free = name
  for (let number = 2; existsSync(free); number++) free = `${name}-${number}`
  return free
}
