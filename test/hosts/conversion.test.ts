import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderWithApi, type Serving, serveIn } from '../cli/command.ts'
import { ask, metric, opsOf, until } from '../cli/ops.ts'
import { newPlace } from '../cli/postgres-place.ts'
import { onPostgres } from '../support/postgres.ts'

const API = 'classes:\n  Book: { properties: { title: string } }\n'
const CHANGED = API.replace('title: string', 'title: string, language: { type: string, default: en }')

// Another host seems to convert members, so that this one waits as long as the test wants.
const BY_ANOTHER = `INSERT INTO settings VALUES ('conversion', '{"holder":"other","progress":{"Book":40},"until":9000000000000}')`
const FREE = "DELETE FROM settings WHERE name = 'conversion'"

// contract: `/readyz` does not wait for it
// contract: What must be computed for existing members
test('while members are converted, the host is ready, a filter is 503 and check says how far it is', async (t) => {
  const { folder, url, env, command } = newPlace(t, folderWithApi(t, API))
  const imported = await command(['import', 'api.yaml', '-'], '{"@id":"/books/1","title":"Emma"}\n')
  assert.equal(imported.status, 0, imported.stderr)
  const former = await serveIn(t, folder, ['api.yaml', '--no-auth'], env)
  await onPostgres(url, BY_ANOTHER)
  writeFileSync(join(folder, 'new.yaml'), CHANGED)
  const args = ['new.yaml', '--no-auth', '--migrate', 'compatible', '--ops-port', '0', '--log-format', 'json']
  const changed = await serveIn(t, folder, args, env)
  assert.deepEqual(await ask(opsOf(changed), '/readyz'), { status: 200, text: 'ready\n' })
  const early = await fetch(`${changed.base}/books?language=en`)
  assert.equal(early.status, 503)
  assert.equal(early.headers.get('Retry-After'), '5')
  await until(async () => /\(40 %\)/.test(await (await fetch(`${changed.base}/books?language=en`)).text()))
  for (const host of [former, changed]) assert.equal((await fetch(`${host.base}/books/1`)).status, 200)
  const checked = await command(['check', 'new.yaml', '--json'])
  const { converting, kinds } = JSON.parse(checked.stdout)
  assert.deepEqual({ converting, kinds }, { converting: [{ class: 'Book', percent: 40 }], kinds: [] })

  await onPostgres(url, FREE)
  await until(async () => (await fetch(`${changed.base}/books?language=en`)).status === 200)
  await until(async () => /the members are converted to this API file/.test(changed.output()))
  assert.equal(await metric(opsOf(changed), 'hydrant_conversion_ratio{class="Book"}'), undefined)
  assert.match(changed.output(), /"class":"Book","percent":0,"msg":"converting the members/)
})

// contract: What must be computed for existing members
// contract: No request that is right under its host's own file is refused because of the change
test('while a default fills a property that both files have, only hosts with the new file wait for it', async (t) => {
  const known = API.replace('title: string', 'title: string, language: string, pages: integer')
  const { folder, url, env, command } = newPlace(t, folderWithApi(t, known))
  const imported = await command(['import', 'api.yaml', '-'], '{"@id":"/books/1","title":"Emma"}\n')
  assert.equal(imported.status, 0, imported.stderr)
  const former = await serveIn(t, folder, ['api.yaml', '--no-auth'], env)
  await onPostgres(url, BY_ANOTHER)
  writeFileSync(
    join(folder, 'new.yaml'),
    known.replace('language: string', 'language: { type: string, default: en }'),
  )
  const args = ['new.yaml', '--no-auth', '--migrate', 'compatible', '--log-format', 'json']
  const changed = await serveIn(t, folder, args, env)
  const found = async ({ base }: Serving, query: string) => {
    const response = await fetch(`${base}/books?${query}`)
    const text = await response.text()
    return response.ok
      ? JSON.parse(text).totalItems
      : `${response.status} ${response.headers.get('Retry-After')}`
  }
  for (const query of ['language=en', 'language.exists=false', 'q=en'])
    assert.equal(await found(changed, query), '503 5', query)
  for (const query of ['pages.exists=false', 'title=Emma'])
    assert.equal(await found(changed, query), 1, query)
  assert.equal(await found(former, 'language=en'), 0)
  assert.equal(await found(former, 'language.exists=false'), 1)
  assert.equal(await found(former, 'q=emma'), 1)

  await onPostgres(url, FREE)
  await until(async () => (await found(changed, 'language=en')) === 1)
  assert.equal(await found(changed, 'q=en'), 1)
  await until(async () => /the members are converted to this API file/.test(changed.output()))
  assert.match(changed.output(), /"class":"Book","percent":0,"msg":"converting the members/)
})

test('a host that stops leaves the conversion to the next one at once', async (t) => {
  const { folder, url, env, command } = newPlace(t, folderWithApi(t, API))
  const imported = await command(['import', 'api.yaml', '-'], '{"@id":"/books/1","title":"Emma"}\n')
  assert.equal(imported.status, 0, imported.stderr)
  writeFileSync(join(folder, 'new.yaml'), CHANGED)
  const host = await serveIn(t, folder, ['new.yaml', '--no-auth'], env)
  await until(async () => (await fetch(`${host.base}/books?language=en`)).status === 200)
  host.child.kill('SIGTERM')
  assert.equal(await host.ended, 0)
  const leases = await onPostgres(url, "SELECT value FROM settings WHERE name = 'conversion'")
  assert.equal(leases.length, 0, `${leases}`)
})
