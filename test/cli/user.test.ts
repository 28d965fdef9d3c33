import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Invocation } from '../../src/cli/invocation.ts'
import { askForParaphrase } from '../../src/cli/prompt.ts'
import { HYDRANT } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import {
  assertRefused,
  each,
  folderWithDatabase,
  hydrant,
  inStore,
  isParaphraseOf,
  userIds,
} from './command.ts'

const SECRET = 'sesame-und-mohn'

const hasDatabase = (folder: string): boolean => existsSync(join(folder, 'hydrant.db'))

/** The paraphrase that a command takes from a pipe, without the hash of it, and what it says meanwhile. */
async function readPiped(input: string) {
  const said: string[] = []
  const call = {
    io: { stdin: Readable.from(Buffer.from(input)) },
    console: { error: (text: string) => said.push(text) },
  } as unknown as Invocation
  return { paraphrase: await askForParaphrase(call, 1, 'new'), said }
}

// contract: Authorised user ¦ paraphrase
// contract: `hydrant user add <id> [--role …]`
test('through a pipe the first line is the paraphrase, whatever ends it', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['open sesame\n', 'open sesame'],
    ['open sesame\r\n', 'open sesame'],
    ['open sesame', 'open sesame'],
    ['open sesame\n\n', 'open sesame'],
    [' two  spaces \n', ' two  spaces '],
    // How some editors and shells begin a file: the encoding's mark, not the paraphrase's first character.
    ['\ufeffopen sesame\n', 'open sesame'],
    ['a strong caf\u0065\u0301\n', 'a strong caf\u00e9'],
    ['line\u2028separator\n', 'line\u2028separator'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
  ]
  for (const [input, paraphrase] of rows)
    assert.deepEqual(await readPiped(input), { paraphrase, said: [] }, JSON.stringify(input))
  const folder = temporaryFolder(t)
  const [[input, paraphrase] = ['', '']] = rows
  const added = await hydrant(['user', 'add', '1'], { cwd: folder, input })
  assert.deepEqual(added, { status: 0, stdout: 'User 1 was added.\n', stderr: '' })
  assert.ok(await isParaphraseOf(folder, 1, paraphrase))
})

test('a passphrase of fewer than 8 characters is taken with a warning', async (t) => {
  const warning = 'hydrant: warning: a passphrase of fewer than 8 characters is easy to guess.'
  const rows = [
    ['sesame1', [warning]],
    ['\u{1f511}'.repeat(7), [warning]],
    ['sesame12', []],
  ] as const
  for (const [paraphrase, said] of rows)
    assert.deepEqual(await readPiped(`${paraphrase}\n`), { paraphrase, said })
  const folder = temporaryFolder(t)
  await inStore(folder, (store) => store.addUser({ id: 1, paraphraseHash: 'hash' }, 0))
  const changed = await hydrant(['user', 'paraphrase', '1'], { cwd: folder, input: 'sesame1\n' })
  assert.deepEqual([changed.status, changed.stderr], [0, `${warning}\n`])
  assert.ok(await isParaphraseOf(folder, 1, 'sesame1'))
})

test('lines after the first are not part of the paraphrase, and a note says so', async (t) => {
  const folder = temporaryFolder(t)
  const added = await hydrant(['user', 'add', '1'], { cwd: folder, input: `${SECRET}\nanother\n` })
  assert.equal(added.status, 0)
  assert.equal(
    added.stderr,
    'hydrant: note: standard input has more than one line; the first is the passphrase.\n',
  )
  assert.ok(await isParaphraseOf(folder, 1, SECRET))
})

