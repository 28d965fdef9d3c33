import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HYDRANT, run } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { hydrant } from '../command.ts'
import { GRAPH, graphData } from '../graph.ts'

const SIZE = { leaves: 100, nodes: 300, circle: 60 }
const DATA = graphData(SIZE)

const KILL_AT = join(import.meta.dirname, '../kill-at.ts')

function folderWithData(t: TestContext): string {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'graph.yaml'), GRAPH)
  writeFileSync(join(folder, 'data.ndjson'), DATA.map((member) => `${JSON.stringify(member)}\n`).join(''))
  return folder
}

const IMPORT = ['import', 'graph.yaml', 'data.ndjson', '--json']

const kill = (folder: string, when: string) =>
  // By NODE_OPTIONS, which the thread that writes has too.
  run(process.execPath, [HYDRANT, ...IMPORT], {
    cwd: folder,
    env: { KILL_AT: when, NODE_OPTIONS: `--import=${KILL_AT}` },
  })

async function exported(folder: string): Promise<string[]> {
  const { stdout, stderr, status } = await hydrant(['export', 'graph.yaml'], { cwd: folder })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter(Boolean).toSorted()
}

const PLACES: readonly { readonly name: string; readonly when: string; readonly fewerThan?: number }[] = [
  {
    name: 'an import that was killed in the middle of a batch',
    when: '250 ^INSERT INTO members_',
    // The last of them were never committed.
    fewerThan: 250,
  },
  { name: 'an import that was killed between two batches', when: '6 ^COMMIT' },
  {
    name: 'an import that was killed while it added what links to later members',
    when: `${SIZE.nodes + SIZE.circle + SIZE.leaves / 2} ^INSERT INTO members_`,
  },
  { name: 'an import that was killed while it set links in a circle', when: '50 ^UPDATE members_' },
]

// contract: `hydrant import <api-file> <data>` / `export
test('an import that is killed, wherever that is, and run again has added everything once', async (t) => {
  const whole = folderWithData(t)
  assert.equal((await hydrant(IMPORT, { cwd: whole })).status, 0)
  const expected = await exported(whole)
  assert.equal(expected.length, DATA.length)

  for (const { name, when, fewerThan = DATA.length + 1 } of PLACES) {
    await t.test(name, async (t) => {
      const folder = folderWithData(t)
      const killed = await kill(folder, when)
      assert.equal(killed.status, null, killed.stderr)
      const left = await exported(folder)
      assert.ok(left.length > 0 && left.length < fewerThan, `${left.length} were added before it was killed`)
      assert.notDeepEqual(left, expected)

      const again = await hydrant(IMPORT, { cwd: folder })
      assert.equal(again.status, 0, again.stderr)
      const { added, alreadyThere, refused } = JSON.parse(again.stdout)
      assert.deepEqual([added, alreadyThere, refused], [DATA.length - left.length, left.length, 0])
      assert.deepEqual(await exported(folder), expected)
    })
  }
})
