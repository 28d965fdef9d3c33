import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { ROOT } from '../support/markdown.ts'

/** Each command as one types it, with its arguments; a group by what is in it, and itself only if it does something. */
const typed = (commands: readonly (typeof COMMANDS)[number][], before: string): string[] =>
  commands.flatMap((command) =>
    'commands' in command
      ? [
          ...('load' in command ? [`${before} ${command.usage}`] : []),
          ...typed(command.commands, `${before} ${command.usage}`),
        ]
      : [`${before} ${command.usage}`],
  )

test('docs/command-line.md has a row for every command, with its arguments, and for no other', () => {
  const page = readFileSync(join(ROOT, 'docs/command-line.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(hydrant [^`]+)` \|/gm)].map(([, text = '']) =>
    text.replaceAll('\\|', '|'),
  )
  assert.deepEqual(rows.toSorted(), typed(COMMANDS, 'hydrant').toSorted())
})
