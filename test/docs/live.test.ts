import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import { codeBlocks } from '../support/markdown.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { linkInstalled } from './packed.ts'

const PAGE = 'docs/live.md'
const BASE = 'http://localhost:8080/api'

test('The examples of docs/live.md work as printed', async (t) => {
  const folder = temporaryFolder(t)
  const args = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
  const { output } = await start(t, args, /\n {2}curl .*\n/, { cwd: folder })
  const base = /listening on (\S+)/.exec(output())?.[1] ?? ''
  const PASSPHRASE = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''

  const [code = ''] = codeBlocks(PAGE, 'js')
  const file = join(folder, 'example.mjs')
  linkInstalled(folder, ['hydrant-client'])
  writeFileSync(file, code.replaceAll(BASE, base))
  const { status, stdout, stderr } = await run(process.execPath, [file], { env: { PASSPHRASE } })
  assert.deepEqual([status, stderr, stdout], [0, '', codeBlocks(PAGE, 'text').join('')])

  let TOKEN = ''
  const signedIn = createClient({
    base,
    credentials: { id: 1, paraphrase: PASSPHRASE },
    async fetch(input, init) {
      const response = await fetch(input, init)
      TOKEN = response.headers.get('x-authorization') ?? TOKEN
      return response
    },
  })
  await signedIn.signIn()
  const type = async (block: string, more = '') => {
    const command = block.trim().replace('localhost:8080', new URL(base).host)
    return (await run('bash', ['-c', `${command} -s ${more}`], { env: { TOKEN } })).stdout
  }
  const [stream = '', page = ''] = codeBlocks(PAGE, 'sh')
  // It has no end of its own.
  assert.match(await type(stream, '--max-time 3'), /^event: start\nid: \S+\ndata: \{\}\n\n/)
  const { member, view } = JSON.parse(await type(page))
  assert.deepEqual([member.length, member[0]['@type'], typeof view.next], [2, 'Create', 'string'])
})
