import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { UsageError } from '../config/values.ts'
import { isPostgres, postgresAddress, shownDatabase } from '../store/store.ts'
import { example, say } from './output.ts'
import { addDataSettings, databaseOf, wantsJson } from './settings.ts'

/** `hydrant backup <file>` */
export function addBackup(program: Command): void {
  addDataSettings(
    program
      .command('backup <file>')
      .description('copy the embedded database, users included, in one state, while it is being served'),
  )
    .addHelpText('after', example('hydrant backup monday.db', 'hydrant serve api.yaml --db sqlite:monday.db'))
    .action(async (file: string, _: unknown, command: Command) => {
      const [db, json] = [databaseOf(command), wantsJson(command)]
      if (isPostgres(db)) throw notEmbedded(db)
      const { backUp } = await import('../store/open.ts')
      backUp(db, file)
      const bytes = statSync(file).size
      say(json, { file, bytes }, `${file} has all of ${db} (${bytes.toLocaleString('en')} bytes).`)
    })
}

/** PostgreSQL has a program of its own, which reads one state as well. */
function notEmbedded(db: string): UsageError {
  const schema = postgresAddress(db)?.parameters.get('search_path') ?? 'hydrant'
  return new UsageError(
    `backup copies the embedded database, sqlite:<path>; for ${shownDatabase(db)} use PostgreSQL's own program: ` +
      `pg_dump --schema=${schema} --format=custom --file=<file> --dbname=postgres://…`,
  )
}
