import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { ensureUser } from '../../../src/cli/serve/welcome.ts'
import { readConfig } from '../../../src/config/index.ts'
import { startClient, USER } from '../../support/client.ts'
import { run } from '../../support/processes.ts'
import { serve, temporaryFolder } from '../../support/service.ts'
import {
  folderWithApi,
  inStore,
  isParaphraseOf,
  type Serving,
  serveIn,
  userIds,
  WELCOME,
} from '../command.ts'
import { CTRL_C, openTerminal } from '../terminal.ts'

/** The five words on a line of their own. */
const paraphraseIn = (text: string): string => /^ {2}([A-Za-z]+(?: [A-Za-z]+){4})\r?$/m.exec(text)?.[1] ?? ''

/** The lines to copy, run as one script, as somebody who copies them all does. */
async function runCopied(text: string): Promise<Record<string, unknown>> {
  const lines = text.split(/\r?\n/).filter((line) => /^ {2}(NONCE=|TOKEN=|curl )/.test(line))
  assert.notEqual(lines.length, 0)
  const { status, stdout, stderr } = await run('bash', ['-c', lines.join('\n')])
  assert.equal(status, 0, stderr)
  // `-i` prints the headers too.
  const collection = JSON.parse(stdout.slice(stdout.indexOf('{')))
  assert.equal([collection['@type']].flat()[0], 'Collection')
  return collection
}

const IN_MEMORY = ['--db', 'sqlite::memory:']

const serveFirst = (t: TestContext, folder: string, args: readonly string[] = []): Promise<Serving> =>
  serveIn(t, folder, args, {}, WELCOME)

// contract: `hydrant serve [api-file]` ¦
// contract: When `serve` starts with authentication on
// contract: There is no default password.
// contract: `--token` / `--no-token` ¦
test('the bundled example adds user 1, shows its five words once, and its curl lines work, also without tokens', async (t) => {
  const folder = temporaryFolder(t)
  const first = await serveFirst(t, folder, ['--token-ttl', '80s'])
  assert.match(first.stderr(), /which is valid for 80 seconds/)
  const paraphrase = paraphraseIn(first.stderr())
  assert.equal(paraphrase.split(' ').length, 5, first.output())
  assert.ok(!first.stdout().includes(paraphrase), 'in json the log has no paraphrase')
  assert.ok(await isParaphraseOf(folder, 1, paraphrase))
  const collection = await runCopied(first.stderr())
  assert.ok(Number(collection.totalItems) > 0, 'the sample data is there')
  assert.equal(await first.stop(), 0)

  const second = await serveIn(t, folder)
  assert.equal(await second.stop(), 0)
  assert.equal(second.stderr(), '')
  assert.ok(await isParaphraseOf(folder, 1, paraphrase))

  const other = await serveFirst(t, temporaryFolder(t), ['--no-token', ...IN_MEMORY])
  assert.notEqual(paraphraseIn(other.stderr()), paraphrase, 'another one for every first user')
  await runCopied(other.stderr())
})

// contract: `--log-level`, `--log-format` ¦
// contract: When `serve` starts with authentication on
test('on a terminal an API file of one’s own gets a first user as well, whose curl lines work', async (t) => {
  const folder = folderWithApi(t)
  const terminal = openTerminal(t, ['serve', '--port', '0'], folder)
  await terminal.shows(/curl -H "X-Authorization: \$TOKEN" \S+\r\n/)
  assert.match(terminal.screen(), /^listening on http:\/\/localhost:\d+\/api\r\n/)
  assert.ok(await isParaphraseOf(folder, 1, paraphraseIn(terminal.screen())))
  await runCopied(terminal.screen())
  // A line for each request, without what may be secret in it.
  for (const status of [401, 200]) await terminal.shows(new RegExp(`GET /api/\\w+ ${status} [\\d.]+ ms`))
  terminal.type(CTRL_C)
  assert.equal(await terminal.ended, 0)
})

