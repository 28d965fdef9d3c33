import type { Command } from 'commander'
import { example } from './output.ts'
import { addServeSettings, configOf } from './settings.ts'

/** `hydrant serve [api-file]` */
export function addServe(program: Command): void {
  const serve = program
    .command('serve [api-file]')
    .description(
      'serve the API that a file describes; without one, api.yaml in this folder, else the bundled example',
    )
  addServeSettings(serve)
    .addHelpText(
      'after',
      example('hydrant serve', 'hydrant serve library.yaml --db sqlite:library.db --port 9000'),
    )
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const config = configOf(command)
      // All that a server needs takes its time to load: the other commands, and --help, do without.
      const { serveUntilStopped } = await import('./serving.ts')
      await serveUntilStopped(file, config)
    })
}
