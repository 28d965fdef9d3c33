import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { ErrorCode } from '../../src/client/index.ts'
import { codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { OTHER_RUNTIMES } from '../support/runtimes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/client.md'
const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')
const BASE = 'http://localhost:8080/api'

/** What a page prints is Node.js' own form of objects; other runtimes have it under the same name. */
const LIKE_NODE = `import { format } from 'node:util'
console.log = (...values) => process.stdout.write(format(...values) + '\\n')
`

for (const [name, [command, ...args]] of Object.entries({
  'Node.js': [process.execPath],
  ...OTHER_RUNTIMES,
})) {
  test(`The examples of docs/client.md work as printed under ${name}, and print what the page says`, async (t) => {
    const folder = temporaryFolder(t)
    const serve = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
    const { output } = await start(t, serve, /\n {2}curl .*\n/, { cwd: folder })
    const base = /listening on (\S+)/.exec(output())?.[1] ?? ''
    const PARAPHRASE = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''

    const client = pathToFileURL(join(ROOT, 'dist/client/index.js')).href
    const code = codeBlocks(PAGE, 'js').join('\n').replaceAll('hydrant/client', client).replaceAll(BASE, base)
    const file = join(folder, 'examples.js')
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    writeFileSync(file, LIKE_NODE + code)
    const env = { PARAPHRASE, NO_COLOR: '1' }
    const { status, stdout, stderr } = await run(command ?? '', [...args, file], { cwd: folder, env })
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(stdout.replaceAll(base, BASE), codeBlocks(PAGE, 'text').join(''))
  })
}

test('Every code of an error has its row in docs/client.md', () => {
  const codes: Readonly<Record<ErrorCode, true>> = {
    unreachable: true,
    credentials: true,
    throttled: true,
    unavailable: true,
    invalid: true,
    conflict: true,
    'not-found': true,
    malformed: true,
    refused: true,
  }
  const rows = [...TEXT.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code)
  assert.deepEqual(rows, Object.keys(codes))
})

test('docs/client.md imports the client by the name under which it is published', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  assert.deepEqual(exports['./client'], {
    types: './dist/client/index.d.ts',
    default: './dist/client/index.js',
  })
  assert.ok(codeBlocks(PAGE, 'js')[0]?.startsWith("import { createClient } from 'hydrant/client'\n"))
})
