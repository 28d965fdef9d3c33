import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApi } from '../../src/api/index.ts'
import type { GateMode } from '../../src/auth/index.ts'
import { API, modelOf, temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from './command.ts'

// contract: `hydrant vocab <api-file>` ¦
// contract: `hydrant openapi <api-file>` ¦
test('vocab and openapi print the documents that are served', async (t) => {
  const folder = folderWithApi(t)
  // A default page follows a smaller maximum.
  const pages = ['--max-page-size', '10']
  const { base } = await serveIn(t, folder, ['--no-auth', ...pages])
  for (const [name, flags] of [
    ['vocab', []],
    ['openapi', pages],
  ] as const) {
    const served = await (await fetch(`${base}/${name}`)).json()
    const args = [name, 'api.yaml', '--base-url', base, '--no-auth', ...flags]
    const printed = await hydrant(args, { cwd: folder })
    assert.equal(printed.status, 0, printed.stderr)
    assert.deepEqual(JSON.parse(printed.stdout), served)
  }
})

test('openapi refuses the page sizes that serve refuses', async (t) => {
  const refused = await hydrant(['openapi', 'api.yaml', '--page-size', '200'], { cwd: folderWithApi(t) })
  assertRefused(refused, 2, '--page-size: 200 ', '100 of --max-page-size')
})

test('vocab has the session as far as the settings do, and the default base URL', async (t) => {
  const folder = folderWithApi(t)
  const rows: readonly (readonly [args: readonly string[], env: Record<string, string>, mode: GateMode])[] = [
    [[], {}, 'token'],
    [['--no-token'], {}, 'nonce'],
    [['--no-auth'], {}, 'open'],
    [[], { HYDRANT_AUTH: 'off' }, 'open'],
    [['--auth'], { HYDRANT_AUTH: 'off' }, 'token'],
  ]
  await each(rows, async ([args, env, mode]) => {
    const { stdout } = await hydrant(['vocab', 'api.yaml', ...args], { cwd: folder, env })
    const expected = describeApi(modelOf(API), 'http://localhost:8080/api', mode)
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(expected)))
  })
})

// contract: Every flag but `--help` and `--version`
test('vocab takes the base URL from the environment, and a flag wins', async (t) => {
  const folder = folderWithApi(t)
  const env = { HYDRANT_BASE_URL: 'https://example.org/books/' }
  const from = async (...args: string[]) =>
    JSON.parse((await hydrant(['vocab', 'api.yaml', ...args], { cwd: folder, env })).stdout)['@id']
  assert.equal(await from(), 'https://example.org/books/vocab')
  assert.equal(await from('--base-url', 'https://example.com'), 'https://example.com/vocab')
})

test('vocab of a file that cannot be served names its problems on standard error', async (t) => {
  const folder = folderWithApi(t, 'classes:\n  book:\n')
  const { status, stdout, stderr } = await hydrant(['vocab', 'api.yaml'], { cwd: folder })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^api\.yaml:2:3: "book" [^\n]+\n$/)
  assertRefused(
    await hydrant(['vocab'], { cwd: temporaryFolder(t) }),
    2,
    "missing required argument 'api-file'",
  )
})
