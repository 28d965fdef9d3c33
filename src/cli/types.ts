import type { Command } from 'commander'
import { setting } from '../config/settings.ts'
import { readText } from '../config/values.ts'
import { example } from './output.ts'
import { addSetting, settingOf } from './settings.ts'
import { readId } from './user.ts'

const OUT = setting('out <file>', '', 'file to write', readText, 'standard output')
const USER = setting(
  'user <id>',
  '',
  'who signs in, where the API at the url wants credentials',
  readId,
  'none',
)

const ABOUT = `
The paraphrase of the user is asked for, or read as one line from standard input. A file that is named with --out
changes only when all of the new types are there.`

/** `hydrant types <api-file or url>`: the type argument of hydrant/client. */
export function addTypes(program: Command): void {
  const types = program
    .command('types <api-file|url>')
    .description('write TypeScript types of an API, for hydrant/client')
  for (const added of [OUT, USER]) addSetting(types, added)
  types
    .addHelpText('after', ABOUT)
    .addHelpText(
      'after',
      example(
        'hydrant types api.yaml --out src/api.ts',
        'hydrant types https://example.org/api --user 1 > src/api.ts',
      ),
    )
    .action(async (source: string, _: unknown, command: Command) => {
      const [out, user] = [settingOf(command, OUT), settingOf(command, USER)]
      // All that reads API files takes its time to load: --help does without.
      const { printTypes } = await import('./typing.ts')
      await printTypes(source, user, out)
    })
}
