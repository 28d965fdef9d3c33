import { statSync } from 'node:fs'
import { UsageError } from '../config/index.ts'
import { backUp, isPostgres, postgresAddress, shownDatabase } from '../store/index.ts'
import { databaseOf, type Invocation } from './invocation.ts'
import { amount } from './output.ts'

/** `hydrant backup <file>` */
export async function backUpDatabase(call: Invocation, file: string): Promise<void> {
  const db = databaseOf(call)
  if (isPostgres(db)) throw notEmbedded(db)
  await backUp(db, file)
  const bytes = statSync(file).size
  call.say({ file, bytes }, `${file} has all of ${db} (${amount(bytes)} bytes).`)
}

/** PostgreSQL has a program of its own, which reads one state as well. */
function notEmbedded(db: string): UsageError {
  const schema = postgresAddress(db)?.parameters.get('search_path') ?? 'hydrant'
  return new UsageError(
    `backup copies the embedded database, sqlite:<path>; for ${shownDatabase(db)} use PostgreSQL's own program: ` +
      `pg_dump --schema=${schema} --format=custom --file=<file> --dbname=postgres://…`,
  )
}
