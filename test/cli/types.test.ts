import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PARAPHRASE, USER } from '../support/client.ts'
import { API, serve, temporaryFolder } from '../support/service.ts'
import { compile, typesOf } from '../types/compiling.ts'
import { KITCHEN, serveOthers } from '../types/foreign.ts'
import { assertRefused, each, folderWithApi, freePort, hydrant } from './command.ts'
import { CTRL_C, openTerminal } from './terminal.ts'

const input = `${PARAPHRASE}\n`
const user = ['--user', String(USER)]

// contract: `hydrant types <api-file or url>` ¦
test('types writes the types of an API file to standard output, and they compile', async (t) => {
  const folder = folderWithApi(t)
  const { status, stdout, stderr } = await hydrant(['types', 'api.yaml'], { cwd: folder })
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(stdout, typesOf(API))
  assert.deepEqual(await compile(t, { 'api.ts': stdout }), [])
})

test('types --out writes a file, which stays as it is when that fails', async (t) => {
  const folder = folderWithApi(t)
  const out = join(folder, 'types.ts')
  writeFileSync(out, 'former')
  const refused = await hydrant(['types', 'none.yaml', '--out', 'types.ts'], { cwd: folder })
  assert.deepEqual([refused.status, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^none\.yaml: [^\n]+\n$/)
  assert.equal(readFileSync(out, 'utf8'), 'former')
  const written = await hydrant(['types', 'api.yaml'], { cwd: folder, env: { HYDRANT_OUT: 'types.ts' } })
  assert.deepEqual(written, { status: 0, stdout: 'The types were written to types.ts.\n', stderr: '' })
  assert.equal(readFileSync(out, 'utf8'), typesOf(API))
  assertRefused(
    await hydrant(['types', 'api.yaml', '--out', 'none/types.ts'], { cwd: folder }),
    1,
    'none/types.ts: there is no such file or folder.',
  )
  assert.deepEqual(readdirSync(folder).sort(), ['api.yaml', 'types.ts'])
})

test('types of an API file that cannot be served names its problems', async (t) => {
  const folder = folderWithApi(t, 'classes:\n  book:\n')
  const { status, stdout, stderr } = await hydrant(['types', 'api.yaml'], { cwd: folder })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^api\.yaml:2:3: "book" [^\n]+\n$/)
})

// contract: `hydrant types <api-file or url>` ¦
test('types reads what is served, signed in with a paraphrase from standard input, or asking nobody where it is open', async (t) => {
  const { base: closed } = await serve(t)
  const { base: open } = await serve(t, { flags: { auth: false } })
  const { base: withoutTokens } = await serve(t, { flags: { token: false } })
  await each(
    [
      { args: [closed, ...user], options: { input } },
      { args: [`${closed}/`], options: { input, env: { HYDRANT_USER: String(USER) } } },
      { args: [withoutTokens, ...user], options: { input } },
      { args: [open], options: {} },
      { args: [open, ...user], options: {} },
    ],
    async ({ args, options }) => {
      const { status, stdout, stderr } = await hydrant(['types', ...args], options)
      assert.deepEqual([status, stderr], [0, ''])
      assert.equal(stdout, typesOf(API))
    },
  )
})

test('types of a protected API without a user, with a wrong paraphrase or a wrong id says so in one line', async (t) => {
  const { base } = await serve(t)
  await each(
    [
      { args: [base], text: input, part: '--user' },
      { args: [base, ...user], text: 'plum pudding\n', part: `${base}: ` },
      { args: [base, '--user', '8'], text: input, part: `${base}: ` },
    ],
    async ({ args, text, part }) => {
      const refused = await hydrant(['types', ...args], { input: text })
      assertRefused(refused, 1, base, part)
      assert.ok(!refused.stderr.includes('plum'))
    },
  )
  assertRefused(await hydrant(['types', base, ...user], { input: '\n' }), 2, 'at least one character')
})

test('on a terminal types asks for the paraphrase once and does not show it', async (t) => {
  const { base } = await serve(t)
  const folder = temporaryFolder(t)
  const args = ['types', base, ...user, '--out', 'types.ts']
  const cancelled = openTerminal(t, args, folder)
  await cancelled.shows(`Passphrase of user ${USER} (not shown): `)
  cancelled.type(CTRL_C)
  assert.equal(await cancelled.ended, 1)
  assert.deepEqual(readdirSync(folder), [])
  const terminal = openTerminal(t, args, folder)
  await terminal.shows(`Passphrase of user ${USER} (not shown): `)
  terminal.type(`${PARAPHRASE}\r`)
  assert.equal(await terminal.ended, 0)
  assert.equal(
    terminal.screen(),
    `Passphrase of user ${USER} (not shown): \r\nThe types were written to types.ts.\r\n`,
  )
  assert.equal(readFileSync(join(folder, 'types.ts'), 'utf8'), typesOf(API))
})

