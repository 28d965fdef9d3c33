import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeApi } from '../../src/api/index.ts'
import type { GateMode } from '../../src/auth/index.ts'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { permittedModel, withAccounts } from '../../src/vocabulary/index.ts'
import { API, modelOf, temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from './command.ts'

// contract: `hydrant vocab <api-file>` ¦
// contract: `hydrant openapi <api-file>` ¦
test('vocab and openapi print the documents that are served', async (t) => {
  // Roles without rules change nothing.
  const folder = folderWithApi(t, `roles: [editor]\n${API}`)
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

test('vocab and openapi of a protected API have its accounts, and the documents can be served again', async (t) => {
  const folder = folderWithApi(t, LINKED)
  for (const [command, has] of [
    ['vocab', (text: string) => text.includes('#Account"')],
    ['openapi', (text: string) => text.includes('"/accounts/{id}"')],
  ] as const) {
    const printed = async (...flags: string[]) =>
      (await hydrant([command, 'api.yaml', ...flags], { cwd: folder })).stdout
    assert.ok(has(await printed()), command)
    if (command === 'openapi') assert.ok(!has(await printed('--no-auth')))
  }
  const { stdout } = await hydrant(['vocab', 'api.yaml'], { cwd: folder })
  writeFileSync(join(folder, 'api.jsonld'), stdout)
  const checked = await hydrant(['check', 'api.jsonld', '--json'], { cwd: folder })
  assert.equal(checked.status, 0, checked.stdout)
  assert.deepEqual(JSON.parse(checked.stdout).classes, ['Task'])
  const [again, before] = await Promise.all(
    ['api.jsonld', 'api.yaml'].map(async (file) => (await readApiFile(join(folder, file))).model),
  )
  const links = (model: typeof again) =>
    model?.classes.map(({ name, properties }) => [name, properties.length])
  assert.deepEqual(links(again), links(before))
})

const LINKED = `title: Tasks
accounts: { view: everyone }
classes:
  Task: { properties: { title: string, assignee: Account } }
`

test('openapi refuses the page sizes that serve refuses', async (t) => {
  const refused = await hydrant(['openapi', 'api.yaml', '--page-size', '200'], { cwd: folderWithApi(t) })
  assertRefused(refused, 2, '--page-size: 200 ', 'at most 100, or raise --max-page-size')
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
    const model = modelOf(API)
    const served = mode === 'open' ? model : permittedModel(withAccounts(model), [])
    const expected = describeApi(served, 'http://localhost:8080/api', mode)
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
