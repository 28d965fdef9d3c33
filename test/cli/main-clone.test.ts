import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused } from './command.ts'

const COMMAND = join(ROOT, 'bin', 'hydrant')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The command alone, in a folder beside which there is nothing else. */
function strayCopy(t: TestContext): { readonly folder: string; readonly command: string } {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin', 'hydrant')
  copyFileSync(COMMAND, command)
  return { folder, command }
}

describe('the command of a clone', () => {
  test('is found through links, wherever these are and whoever links to them', async (t) => {
    const folder = temporaryFolder(t)
    mkdirSync(join(folder, 'my tools'))
    symlinkSync(COMMAND, join(folder, 'my tools', 'hydrant'))
    symlinkSync(join('my tools', 'hydrant'), join(folder, 'relative'))
    symlinkSync(join(ROOT, 'bin'), join(folder, 'folder'))
    for (const command of [
      COMMAND,
      join(folder, 'my tools', 'hydrant'),
      join(folder, 'relative'),
      join(folder, 'folder', 'hydrant'),
      './relative',
    ]) {
      const { status, stdout, stderr } = await run(command, ['--version'], { cwd: folder })
      assert.deepEqual([status, stdout], [0, `${version}\n`], stderr)
    }
  })

  test('never fails without a word: neither outside of a clone, nor where it cannot be built', async (t) => {
    const { folder, command } = strayCopy(t)
    assertRefused(await run(command, ['--version']), 1, `no clone of Hydrant in ${folder}`)
    writeFileSync(join(folder, 'package.json'), '{ "scripts": { "setup": "exit 3" } }')
    assertRefused(await run(command, ['--version']), 1, 'could not be built', `cd ${folder}`)
  })
})
