import type { Command } from 'commander'
import { addBulkSettings, bulkConfigOf } from './bulk-settings.ts'
import { example } from './output.ts'

const ABOUT = `
The data is NDJSON (a member on each line) or JSON-LD; "-" is standard input. "@type" names the class of a member, "@id"
its address: /books/1, or in full below the base URL. A member without "@id" gets an id that is derived from the name of
the file, the number of its line (in JSON-LD, its place in the graph) and its text, so that the same file can be imported
again, whatever interrupted it: what is there already is not added twice. Read-only values are taken as they are.`

/** `hydrant import <api-file> <data>` */
export function addImport(program: Command): void {
  addBulkSettings(
    program
      .command('import <api-file> <data>')
      .description('add the members in a file of NDJSON or JSON-LD to the database'),
  )
    .addHelpText('after', ABOUT)
    .addHelpText(
      'after',
      example(
        'hydrant import api.yaml books.ndjson',
        'gunzip -c books.ndjson.gz | hydrant import api.yaml -',
      ),
    )
    .action(async (file: string, data: string, _: unknown, command: Command) => {
      const config = bulkConfigOf(command, data)
      const { importData } = await import('./importing.ts')
      await importData(file, data, config)
    })
}
