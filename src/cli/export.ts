import type { Command } from 'commander'
import { addBulkSettings, bulkConfigOf, STANDARD_STREAM } from './bulk-settings.ts'
import { example } from './output.ts'

const ABOUT = `
Without a file, or with "-", the members go to standard output. A file appears when it is complete. Addresses are those
below the base URL. What the API file does not show, such as the values of a property that it has no more, is not
exported.`

/** `hydrant export <api-file> [data]` */
export function addExport(program: Command): void {
  addBulkSettings(
    program
      .command('export <api-file> [data]')
      .description('write all members in the database as NDJSON or JSON-LD'),
  )
    .addHelpText('after', ABOUT)
    .addHelpText(
      'after',
      example('hydrant export api.yaml library.ndjson', 'hydrant export api.yaml | gzip > library.ndjson.gz'),
    )
    .action(async (file: string, named: string | undefined, _: unknown, command: Command) => {
      const data = named ?? STANDARD_STREAM
      const config = bulkConfigOf(command, data)
      const { exportData } = await import('./exporting.ts')
      await exportData(file, data, config)
    })
}
