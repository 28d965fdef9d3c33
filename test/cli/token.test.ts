import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listen } from '../support/browser-server.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { serve, temporaryFolder } from '../support/service.ts'
import { assertRefused, each, hydrant } from './command.ts'

const input = `${PARAPHRASE}\n`
const user = ['--user', String(USER)]

// contract: `hydrant token --user <id>`
test('token --user exchanges a paraphrase, from standard input or a file, for a token, and prints it', async (t) => {
  const service = await serve(t)
  const at = ['--base-url', service.base]
  const folder = temporaryFolder(t)
  // As editors on Windows write it.
  writeFileSync(join(folder, 'me.txt'), `\ufeff${PARAPHRASE}\r\nsomething else\r\n`)
  const file = ['--paraphrase-file', 'me.txt']
  const variables = { HYDRANT_USER: String(USER), HYDRANT_PARAPHRASE_FILE: 'me.txt' }
  await each(
    [
      { args: [...user, ...at], options: { input } },
      { args: [...user, ...at, ...file], options: {} },
      { args: at, options: { env: variables } },
      { args: ['--no-json'], options: { env: { ...variables, HYDRANT_BASE_URL: service.base } } },
      { args: [...user, ...at, ...file, '--json'], options: {} },
    ],
    async ({ args, options }) => {
      const { status, stdout, stderr } = await hydrant(['token', ...args], { cwd: folder, ...options })
      assert.deepEqual([status, stderr], [0, ''])
      const token = args.includes('--json') ? JSON.parse(stdout).token : stdout.slice(0, -1)
      assert.match(token, /^[0-9a-f]{64}$/)
      const { status: served } = await service.client.send('GET', '/session', { 'X-Authorization': token })
      assert.equal(served, 200)
    },
  )
})

/** The console of a service. */
const servePage = (t: TestContext, base: string): Promise<string> =>
  listen(t, (_, response) => {
    const page = `<!doctype html><meta name="hydrant-base" content="${base}"><title>Console</title>`
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  })

test('token --user says in one line why there is no token, without the paraphrase', async (t) => {
  const { base } = await serve(t)
  const { base: open } = await serve(t, { flags: { auth: false } })
  const { base: withoutTokens } = await serve(t, { flags: { token: false } })
  const page = await servePage(t, base)
  const website = await listen(t, (_, response) => response.writeHead(404).end('Nothing is here.'))
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'empty.txt'), '')
  await each(
    [
      { args: [...user, '--base-url', base], text: 'plum pudding\n', status: 1, part: 'is wrong' },
      { args: ['--user', '8', '--base-url', base], text: input, status: 1, part: 'is wrong' },
      { args: [...user, '--base-url', open], text: input, status: 1, part: 'wants no credentials' },
      {
        args: [...user, '--base-url', page],
        text: input,
        status: 1,
        part: `web page and not an API; the API is at ${base}`,
      },
      { args: [...user, '--base-url', website], text: input, status: 1, part: 'answered with 404' },
      { args: [...user, '--base-url', withoutTokens], text: input, status: 1, part: 'issues no tokens' },
      { args: [...user, '--base-url', base, '--paraphrase-file', 'none.txt'], status: 1, part: 'none.txt' },
      {
        args: [...user, '--base-url', base, '--paraphrase-file', 'empty.txt'],
        status: 2,
        part: 'one character',
      },
      { args: [...user, 'lits'], status: 2, part: 'did you mean list?' },
      { args: ['plum'], status: 2, part: "unknown command 'plum'" },
    ],
    async ({ args, text = '', status, part }) => {
      const refused = await hydrant(['token', ...args], { cwd: folder, input: text })
      assert.equal(refused.status, status, refused.stderr)
      assert.match(refused.stderr, /^[^\n]+\n$/)
      assert.ok(refused.stderr.includes(part), refused.stderr)
      assert.ok(!refused.stderr.includes(PARAPHRASE) && !refused.stderr.includes('pudding'))
      assert.equal(refused.stdout, '')
    },
  )
})

test('types and conform take the paraphrase from a file, too', async (t) => {
  const { base } = await serve(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'me.txt'), input)
  const { status, stdout } = await hydrant(['types', base, ...user, '--paraphrase-file', 'me.txt'], {
    cwd: folder,
  })
  assert.equal(status, 0)
  assert.match(stdout, /interface Author/)
  assertRefused(await hydrant(['types', base, ...user, '--paraphrase-file', 'none.txt'], { cwd: folder }), 1)
})
