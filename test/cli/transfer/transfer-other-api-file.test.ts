import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { assertRefused, folderWithApi, hydrant, serveIn } from '../command.ts'

const API =
  'classes:\n  Film: { properties: { title: string, minutes: integer } }\n  Person: { properties: { name: string } }\n'
const LINES = '{"@id":"http://localhost:8080/api/films/1","@type":"Film","title":"a","minutes":90}\n'

/** A folder with a film in the database, and another API file `v2.yaml`. */
async function folderWithFilm(t: TestContext, other: string): Promise<string> {
  const folder = folderWithApi(t, API)
  writeFileSync(join(folder, 'v2.yaml'), other)
  const imported = await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input: LINES })
  assert.equal(imported.status, 0, imported.stderr)
  return folder
}

const database = (folder: string): Buffer => readFileSync(join(folder, 'hydrant.db'))

test('neither an export nor an import takes members over that are stored under another API file', async (t) => {
  const folder = await folderWithFilm(t, API.replace('minutes', 'mins'))
  const before = database(folder)
  for (const [verb, ...args] of [
    ['export', 'v2.yaml'],
    ['export', 'v2.yaml', 'out.ndjson'],
    ['import', 'v2.yaml', '-'],
  ] as const) {
    assertRefused(
      await hydrant([verb, ...args], { cwd: folder, input: LINES }),
      1,
      ' Film ',
      ` ${verb} `,
      ' serve v2.yaml\n',
    )
    assert.deepEqual(database(folder), before, verb)
  }
  const elsewhere = ['export', 'v2.yaml', '--db', 'sqlite:./hydrant.db']
  assertRefused(await hydrant(elsewhere, { cwd: folder }), 1, ' serve v2.yaml --db sqlite:./hydrant.db\n')
  const own = await hydrant(['export', 'api.yaml'], { cwd: folder })
  assert.equal(own.stdout, LINES)
})

test('an export changes nothing where only classes without members are others, and who serves goes on', async (t) => {
  const folder = await folderWithFilm(t, `${API.replace('name: string', 'name: integer')}  New: {}\n`)
  const before = database(folder)
  const exported = await hydrant(['export', 'v2.yaml'], { cwd: folder })
  assert.deepEqual([exported.status, exported.stdout], [0, LINES], exported.stderr)
  assert.deepEqual(database(folder), before)

  const { base } = await serveIn(t, folder, ['--no-auth'])
  assert.equal((await hydrant(['export', 'v2.yaml'], { cwd: folder })).status, 0)
  for (const path of ['/films', '/persons']) assert.equal((await fetch(base + path)).status, 200, path)
  writeFileSync(join(folder, 'v3.yaml'), API.replace('minutes', 'mins'))
  for (const args of [
    ['export', 'v3.yaml'],
    ['import', 'v3.yaml', '-'],
  ]) {
    assert.equal((await hydrant(args, { cwd: folder, input: LINES })).status, 1)
    assert.equal((await fetch(`${base}/films/1`)).status, 200, 'what is refused disturbs nobody')
  }
})

test('an import takes classes over that have no members', async (t) => {
  const folder = await folderWithFilm(t, API.replace('name: string', 'name: integer'))
  const person = '{"@id":"/persons/1","name":7}\n'
  const imported = await hydrant(['import', 'v2.yaml', '-'], { cwd: folder, input: person })
  assert.equal(imported.status, 0, imported.stderr)
})
