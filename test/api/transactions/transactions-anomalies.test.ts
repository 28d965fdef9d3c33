import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { HttpError, type Hydrant } from '../../../src/library/index.ts'
import { start } from '../../support/processes.ts'
import { inSoak } from '../../support/soak.ts'
import { SHARED_STORES } from '../../support/stores.ts'
import { check, openHost, prepare, write } from './writers.ts'

const ROUNDS = inSoak(300, 12)
const KILLS = inSoak(20, 1)

async function openHosts(t: TestContext, db: string, count: number) {
  const hosts: Hydrant[] = []
  for (let opened = 0; opened < count; opened++) hosts.push(await openHost(db))
  t.after(async () => {
    for (const host of hosts) await host.close()
  })
  await prepare(hosts[0] as Hydrant)
  return hosts
}

for (const { name, newDatabase } of SHARED_STORES) {
  const hosts = name === 'SQLite' ? 1 : 3

  // contract: What was read must still be so at the commit
  test(`${name}: 16 writers, beside single writes and batches, do only what some order of them would do`, async (t) => {
    const opened = await openHosts(t, newDatabase(t), hosts)
    let isOver = false
    const checking = (async () => {
      // The check reads everything, and may find others always faster.
      while (!isOver)
        await check(opened[0] as Hydrant).catch((error) => {
          if (!(error instanceof HttpError)) throw error
        })
    })()
    const busy = await write(opened, { writers: 16, rounds: ROUNDS }).finally(() => {
      isOver = true
    })
    await checking
    await check(opened[0] as Hydrant)
    t.diagnostic(`${busy} of ${16 * ROUNDS} got 503`)
    assert.ok(busy < 16 * ROUNDS, 'not all are refused')
  })

  test(`${name}: processes that are killed leave whole transactions`, async (t) => {
    const db = newDatabase(t)
    const [host] = await openHosts(t, db, 1)
    const program = join(import.meta.dirname, 'writers.ts')
    const acknowledged = new Set<string>()
    for (let kill = 0; kill < KILLS; kill++) {
      const child = await start(t, [program, db, '10000', '8'], /ready/)
      const writing = write([host as Hydrant], { writers: 4, rounds: 12 })
      if (kill === 0) while (child.stdout().split('\n').length < 4) await wait(5)
      await writing
      await child.stop('SIGKILL')
      for (const line of child.stdout().split('\n').slice(1, -1)) acknowledged.add(line)
      await check(host as Hydrant)
    }
    assert.ok(acknowledged.size > 0)
    for (const writer of acknowledged)
      assert.equal((await host?.members('sales').list({ writer }))?.total, 1, writer)
  })
}
