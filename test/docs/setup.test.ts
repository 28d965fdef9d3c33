import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'

const IMPORTED = /\b(?:from|import) ['"]((?:@[a-z][\w.-]*\/)?[a-z][\w.-]*)[^'":]*['"]/g
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

test('npm start installs all that the server and its build import: it is in package.json, not in a workspace', () => {
  const files = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}', 'tools/{build,bundle}*.ts'], { cwd: ROOT })
  const imported = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTED)].map(([, name = '']) => name),
  )
  const missing = new Set(imported.filter((name) => !(name in { ...dependencies, ...devDependencies })))
  // The types that `hydrant types` writes import it.
  assert.deepEqual([...missing], ['hydrant'])
  assert.ok(imported.includes('esbuild') && imported.includes('preact'))
})

test('only the tools that build are beside the dependencies in package.json', () => {
  const tools = ['esbuild', 'preact', 'typescript']
  const others = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'))
  assert.deepEqual(others, tools)
})

/** Megabytes as `du` counts them. */
function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder }).map((path) => lstatSync(join(folder, path)))
  return files.reduce((sum, { blocks }) => sum + blocks / 2048, 0)
}

soakTest('npm start in a fresh clone installs at most 200 MB, and builds the server', async (t) => {
  const [clone, home] = [join(temporaryFolder(t), 'hydrant'), temporaryFolder(t)]
  assert.equal((await run('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone])).status, 0)
  // Without the Node.js of this clone, which a fresh one does not have.
  const PATH = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'))
  const env = { HOME: home, PATH: PATH.join(':') }
  await promisify(execFile)('npm', ['run', '--silent', 'prestart'], { cwd: clone, env })
  assert.ok(existsSync(join(clone, 'dist/cli/main.js')))
  assert.ok(sizeOf(join(clone, 'node_modules')) < 200)
})
