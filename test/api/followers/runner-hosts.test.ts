import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createEventIds } from '../../../src/api/index.ts'
import { createHydrant, type Hydrant } from '../../../src/library/index.ts'
import { keyOfMember } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { type Running, start } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { inSoak, soakTest } from '../../support/soak.ts'
import { SHARED_STORES } from '../../support/stores.ts'
import { API, type Handled, SILENT } from './host.ts'

const HOST = join(import.meta.dirname, 'host.ts')

/** Hosts on one database, one of which has the follower, and a writer that has none. */
async function startHosts(t: TestContext, db: string, count: number) {
  const record = join(temporaryFolder(t), 'record')
  const writer = await createHydrant({ api: API, db, auth: false, log: SILENT })
  t.after(writer.close)
  const hosts: Running[] = []
  const add = async () => hosts.push(await start(t, [HOST, db, record], /ready/))
  for (let number = 0; number < count; number++) await add()
  const handled = (): Handled[] =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : []

  /** Nobody may have taken over yet: then any host. */
  const holderIndex = () =>
    Math.max(
      0,
      hosts.findIndex(({ child }) => child.pid === handled().at(-1)?.pid),
    )

  /** Ends the host that has handled the last change. */
  async function endHolder(signal: NodeJS.Signals): Promise<void> {
    const [holder] = hosts.splice(holderIndex(), 1)
    await holder?.stop(signal)
  }

  /** Stops it for longer than its lease lasts. */
  async function freezeHolder(): Promise<void> {
    const { child } = hosts[holderIndex()] as Running
    child.kill('SIGSTOP')
    await wait(9_000)
    child.kill('SIGCONT')
  }

  return { writer, handled, add, endHolder, freezeHolder, hosts }
}

/** Adds, changes and removes some orders at random. */
async function write({ members }: Hydrant, changes: number): Promise<void> {
  const orders = members('orders')
  const present: string[] = []
  for (let made = 0; made < changes; made++) {
    const choice = Math.random()
    const index = Math.floor(Math.random() * present.length)
    const id = present[index]
    if (id === undefined || choice < 0.2)
      present.push((await orders.add({ note: `${made}` }))['@id'] as string)
    else if (choice < 0.95) await orders.change(id, { note: `${made}` })
    else await orders.remove(present.splice(index, 1)[0] as string)
  }
}

/** The ids of all events of the log, with their members, in order. */
async function readLog(db: string, base: string) {
  const { changes, auth, close } = await openStore(db)
  const ids = createEventIds({ secret: await auth.nonceSecret(), base, changes }, await changes.epoch())
  const all: { readonly event: string; readonly member: string }[] = []
  const last = await changes.last()
  for (let position = 1; position <= (last?.position ?? 0); position++) {
    const change = await changes.find(position)
    if (change !== undefined) all.push({ event: ids.of(change), member: keyOfMember(change) })
  }
  await close()
  return all
}

type Log = Awaited<ReturnType<typeof readLog>>

async function untilHandled(handled: () => readonly Handled[], log: Log): Promise<void> {
  while (new Set(handled().map(({ event }) => event)).size < log.length) await wait(50)
}

/** Of each member, the events that were handled: repeats only where a host has ended without saving what it had done. */
function requireInOrder(log: Log, handled: readonly Handled[]): void {
  const memberOf = new Map(log.map(({ event, member }) => [event, member]))
  const firstOf = (events: readonly string[]) => [...new Set(events)]
  const byMember = (all: readonly { readonly event: string }[]) => ({
    ...Object.groupBy(
      firstOf(all.map(({ event }) => event)),
      (event) => memberOf.get(event) ?? 'not in the log',
    ),
  })
  assert.deepEqual(byMember(handled), byMember(log))
  const runs = Map.groupBy(handled, ({ pid }) => pid)
  // Within one run of a host nothing comes again.
  for (const run of runs.values())
    assert.equal(new Set(run.map(({ event }) => event)).size, run.length, 'a host has repeated a change')
}

// members/followers has who holds a follower, and until when, on a file that processes share as well.
for (const { name, newDatabase } of inSoak(SHARED_STORES, SHARED_STORES.slice(1))) {
  const hostCount = name === 'SQLite' ? 2 : 3

  // contract: **Followers**: `followers
  test(`${name}: hosts that stop hand over at once, and those that are killed within 10 s; nothing is missed`, async (t) => {
    const db = newDatabase(t)
    const { writer, handled, endHolder, add, hosts } = await startHosts(t, db, hostCount)
    await write(writer, 60)
    while (handled().length === 0) await wait(20)
    await Promise.all([write(writer, 60), endHolder('SIGTERM')])
    const first = await readLog(db, writer.base)
    await untilHandled(handled, first)
    // Without faults each change is handled once: what fails at first was not handled then.
    assert.equal(handled().length, first.length)
    if (hosts.length < 2) await add()
    await Promise.all([write(writer, 60), endHolder('SIGKILL')])
    const whole = await readLog(db, writer.base)
    await untilHandled(handled, whole)
    requireInOrder(whole, handled())
  })

  soakTest(
    `${name}: whichever hosts end in whatever way, nothing is missed, and the order holds`,
    async (t) => {
      const db = newDatabase(t)
      const { writer, handled, endHolder, freezeHolder, add } = await startHosts(t, db, hostCount)
      const endings = [
        freezeHolder,
        () => endHolder('SIGTERM').then(add),
        () => endHolder('SIGKILL').then(add),
        () => endHolder('SIGKILL').then(add),
      ]
      for (let round = 0; round < inSoak(8, 1); round++) {
        await write(writer, 200)
        while (handled().length === 0) await wait(20)
        await Promise.all([write(writer, 200), endings[Math.floor(Math.random() * endings.length)]?.()])
        if (round % 4 === 3) {
          const log = await readLog(db, writer.base)
          await untilHandled(handled, log)
          requireInOrder(log, handled())
        }
      }
    },
  )
}
