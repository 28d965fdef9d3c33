import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderWithApi, serveIn } from '../cli/command.ts'
import { newDatabase } from '../support/databases.ts'
import { hydrant } from '../support/processes.ts'
import { compareTimes } from '../support/timing.ts'

const API = `
classes:
  Large: { properties: { text: { type: string, filterable: false }, rank: integer } }
  Small: { properties: { text: { type: string, filterable: false }, rank: integer } }
`
/** A hundred of the small ones just fit a page of 4 MiB; all of the large ones would be twenty megabytes. */
const LARGE = { name: 'Large', count: 20, text: 'x'.repeat(1_000_000) }
const SMALL = { name: 'Small', count: 100, text: 'x'.repeat(40_000) }

const linesOf = ({ name, count, text }: typeof LARGE): string =>
  Array.from({ length: count }, (_, rank) => `${JSON.stringify({ '@type': name, text, rank })}\n`).join('')

const ROUNDS = 2
/** So many times the wait beside pages of small members; without a bound on the bytes of a page it would be ten. */
const MOST = 4

// contract: A page ends after its members or 4 MiB
test('pages and exports of members of 1 MB hold others up no longer than pages of small ones', async (t) => {
  const folder = folderWithApi(t, API)
  const env = { HYDRANT_DB: newDatabase(t) }
  writeFileSync(join(folder, 'data.ndjson'), linesOf(LARGE) + linesOf(SMALL))
  const imported = await hydrant(['import', 'api.yaml', 'data.ndjson'], { cwd: folder, env })
  assert.equal(imported.status, 0, imported.stderr)
  const { base } = await serveIn(t, folder, ['--no-auth'], env)
  const ask = async (path: string, method = 'GET'): Promise<void> => {
    const response = await fetch(`${base}${path}`, { method })
    assert.equal(response.status, 200, path)
    const { byteLength } = await response.arrayBuffer()
    assert.ok(byteLength < 5 * 1024 * 1024, `${path} has ${byteLength} bytes`)
  }

  const loads: Readonly<Record<string, () => Promise<void>>> = {
    'pages of small members': () => ask('/smalls?itemsPerPage=100'),
    'pages of large members': () => ask('/larges?itemsPerPage=100'),
    'large members in an order': () => ask('/larges?itemsPerPage=100&order[rank]=desc'),
    'HEAD of large members': () => ask('/larges?itemsPerPage=100', 'HEAD'),
  }
  const exportAll = async () => {
    const exported = await hydrant(['export', 'api.yaml', 'exported.ndjson'], { cwd: folder, env })
    assert.equal(exported.status, 0, exported.stderr)
  }
  await compareTimes(async () => {
    /** Of the calmest round: other programs only ever make it longer. */
    const waits = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, load] of Object.entries(loads)) {
        const wait = Math.max(...(await waitsBeside(() => ask('/'), load)))
        waits.set(name, Math.min(wait, waits.get(name) ?? Number.POSITIVE_INFINITY))
      }
    }
    // An export is another program, and lasts for hundreds of requests, one of which is late by chance.
    waits.set('an export', average(await waitsBeside(() => ask('/'), exportAll)))
    const beside = waits.get('pages of small members') ?? 0
    for (const [name, wait] of waits)
      assert.ok(wait < MOST * beside, `${name}: ${wait} ms, beside pages of small members ${beside} ms`)
  })
})

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** How long a bystander waits, one request after the other, until the load is answered. */
async function waitsBeside(bystand: () => Promise<void>, load: () => Promise<void>): Promise<number[]> {
  let isOver = false
  const waits: number[] = []
  const loaded = load().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const started = performance.now()
    await bystand()
    waits.push(performance.now() - started)
  }
  await loaded
  return waits
}
