import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ClientErrorCode, ErrorKind } from 'hydrant-client'
import { hydrant } from '../cli/command.ts'
import { codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { OTHER_RUNTIMES } from '../support/runtimes.ts'
import { temporaryFolder } from '../support/service.ts'
import { unpack } from './packed.ts'

const README = 'packages/client/README.md'
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
  test(`The examples of the client work as printed under ${name}, from its package alone, and print what the pages say`, async (t) => {
    const folder = temporaryFolder(t)
    const serve = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
    const { output } = await start(t, serve, /\n {2}curl .*\n/, { cwd: folder })
    const base = /listening on (\S+)/.exec(output())?.[1] ?? ''
    const PASSPHRASE = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''

    await unpack(folder, 'hydrant-client')
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    const file = join(folder, 'examples.js')
    const env = { PASSPHRASE, NO_COLOR: '1' }
    for (const page of [README, PAGE]) {
      const code = codeBlocks(page, 'js').join('\n').replaceAll(BASE, base)
      writeFileSync(file, LIKE_NODE + code)
      const { status, stdout, stderr } = await run(command ?? '', [...args, file], { cwd: folder, env })
      assert.deepEqual([status, stderr], [0, ''], page)
      assert.equal(stdout.replaceAll(base, BASE), codeBlocks(page, 'text').join(''), page)
    }
  })
}

const SHOP = `title: Shop
history: true
classes: { Product: { properties: { name: string, price: decimal } } }
`

test('The example with a history works as printed', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), SHOP)
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'what one types\n' })
  const { status, stdout, stderr } = await runExample(t, folder, 'History', 'what one types')
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(stdout, codeBlocks(PAGE, 'txt', 'History').join(''))
})

const STUDIO = `roles: [admin, staff]
accounts: { manage: admin, rename: everyone }
classes: { Task: { properties: { title: string } } }
`

test('The example with accounts works as printed', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), STUDIO)
  const add = ['user', 'add', '1', '--name', 'anna@studio.example', '--role', 'admin']
  await hydrant(add, { cwd: folder, input: 'what Anna typed\n' })
  const { status, stdout, stderr } = await runExample(t, folder, 'Accounts', 'what Anna typed')
  assert.equal(status, 0, stderr)
  const [own, made = '', found] = stdout.trim().split('\n')
  assert.equal(own, "1 anna@studio.example [ 'admin' ] 1")
  assert.equal(made.split(' ').length, 5)
  assert.equal(found, 'Bob')
})

/** Serves the API file in the folder, and runs the example of a section against it. */
async function runExample(t: TestContext, folder: string, section: string, paraphrase: string) {
  const serve = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
  const { output } = await start(t, serve, /listening on \S+\n/, { cwd: folder })
  const base = /listening on (\S+)/.exec(output())?.[1]
  await unpack(folder, 'hydrant-client')
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const given = `const base = '${base}'\nconst paraphrase = '${paraphrase}'\n`
  const program = join(folder, 'program.ts')
  writeFileSync(program, given + codeBlocks(PAGE, 'ts', section).join('\n'))
  return run(process.execPath, [program], { cwd: folder })
}

test('Every kind and every code of an error of the client has its row in docs/client.md', () => {
  const kinds: Readonly<Record<ErrorKind, true>> = {
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
  const codes: Readonly<Record<ClientErrorCode, ErrorKind>> = {
    'no-response': 'unreachable',
    timeout: 'unreachable',
    'credentials-missing': 'credentials',
    'credentials-incomplete': 'credentials',
    'credentials-wrong': 'credentials',
    'outside-base': 'credentials',
    changed: 'conflict',
    'unknown-link': 'not-found',
    'unknown-operation': 'not-found',
    'partial-member': 'refused',
    'impossible-id': 'not-found',
    'unknown-parameter': 'malformed',
    'no-search-template': 'malformed',
    'no-address': 'malformed',
    'invalid-base': 'malformed',
    'not-json': 'malformed',
    'web-page': 'malformed',
    'not-a-stream': 'malformed',
  }
  const tableOf = (heading: string): readonly string[][] =>
    (TEXT.split(heading)[1]?.split('\n\n')[0] ?? '')
      .split('\n')
      .slice(2)
      .map((row) =>
        [...row.matchAll(/^\| `([a-z-]+)` \|(?: `([a-z-]+)` \|)?/g)].flatMap((match) => match.slice(1)),
      )
  assert.deepEqual(
    tableOf('| kind | means |').map(([kind]) => kind),
    Object.keys(kinds),
  )
  assert.deepEqual(tableOf('| code | kind | the client found that |'), Object.entries(codes))
})
