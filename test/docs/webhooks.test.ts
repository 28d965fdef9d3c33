import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import { freePort } from '../cli/command.ts'
import { codeBlocks } from '../support/markdown.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { linkInstalled } from './packed.ts'

const PAGE = 'docs/webhooks.md'

test('the first webhook of docs/webhooks.md works as printed', async (t) => {
  const folder = temporaryFolder(t)
  const port = String(await freePort())
  const [makeSecret = '', startBoth = ''] = codeBlocks(PAGE, 'sh')
  assert.equal((await run('bash', ['-ec', makeSecret], { cwd: folder })).status, 0)
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'books.secret')).mode & 0o777, 0o600)
  const [list = ''] = codeBlocks(PAGE, 'yaml')
  const [receiver = ''] = codeBlocks(PAGE, 'js')
  linkInstalled(folder, ['standardwebhooks'])
  writeFileSync(join(folder, 'webhooks.yaml'), list.replace('3000', port))
  writeFileSync(join(folder, 'receiver.mjs'), `${receiver.replace('3000', port)}\nconsole.log('ready')\n`)
  const receiving = await start(t, ['receiver.mjs'], /ready/, { cwd: folder })

  const flags = / serve (.*)/.exec(startBoth)?.[1]?.split(' ') ?? []
  assert.deepEqual(flags, ['--webhooks', 'webhooks.yaml'])
  const args = [HYDRANT, 'serve', ...flags, '--log-format', 'pretty', '--port', '0']
  const { output } = await start(t, args, /\n {2}curl .*\n/, { cwd: folder })
  const base = /listening on (\S+)/.exec(output())?.[1] ?? ''
  const paraphrase = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''
  const client = createClient({ base, credentials: { id: 1, paraphrase } })
  const { iri } = await client.collection('authors').create({ name: 'Raymond Chandler' })
  const stdout = receiving.child.stdout ?? assert.fail()
  while (!receiving.stdout().includes(iri)) await once(stdout, 'data')
  assert.match(receiving.stdout(), new RegExp(`^Create ${iri}$`, 'm'))
  assert.doesNotMatch(output(), /other users of this machine/)
  // Anybody may send to an open port.
  const forged = await fetch(`http://localhost:${port}/changes`, { method: 'POST', body: '{}' })
  assert.equal(forged.status, 400)
})
