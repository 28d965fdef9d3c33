import type { Command } from 'commander'
import { defaultBase } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import { example } from './output.ts'
import { addSetting, settingOf } from './settings.ts'

/** `hydrant vocab <api-file>`: the documentation that would be served. */
export function addVocab(program: Command): void {
  const vocab = program
    .command('vocab <api-file>')
    .description('print the ApiDocumentation that would be served, as JSON-LD')
  for (const added of [SETTINGS.baseUrl, SETTINGS.auth, SETTINGS.token]) addSetting(vocab, added)
  vocab
    .addHelpText(
      'after',
      example(
        'hydrant vocab api.yaml',
        'hydrant vocab api.yaml --base-url https://example.org/api > vocab.jsonld',
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const base = settingOf(command, SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http')
      // Without authentication, and without tokens in it, there is no session to describe.
      const session = Boolean(settingOf(command, SETTINGS.auth) && settingOf(command, SETTINGS.token))
      const { readApiFile } = await import('../vocabulary/read.ts')
      const { createDocumentation } = await import('../vocabulary/documentation.ts')
      const documentation = createDocumentation(await readApiFile(file), base, { session })
      console.log(JSON.stringify(documentation, undefined, 2))
    })
}