test('a pipe that stays open after its first line does not hold the command up', async (t) => {
  const folder = temporaryFolder(t)
  const child = spawn(process.execPath, [HYDRANT, 'user', 'add', '1'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  child.stdin.write(`${SECRET}\n`)
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
  assert.deepEqual(await ended, [0, null])
  assert.ok(await isParaphraseOf(folder, 1, SECRET))
})

test('what cannot be a paraphrase is refused with status 2 and leaves no database behind', async (t) => {
  const rows: readonly (readonly [string | Uint8Array, string])[] = [
    ['', 'at least one character'],
    ['\n', 'at least one character'],
    ['\r\n', 'at least one character'],
    ['\ufeff\n', 'at least one character'],
    [`${SECRET}\u0007\n`, 'no control characters'],
    [`${SECRET}\tand more\n`, 'no control characters'],
    [`${SECRET}\rand more\n`, 'no control characters'],
    [`${SECRET}\0\n`, 'no control characters'],
    [`${SECRET}\ufeff\n`, 'no byte order mark'],
    [Uint8Array.of(0x70, 0xff, 0xfe, 0x0a), 'not UTF-8'],
    [Buffer.from(`\ufeff${SECRET}\n`, 'utf16le'), 'not UTF-8'],
    ['x'.repeat(1025), 'at most 1024 bytes'],
    ['x'.repeat(1_000_000), 'at most 1024 bytes'],
  ]
  await each(rows, async ([input, part]) => {
    const folder = temporaryFolder(t)
    const refused = await hydrant(['user', 'add', '1'], { cwd: folder, input })
    assertRefused(refused, 2, part, 'Nothing was changed.')
    assert.ok(!refused.stderr.includes(SECRET))
    assert.ok(!hasDatabase(folder))
  })
})

test('a user that exists is not added again, and its first paraphrase still works', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'the first\n' })
  const refused = await hydrant(['user', 'add', '1'], { cwd: folder, input: 'the second\n' })
  assertRefused(refused, 1, 'User 1 ', 'hydrant user paraphrase 1')
  assert.ok(await isParaphraseOf(folder, 1, 'the first'))
  assert.ok(!(await isParaphraseOf(folder, 1, 'the second')))
})

// contract: `hydrant user add <id> [--role …]`
test('a paraphrase is never accepted as an argument, and what stands there is not repeated', async (t) => {
  const rows = [
    ['add', '1', SECRET],
    ['add', '1', 'x', SECRET],
    ['add', SECRET],
    ['add', '1', '--paraphrase', SECRET],
    ['add', '1', `--paraphrase=${SECRET}`],
    ['add', '1', `--paraphrase=it's ${SECRET}`],
    ['paraphrase', '1', SECRET],
    ['remove', SECRET],
    ['roles', '1', SECRET.toUpperCase(), SECRET],
    ['name', '1', 'anna', SECRET],
    ['name', '1', `${SECRET}:`],
    ['name', SECRET, 'anna'],
    ['add', '1', '--name', `${SECRET}:`],
    ['add', '1', '--role', `${SECRET}!`],
    ['list', SECRET],
  ]
  const folder = temporaryFolder(t)
  await each(rows, async (args) => {
    const refused = await hydrant(['user', ...args], { cwd: folder, input: `${SECRET}\n` })
    assertRefused(refused, 2)
    assert.ok(!refused.stderr.includes(SECRET), refused.stderr)
  })
  assert.ok(!hasDatabase(folder))
})

// contract: Authorised user ¦ id
test('a user id is a whole number from 1 to 9007199254740991 in its plain spelling', async (t) => {
  const folder = temporaryFolder(t)
  const rows = ['0', '-1', '01', '+1', '1.5', '1e3', '0x1', 'abc', '9007199254740992', '', ' 1', '１']
  await each(rows, async (id) => {
    const refused = await hydrant(['user', 'add', id], { cwd: folder, input: `${SECRET}\n` })
    assertRefused(refused, 2, 'a whole number from 1 to 9007199254740991')
  })
  assert.ok(!hasDatabase(folder))
  const added = await hydrant(['user', 'add', '9007199254740991'], { cwd: folder, input: `${SECRET}\n` })
  assert.equal(added.status, 0)
  assert.deepEqual(await userIds(folder), [9007199254740991])
})

