import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../api/queries.ts'
import { serveSignedIn } from '../api/signed-in.ts'
import { put } from '../api/walks.ts'
import { startBystander } from '../support/bystander.ts'
import { inSoak } from '../support/soak.ts'
import { compareTimes } from '../support/timing.ts'
import { type Head, type Hostile, hostileRequests } from './hostile-requests.ts'

/** So many times as long as beside a harmless request a bystander may wait: other characters have their price too. */
const MOST = 40
/** What takes the square of its length shows at a part of it; the whole could take hours. */
const PARTS = inSoak([1 / 64, 1 / 16, 1 / 4, 1], [1 / 16, 1])
/** What is longer shows it well before its whole length, what is shorter does not show it. */
const [LEAST_BYTES, MOST_BYTES] = inSoak([0, Number.POSITIVE_INFINITY], [2 * 1024, 64 * 1024])

test('nothing that a place can be filled with makes others wait longer than a harmless request of its length', async (t) => {
  const service = await serveSignedIn(t, { api: KINDS, flags: { trustProxy: '127.0.0.1' } })
  await put(service, '/kinds/k', { text: 'a' })
  const token = await service.client.signIn()
  const mount = new URL(service.base).pathname
  const head: Head = (method, path, headers) =>
    `${method} ${mount}${path} HTTP/1.1\r\nHost: test\r\nX-Authorization: ${token}\r\n${headers}\r\n`
  const bystander = startBystander(service.port, head('HEAD', '/', ''))
  t.after(bystander.close)

  const leastBeside = new Map<Buffer, number>()
  async function wait(bytes: Buffer): Promise<number> {
    const least = Math.min(leastBeside.get(bytes) ?? Infinity, await bystander.waitBeside(bytes))
    leastBeside.set(bytes, least)
    return least
  }
  const isCheap = ({ request, harmless, limit }: Hostile, part: number): Promise<boolean> => {
    const bytes = request(limit * part)
    return compareTimes(async () => {
      const beside = leastBeside.get(harmless) ?? (await wait(harmless))
      if ((await wait(bytes)) <= MOST * beside) return
      assert.ok((await wait(bytes)) <= MOST * (await wait(harmless)))
    }).then(
      () => true,
      () => false,
    )
  }

  const costly: string[] = []
  for (const hostile of hostileRequests(head)) {
    for (const part of PARTS) {
      const bytes = hostile.limit * part
      if (bytes < LEAST_BYTES || bytes > MOST_BYTES || (await isCheap(hostile, part))) continue
      costly.push(hostile.name)
      break
    }
  }
  assert.deepEqual(costly, [])
  assert.deepEqual(
    service.logged.filter((line) => line.includes('"level":"error"')),
    [],
  )
})
