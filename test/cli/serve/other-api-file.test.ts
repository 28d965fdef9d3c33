import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import { openStore } from '../../../src/store/open.ts'
import { modelOf } from '../../support/service.ts'
import { assertRefused, folderWithApi, hydrant, serveIn } from '../command.ts'

const API =
  'classes:\n  Film: { properties: { title: string, minutes: integer } }\n  Person: { properties: { name: string } }\n'
const LINES = '{"@id":"/films/1","title":"a","minutes":90}\n{"@id":"/persons/1","name":"b"}\n'

async function folderWithMembers(t: TestContext): Promise<string> {
  const folder = folderWithApi(t, API)
  const imported = await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input: LINES })
  assert.equal(imported.status, 0, imported.stderr)
  return folder
}

interface Line {
  readonly level: number
  readonly msg: string
}

const [INFO, WARN] = [30, 40]

const linesOf = (output: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

test('serve logs what another API file does to the data; what is hidden by it is a warning', async (t) => {
  const folder = await folderWithMembers(t)
  const started = async (api: string) => {
    writeFileSync(join(folder, 'v2.yaml'), api)
    const server = await serveIn(t, folder, ['v2.yaml', '--no-auth'])
    const lines = linesOf(server.stdout())
    await server.stop()
    return lines.filter(({ msg }) => /member/.test(msg) && !/migrating the members/.test(msg))
  }
  const said = (lines: readonly Line[]) => lines.map(({ level, msg }) => [level, msg])
  const film = 'classes:\n  Film: { properties: { title: string } }\n'
  assert.deepEqual(said(await started(film)), [
    [WARN, 'Person is not in the file any more; its 1 member is hidden until it is back.'],
    [WARN, 'Film: "minutes" is not in the file any more; hidden in 1 member until it is back.'],
  ])
  assert.deepEqual(said(await started(API.replace('title: string', 'name: { type: string, was: title }'))), [
    [INFO, 'Film: "title" becomes "name" (1 member).'],
    [INFO, 'Film: "minutes" is back in the file; shown again in 1 member.'],
  ])
})

// contract: `hydrant serve --migrate=compatible` starts only
// contract: `--migrate` ¦
test('serve --migrate=compatible starts only where hosts with the former file go on serving', async (t) => {
  const folder = await folderWithMembers(t)
  const rows: readonly (readonly [from: string, to: string, named: string])[] = [
    ['minutes: integer', 'minutes: string', 'Film.minutes is string now, and was integer'],
    ['title: string', 'name: { type: string, was: title }', 'Film.name was "title"'],
    ['title: string', 'title: { type: string, unique: true }', 'Film.title must be unique now'],
    ['  Person:', '  Human: { was: Person }\n  Somebody:', 'Human was Person'],
  ]
  for (const [from, to, named] of rows) {
    writeFileSync(join(folder, 'v2.yaml'), API.replace(from, to))
    const refused = await hydrant(['serve', 'v2.yaml', '--no-auth', '--migrate', 'compatible'], {
      cwd: folder,
    })
    assertRefused(refused, 1, named, '--migrate=compatible')
  }
  writeFileSync(join(folder, 'v2.yaml'), API.replace('title: string', 'title: string, year: integer'))
  const server = await serveIn(t, folder, ['v2.yaml', '--no-auth', '--migrate', 'compatible'])
  assert.equal((await fetch(`${server.base}/films/1`)).status, 200)
})

test('a server whose members another one has migrated says so once in its log', async (t) => {
  const folder = await folderWithMembers(t)
  const first = await serveIn(t, folder, ['--no-auth'])
  const others = classSchemas(modelOf(API.replace('minutes', 'mins')))
  await (await openStore(`sqlite:${join(folder, 'hydrant.db')}`, others)).close()
  for (let request = 0; request < 3; request++)
    assert.equal((await fetch(`${first.base}/films/1`)).status, 503)
  const warnings = linesOf(first.stdout()).filter(({ msg }) => /with another API file/.test(msg))
  assert.deepEqual(
    warnings.map(({ level }) => level),
    [WARN],
  )
})
