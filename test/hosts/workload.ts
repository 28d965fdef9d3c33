import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClientOptions, Clients, type WrittenMember } from './clients.ts'
import { type Follower, type ObservedLine, ObservedStream } from './observers.ts'
import type { Rotation } from './rotation.ts'

// Hosts under load while they are replaced (hosts.md), for every test of that:
//
//   const follower = await startFollower(t, ['Note'])
//   const plan = { build: THIS_BUILD, api, flags: follower.flags }
//   const rotation = await startRotation(t, await prepareDatabase(t, newPostgres(t)), [plan, plan, plan])
//   const token = await rotation.next().client.signIn()
//   const workload = await startWorkload(t, rotation, { token, collection: '/notes', follower })
//   for (const place of [0, 1, 2]) {
//     await rotation.replace(place, { ...plan, api: changed })
//     await workload.goOn(20)
//   }
//   await workload.end()

export interface WorkloadOptions extends ClientOptions {
  /** Its class must be that of the collection. */
  readonly follower: Follower
  /** 8 by default. */
  readonly writers?: number
  readonly readers?: number
  /** 3 by default. */
  readonly streams?: number
}

export interface Workload {
  /** How much was done so far. */
  counts(): { readonly writes: number; readonly reads: number; readonly events: number }
  /** Resolves when so many further writes were acknowledged; rejects after a minute without one. */
  goOn(writes: number): Promise<void>
  /**
   * Stops the clients and waits for the last events. Throws if a response was 5xx, an acknowledged write was lost, a read
   * was stale, or a stream or the follower has missed an event or got one out of order. `mayBeCut`: whether a host was
   * killed, so that requests have had no response.
   */
  end(options?: { readonly mayBeCut?: boolean }): Promise<void>
}

const LIMIT_MS = 60_000

/** `rotation`: hosts whose database has the user of `token`. Ends with the test, if it has not before. */
export async function startWorkload(
  t: TestContext,
  rotation: Rotation,
  options: WorkloadOptions,
): Promise<Workload> {
  const { follower, writers = 8, readers = 8, streams: streamCount = 3, token } = options
  const streams = numbers(streamCount).map(() => new ObservedStream(rotation, token))
  const clients = new Clients(rotation, options)
  t.after(async () => {
    clients.stop()
    await Promise.all(streams.map((stream) => stream.stop()))
  })
  await Promise.all(streams.map((stream) => stream.started()))
  const { counts, findings, members } = clients
  const running = [
    ...numbers(writers).map((writer) => clients.write(writer)),
    ...numbers(readers).map((reader) => clients.read(reader)),
  ]
  return {
    counts: () => ({ ...counts, events: follower.lines.length }),
    async goOn(writes) {
      for (const enough = counts.writes + writes; counts.writes < enough; ) {
        const before = counts.writes
        await until(`another write: ${JSON.stringify(findings)}`, () => counts.writes > before)
      }
    },
    async end({ mayBeCut = false } = {}) {
      clients.stop()
      await Promise.all(running)
      const observers = [follower, ...streams]
      // What is missing is named below.
      await until('', () => observers.every(({ lines }) => lines.length >= counts.writes)).catch(() => {})
      await Promise.all(streams.map((stream) => stream.stop()))
      // One after the other by writer: all at once would be another load than the test's.
      const checks = numbers(writers).map(async (writer) => {
        for (let index = writer; index < members.length; index += writers)
          await clients.check(members[index] as WrittenMember)
      })
      await Promise.all(checks)
      for (const [index, { lines }] of observers.entries()) {
        const name = index === 0 ? 'follower' : `stream ${index}`
        findings.wrong.push(...differences(members, lines).map((line) => `${name}: ${line}`))
      }
      findings.serverErrors.push(...streams.flatMap(({ refused }) => refused))
      assert.deepEqual(findings, { serverErrors: [], wrong: [], cut: mayBeCut ? findings.cut : [] })
      const [first = '', ...others] = streams.map(({ lines }) => lines.join('\n'))
      for (const other of others) assert.equal(other, first)
    },
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + LIMIT_MS; !isSo(); await wait(20))
    assert.ok(performance.now() < end, `not within a minute: ${what}`)
}

/** The changes of each member must have come in the order of its writes, each once. */
function differences(members: readonly WrittenMember[], lines: readonly ObservedLine[]): string[] {
  const observed = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(' ')))
  return members.flatMap(({ path, changes, isUncertain }) => {
    const expected = changes.map((change) => `${path} ${change}`)
    const found = observed.get(path) ?? []
    // The write without a response may have been the last one.
    const compared = isUncertain ? found.slice(0, expected.length) : found
    return compared.join() === expected.join() ? [] : [`expected ${expected}; observed ${found}`]
  })
}
