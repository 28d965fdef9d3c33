import { statSync } from 'node:fs'
import type { Command } from 'commander'
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
      const { backUp } = await import('../store/open.ts')
      backUp(db, file)
      const bytes = statSync(file).size
      say(json, { file, bytes }, `${file} has all of ${db} (${bytes.toLocaleString('en')} bytes).`)
    })
}
