import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { onPostgres } from '../../support/postgres.ts'
import { HYDRANT } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { serveIn } from '../command.ts'
import { GRAPH, graphData } from '../graph.ts'
import { done, newPlace, type Place } from '../postgres-place.ts'
import { stallAt } from '../stall.ts'

const DATA = graphData({ leaves: 100, nodes: 300, circle: 60 })

function graphPlace(t: TestContext): Place {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'graph.yaml'), GRAPH)
  writeFileSync(join(folder, 'data.ndjson'), DATA.map((member) => `${JSON.stringify(member)}\n`).join(''))
  return newPlace(t, folder)
}

const IMPORT = ['import', 'graph.yaml', 'data.ndjson', '--json']

const exported = async ({ command }: Place): Promise<string[]> =>
  (await done(command(['export', 'graph.yaml']))).split('\n').filter(Boolean).toSorted()

interface Stop {
  readonly name: string
  readonly className: string
  readonly when: string
}

const STOPS: readonly Stop[] = [
  { name: 'in the middle of a batch', className: 'Node', when: 'INSERT NEW.sequence = 250' },
  {
    name: 'while it adds what links to later members',
    className: 'Leaf',
    when: 'INSERT NEW.sequence % 100 = 50',
  },
  { name: 'while it sets links in a circle', className: 'Node', when: "UPDATE NEW.id = '50'" },
]

/** Starts an import, and kills it with SIGKILL while PostgreSQL carries out a statement of its. */
async function killAt(t: TestContext, place: Place, { className, when }: Stop): Promise<void> {
  const { folder, url, env, command } = place
  writeFileSync(join(folder, 'nothing.ndjson'), '')
  await done(command(['import', 'graph.yaml', 'nothing.ndjson']))
  const [[id] = []] = await onPostgres(url, 'SELECT id FROM classes WHERE name = $1', [className])
  const [event, ...condition] = when.split(' ')
  const stall = await stallAt(
    url,
    `AFTER ${event} ON members_${id} FOR EACH ROW WHEN (${condition.join(' ')})`,
  )
  const child = spawn(process.execPath, [HYDRANT, ...IMPORT], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await stall.reached(child)
  assert.equal(child.exitCode, null, 'it has ended before it could be killed')
  child.kill('SIGKILL')
  await ended
  await stall.end()
}

describe('bulk data on PostgreSQL', () => {
  test('an import that is killed and run again has added everything once', async (t) => {
    const whole = graphPlace(t)
    await done(whole.command(IMPORT))
    const expected = await exported(whole)
    assert.equal(expected.length, DATA.length)

    // The others differ by what the import was doing, which is the same on SQLite (transfer-interrupted.test.ts).
    for (const stop of inSoak(STOPS, STOPS.slice(0, 1))) {
      await t.test(stop.name, async (t) => {
        const place = graphPlace(t)
        await killAt(t, place, stop)
        const left = await exported(place)
        assert.ok(left.length < DATA.length || stop.when.startsWith('UPDATE'))
        assert.notDeepEqual(left, expected)
        const again = await place.command(IMPORT)
        assert.equal(again.status, 0, again.stderr)
        const { added, alreadyThere, refused } = JSON.parse(again.stdout)
        assert.deepEqual([added, alreadyThere, refused], [DATA.length - left.length, left.length, 0])
        assert.deepEqual(await exported(place), expected)
      })
    }
  })

  test('an export reads while others write, and an import loses nothing of what is posted meanwhile', async (t) => {
    const place = newPlace(t)
    const { folder, env, command } = place
    const lines = Array.from({ length: 1_500 }, (_, id) => `{"@type":"Author","name":"imported ${id}"}\n`)
    writeFileSync(join(folder, 'data.ndjson'), lines.join(''))
    const { base } = await serveIn(t, folder, ['--no-auth'], env)
    let isImported = false
    const importing = done(command(['import', 'api.yaml', 'data.ndjson', '--json'])).finally(() => {
      isImported = true
    })
    let posted = 0
    while (!isImported) {
      const response = await fetch(`${base}/authors`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `posted ${posted}` }),
      })
      assert.equal(response.status, 201, await response.text())
      posted += 1
    }
    assert.equal(JSON.parse(await importing).added, lines.length)
    const written = await done(command(['export', 'api.yaml']))
    assert.equal(written.split('\n').filter(Boolean).length, lines.length + posted)
  })
})