// contract: Exit status: 0 done
test('wrong usage of the user commands has status 2 and names the help to read', async (t) => {
  const folder = temporaryFolder(t)
  const rows: readonly (readonly [readonly string[], string, string])[] = [
    [['add'], "missing required argument 'id'", '"hydrant user add --help"'],
    [['remove'], "missing required argument 'id'", '"hydrant user remove --help"'],
    [['paraphrase'], "missing required argument 'id'", '"hydrant user paraphrase --help"'],
    [['add', '1', '--frobnicate'], "unknown option '--frobnicate'", '"hydrant user add --help"'],
    [['roles'], "missing required argument 'id'", '"hydrant user roles --help"'],
    [['name'], "missing required argument 'id'", '"hydrant user name --help"'],
    [['list', '--jsn'], 'did you mean --json?', '"hydrant user list --help"'],
    [['list', '--db'], '--db <url>', '"hydrant user list --help"'],
    [['remove', '1', '2'], 'takes <id> and nothing else', '"hydrant user remove --help"'],
    [['list', '1'], 'takes none', '"hydrant user list --help"'],
    [['lst'], 'did you mean list?', '"hydrant user --help"'],
  ]
  await each(rows, async ([args, ...parts]) => {
    assertRefused(await hydrant(['user', ...args], { cwd: folder }), 2, ...parts)
  })
})

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant user add <id> [--role …]`
test('user list shows who there is, for people and for programs', async (t) => {
  const folder = await folderWithDatabase(t)
  const list = (...flags: string[]) => hydrant(['user', 'list', ...flags], { cwd: folder })
  assert.match((await list()).stdout, /^There are no users; add one with: \S*hydrant user add 1\n$/)
  assert.equal((await list('--json')).stdout, '[]\n')
  await inStore(folder, async (store) => {
    await store.addUser({ id: 12, paraphraseHash: 'hash' }, 0)
    await store.addUser({ id: 7, name: 'Anna', paraphraseHash: 'hash' }, 1_000)
  })
  assert.equal(
    (await list()).stdout,
    [
      'user  name  added                     live tokens  roles',
      '7     Anna  1970-01-01T00:00:01.000Z  0            -',
      '12    -     1970-01-01T00:00:00.000Z  0            -',
      '',
    ].join('\n'),
  )
  const entries = [
    { id: 7, name: 'Anna', addedAt: '1970-01-01T00:00:01.000Z', liveTokens: 0, roles: [] },
    { id: 12, name: null, addedAt: '1970-01-01T00:00:00.000Z', liveTokens: 0, roles: [] },
  ]
  assert.deepEqual(JSON.parse((await list('--json')).stdout), entries)
  const byVariable = await hydrant(['user', 'list'], { cwd: folder, env: { HYDRANT_JSON: 'on' } })
  assert.deepEqual(JSON.parse(byVariable.stdout), entries)
})

// contract: Authorised users are added to the API
// contract: Output meant for programs is available with `--json`.
// contract: `hydrant user add <id> [--role …]`
test('user add, paraphrase and remove say what they did, for people and for programs', async (t) => {
  const folder = temporaryFolder(t)
  const user = async (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = await hydrant(['user', ...args], { cwd: folder, input })
    assert.equal(status, 0, stderr)
    return stdout
  }
  assert.equal(await user(['add', '1', '--json'], 'one\n'), '{"id":1,"added":true,"roles":[]}\n')
  assert.equal(await user(['add', '2'], 'two\n'), 'User 2 was added.\n')
  assert.equal(await user(['paraphrase', '1', '--json'], 'new one\n'), '{"id":1,"changed":true}\n')
  assert.equal(
    await user(['paraphrase', '2'], 'new two\n'),
    'User 2 has a new passphrase; its tokens have ended.\n',
  )
  assert.ok(await isParaphraseOf(folder, 1, 'new one'))
  assert.ok(!(await isParaphraseOf(folder, 1, 'one')))
  assert.equal(await user(['remove', '1', '--json']), '{"id":1,"removed":true}\n')
  assert.equal(await user(['remove', '2']), 'User 2 was removed; 0 tokens ended.\n')
  assert.deepEqual(await userIds(folder), [])
})

test('a user that does not exist is a failure, and no paraphrase is asked for', async (t) => {
  const folder = await folderWithDatabase(t)
  await each(['paraphrase', 'remove'], async (command) => {
    const refused = await hydrant(['user', command, '9'], { cwd: folder })
    assertRefused(refused, 1, 'user 9', 'hydrant user list')
  })
})
