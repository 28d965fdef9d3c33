// How fast a follower catches up (library.md): changes that were made while no program had it, with a handler that does
// nothing, on both stores.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHydrant } from '../src/library/index.ts'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import type { Report } from './report.ts'
import { flags } from './rounds.ts'

const CHANGES = flags.short ? 2_000 : 100_000
const BATCH = 500
const TARGET = 2_000

const API = { title: 'Shop', classes: { Order: { properties: { note: { type: 'string' } } } } }
const QUIET = { error: console.error, warn: console.error, info() {}, debug() {} }

export async function measureFollowers(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-followers-'))
  const server = await createPostgresServer()
  try {
    const rows = [
      ['SQLite', await changesPerSecond(`sqlite:${join(folder, 'bench.db')}`)],
      ['PostgreSQL', await changesPerSecond(server.url)],
    ] as const
    return {
      tables: [{ name: 'followers', columns: ['store', 'changes/s in catch-up'], rows }],
      targets: rows.map(([store, measured]) => ({
        workload: `follower that catches up, ${store}, changes/s`,
        measured,
        target: TARGET,
      })),
    }
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true })
  }
}

async function changesPerSecond(db: string): Promise<number> {
  const settings = { api: API, db, auth: false, log: QUIET }
  const follow = (handle: () => void) => ({ followers: { bench: { classes: ['Order'], handle } } })
  // At the end of the log, before the changes.
  await (await createHydrant({ ...settings, ...follow(() => {}) })).close()
  await makeChanges(settings)
  const done = Promise.withResolvers<void>()
  let handled = 0
  const started = performance.now()
  const hydrant = await createHydrant({
    ...settings,
    ...follow(() => {
      handled += 1
      if (handled === CHANGES) done.resolve()
    }),
  })
  await done.promise
  const seconds = (performance.now() - started) / 1_000
  await hydrant.close()
  return CHANGES / seconds
}

async function makeChanges(settings: Parameters<typeof createHydrant>[0]): Promise<void> {
  const hydrant = await createHydrant(settings)
  for (let made = 0; made < CHANGES; made += BATCH) {
    const operation = Array.from({ length: BATCH }, (_, index) => ({
      method: 'POST',
      target: 'orders',
      body: { note: `order ${made + index}` },
    }))
    const response = await hydrant.handle(
      new Request(`${hydrant.base}/batch`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ operation }),
      }),
    )
    if (response.status !== 200) throw new Error(await response.text())
  }
  await hydrant.close()
}
