import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ROOT } from '../support/markdown.ts'
import { ENVIRONMENT } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused, hydrant } from './command.ts'

const PATIENCE_MS = 30_000

async function isServed(url: string): Promise<boolean> {
  try {
    await fetch(url)
    return true
  } catch {
    // What a refused connection ends with.
    return false
  }
}

test('whoever ends npm start has ended the server: no orphan keeps the port', async (t) => {
  // Without the scripts before it, which build: other tests are using what is built.
  const flags = ['--port', '0', '--db', `sqlite:${join(temporaryFolder(t), 'start.db')}`]
  const npm = spawn('npm', ['run', 'start', '--ignore-scripts', '--', ...flags], {
    cwd: ROOT,
    env: ENVIRONMENT,
  })
  t.after(() => npm.kill('SIGKILL'))
  npm.stderr.resume()
  let output = ''
  npm.stdout.setEncoding('utf8')
  const signal = AbortSignal.timeout(PATIENCE_MS)
  while (!/listening on \S+\n/.test(output)) output += (await once(npm.stdout, 'data', { signal }))[0]
  const url = /listening on (\S+)\n/.exec(output)?.[1] ?? ''
  assert.ok(await isServed(url))
  npm.kill('SIGTERM')
  while (await isServed(url)) await setTimeout(10, undefined, { signal })
})

test('npm start --port 9000, which npm does not pass on, says how it is written', async () => {
  const env = { npm_lifecycle_event: 'start' }
  assertRefused(await hydrant(['serve', '9000'], { env }), 2, '"9000" ', 'npm start -- --port')
})
