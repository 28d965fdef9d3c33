import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../cli/command.ts'
import { codeBlock, codeBlocks } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/history.md'

test('every example of docs/history.md does what the page says', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'shop.yaml'), codeBlock(PAGE, 'yaml', 'Shop'))
  const port = await freePort()
  const base = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
  const args = [HYDRANT, 'serve', 'shop.yaml', '--no-auth', '--db', 'sqlite:shop.db', ...base]
  await start(t, [...args, '--log-format', 'pretty'], /\n {2}curl .*\n/, { cwd: folder })

  const env = redirectCurl(folder, 8080, port)
  // Each on a line of its own.
  const script = codeBlocks(PAGE, 'sh').join('\necho\n')
  const { status, stdout, stderr } = await run('bash', ['-ec', script], { env })
  assert.equal(status, 0, stderr)
  const [history = '', then = '', gone, deleted = '', restored] = stdout.split('\n').filter(Boolean)
  const comparable = (text: string) =>
    JSON.parse(
      text.replaceAll(/products\/[0-9a-f-]{36}/g, 'products/…').replaceAll(/\d{4}-\d\d-[\d:.TZ-]+/g, 'time'),
    )
  const { '@id': id, '@type': type, member } = comparable(history)
  assert.deepEqual({ '@id': id, '@type': type, member }, comparable(codeBlock(PAGE, 'json', 'histories')))
  assert.equal(JSON.parse(then).price, '3.90')
  assert.equal(gone, '410')
  const [found] = JSON.parse(deleted).member
  assert.deepEqual([found.name, found.price, found.deletion['@type']], ['Tea', '3.90', 'Delete'])
  assert.equal(restored, '201')
})