// contract: When `serve` starts with authentication on
// contract: There is no default password.
test('elsewhere an API file of one’s own adds nobody and warns with the command that would', async (t) => {
  const folder = folderWithApi(t)
  const db = 'sqlite:hydrant.db'
  const server = await serveIn(t, folder, ['--db', db])
  assert.equal(await server.stop(), 0)
  const warnings = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('nobody can sign in'))
  assert.equal(warnings.length, 1)
  assert.equal(JSON.parse(warnings[0] ?? '').level, 40)
  assert.ok(warnings[0]?.includes('hydrant user add 1'))
  assert.equal(server.stderr(), '')
  assert.deepEqual(await userIds(folder), [])
})

// contract: `--db` ¦ `sqlite:hydrant.db` ¦
test('for a database in memory the warning does not name a command that could not reach it', async (t) => {
  const { store } = await serve(t)
  await store.auth.removeUser(USER)
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const config = readConfig({ db: 'sqlite::memory:' }, {})
  assert.equal(await ensureUser(store.auth, { isBundled: false, roles: [] }, { config, log }), undefined)
  assert.match(lines.join(''), /nobody can sign in.*name a file with --db sqlite:<path>/)
  assert.ok(!lines.join('').includes('hydrant user add'))
})

test('a user who is there already is neither changed nor joined by another', async (t) => {
  const folder = temporaryFolder(t)
  await inStore(folder, async (store) => {
    await store.addUser({ id: 5, paraphraseHash: 'hash' }, 0)
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    assert.equal(
      await ensureUser(store, { isBundled: true, roles: [] }, { config: readConfig({}, {}), log }),
      undefined,
    )
    assert.deepEqual(lines, [])
  })
  assert.deepEqual(await userIds(folder), [5])
})

// contract: `--auth` / `--no-auth` ¦
test('without authentication no user is added, and everybody is served', async (t) => {
  const folder = temporaryFolder(t)
  const server = await serveIn(t, folder, ['--no-auth'])
  assert.equal((await startClient(server).send('GET', '/books')).status, 200)
  await server.stop()
  assert.deepEqual(await userIds(folder), [])
  assert.equal(server.stderr(), '')
})

// contract: The first start of `npm start` and of `serve` on an empty database
test('the first user has every role of the API file, and can manage accounts at once', async (t) => {
  const api = `
roles: [admin, bookkeeper]
accounts: { manage: admin }
classes:
  Invoice: { access: { all: bookkeeper }, properties: { number: string } }
`
  const folder = folderWithApi(t, api)
  const terminal = openTerminal(t, ['serve', '--port', '0'], folder)
  await terminal.shows(/curl -H "X-Authorization: \$TOKEN" \S+\r\n/)
  assert.doesNotMatch(terminal.screen(), /no user has/)
  const [, base = ''] = /^listening on (\S+)\r\n/.exec(terminal.screen()) ?? []
  const client = startClient({ base, port: Number(new URL(base).port) })
  const token = await client.exchange(1, paraphraseIn(terminal.screen()))
  const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
  const added = await client.send('POST', '/accounts', headers, '{"name": "anna@studio.example"}')
  assert.equal(added.status, 201, added.body)
  assert.equal((await client.send('GET', '/invoices', headers)).status, 200)
  terminal.type(CTRL_C)
  assert.equal(await terminal.ended, 0)
  await inStore(folder, async (store) => {
    assert.deepEqual((await store.findUser(1))?.roles, ['admin', 'bookkeeper'])
  })
})

// contract: `check` lists what anyone may read
test('serve logs what anyone may read, once, and nothing where the file says nothing', async (t) => {
  const api = (who: string) => `
classes:
  Product: { access: { view: ${who} }, properties: { title: string, cost: { type: decimal, view: everyone } } }
`
  const open = await serveIn(t, folderWithApi(t, api('anyone')))
  const said = open
    .output()
    .split('\n')
    .filter((line) => line.includes('anyone may read'))
  assert.equal(said.length, 1, open.output())
  assert.match(said[0] ?? '', /"classes":\["Product"\].*Product \(list, read; without cost\)/)
  const closed = await serveIn(t, folderWithApi(t, api('everyone')))
  assert.doesNotMatch(closed.output(), /anyone/)
})