test('types of an address with no Hydra API at it says what is there in one line', async (t) => {
  const { base, port } = await serve(t, { flags: { auth: false } })
  const { base: closed, port: closedPort } = await serve(t)
  const html = { body: '<h1>Hello</h1>', type: 'text/html' }
  const page = await serveOthers(t, { '/': html })
  const empty = await serveOthers(t, { '/': { body: {} } })
  const wrong = await serveOthers(t, { '/': { body: {}, documentation: '/docs' }, '/docs': { body: {} } })
  const text = await serveOthers(t, { '/': { body: {}, documentation: '/docs' }, '/docs': html })
  const gone = await freePort()
  await each(
    [
      { address: `http://localhost:${gone}/api`, part: '(ECONNREFUSED)' },
      { address: 'http://nowhere.invalid/api', part: '(' },
      { address: `http://localhost:${port}/`, part: 'the API begins at /api/' },
      { address: `${base}/boks`, part: 'No collection is named "boks"' },
      {
        address: `${base}/vocab`,
        part: `${base}/.`,
      },
      { address: `${base}/books`, part: `${base}/.` },
      { address: page, part: page },
      { address: empty, part: `${empty}vocab` },
      { address: wrong, part: `${wrong}docs` },
      { address: text, part: `${text}docs` },
      {
        address: `http://127.0.0.1:${closedPort}/api`,
        part: `${closed}/`,
      },
    ],
    async ({ address, part }) =>
      assertRefused(await hydrant(['types', address, ...user], { input }), 1, address, part),
  )
})

test('types takes no credentials in an address, and does not repeat them', async () => {
  for (const address of ['http://7:plum@localhost/api', 'http://7:plum@:/api']) {
    const refused = await hydrant(['types', address])
    assertRefused(refused, 2)
    assert.ok(!refused.stderr.includes('plum'))
  }
})

test('types of the server of somebody else leaves out what it cannot understand, and says so', async (t) => {
  const { body } = KITCHEN['/docs.jsonld']
  const documentation = JSON.parse(JSON.stringify(body).replace('xmls:boolean', 'xmls:hexBinary'))
  const address = await serveOthers(t, { ...KITCHEN, '/docs.jsonld': { body: documentation } })
  const { status, stdout, stderr } = await hydrant(['types', address])
  assert.equal(status, 0)
  assert.match(
    stderr,
    /^hydrant: note: left out: supportedClass "Recipe", supportedProperty "vegan": [^\n]+\n$/,
  )
  assert.ok(stdout.includes('interface Recipe {') && !stdout.includes('vegan'))
})

test('the help of types shows its usage, its flags and examples', async () => {
  const { status, stdout, stderr } = await hydrant(['types', '--help'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.ok(stdout.startsWith('Usage: hydrant types [options] <api-file|url>\n'), stdout)
  const told = stdout.replaceAll(/\s+/g, ' ')
  assert.ok(told.includes('--out <file> file to write (default: standard output; HYDRANT_OUT)'))
  assert.ok(told.includes('(default: none; HYDRANT_USER)'))
  assert.match(stdout, /\nExamples:\n {2}hydrant types api\.yaml --out src\/api\.ts\n/)
  assertRefused(
    await hydrant(['types']),
    2,
    "missing required argument 'api-file|url'",
    '"hydrant types --help"',
  )
})

const STUDIO = `
roles: [clerk]
accounts: { view: everyone }
classes:
  Job:
    access: { write: clerk }
    properties: { title: string, rate: { type: decimal, view: clerk, write: clerk } }
  Bill: { access: { all: clerk }, properties: { number: string } }
`

// contract: For a user who may not view it the property does not exist
test('types --as has what users with these roles may see; accounts are there where the file says something of them', async (t) => {
  const folder = folderWithApi(t, STUDIO)
  const types = async (...flags: string[]) => {
    const { status, stdout, stderr } = await hydrant(['types', 'api.yaml', ...flags], { cwd: folder })
    assert.equal(status, 0, stderr)
    assert.deepEqual(await compile(t, { 'api.ts': stdout }), [])
    return stdout
  }
  for (const flags of [[], ['--as', 'clerk']]) {
    const all = await types(...flags)
    for (const part of [/^export interface Bill /m, /^ {2}rate\?:/m, /^export interface Account /m])
      assert.match(all, part)
    assert.doesNotMatch(all, /^ {2}(?:readonly )?revision/m)
  }
  const some = await types('--as', 'nobody-in-particular')
  assert.doesNotMatch(some, /\brate\b|\bBill\b|JobInput/)
  assert.match(some, /^export interface Job /m)
  assertRefused(
    await hydrant(['types', 'api.yaml', '--as', 'clrk'], { cwd: folder }),
    2,
    '--as: "clrk"',
    '"clerk"',
  )
  const plain = await hydrant(['types', 'api.yaml'], { cwd: folderWithApi(t) })
  assert.doesNotMatch(plain.stdout, /Account/)
})
