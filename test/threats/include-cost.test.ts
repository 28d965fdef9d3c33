import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, serveSignedIn } from '../api/signed-in.ts'
import { startBystander } from '../support/bystander.ts'
import { compareTimes } from '../support/timing.ts'

const API = 'classes: { Thing: { properties: { about: { type: Thing, many: true } } } }'
const IDS = Array.from({ length: 1_000 }, (_, index) => index.toString(36))
/** So many members have a link to each of all. */
const LINKING = 40
/** So many times the wait beside the same page without `include`; it was 15 before what is included was bounded. */
const MOST = 5

// contract: What is included is bounded before it is built
test('include over many links holds others up hardly longer than the page alone', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const { members } = service.store
  const about = IDS.map((id) => `${service.base}/things/${id}`)
  const inBatches = async (size: number, operations: readonly object[]) => {
    for (let from = 0; from < operations.length; from += size) {
      const operation = operations.slice(from, from + size)
      const { status, body } = await service.post('/batch', { operation })
      assert.equal(status, 200, body.slice(0, 200))
    }
  }
  const target = (id: string) => ({ method: 'PUT', target: `things/${id}` })
  await inBatches(
    500,
    IDS.map((id) => ({ ...target(id), ifNoneMatch: '*', body: {} })),
  )
  await inBatches(
    10,
    IDS.slice(0, LINKING).map((id) => ({ ...target(id), body: { about } })),
  )

  // Counted: neither links nor members are looked at beyond the bound.
  const { findAll } = members
  let found = 0
  Object.assign(members, {
    findAll: async (...args: Parameters<typeof findAll>) => {
      const read = await findAll(...args)
      found += read.length
      return read
    },
  })
  const path = `/things?itemsPerPage=${LINKING}&include=about&include=about.about`
  const page = (await service.get(path)).json() as { member: Json[]; view: Json }
  assert.ok(page.member.length < LINKING && page.view.next !== undefined, `${page.member.length} members`)
  assert.ok(found <= 2 * IDS.length, `${found} members were read`)

  const token = await service.client.signIn()
  const mount = new URL(service.base).pathname
  const head = (method: string, of: string, more = '') =>
    `${method} ${mount}${of} HTTP/1.1\r\nHost: test\r\nX-Authorization: ${token}\r\n${more}\r\n`
  const bystander = startBystander(service.port, head('HEAD', '/'))
  t.after(bystander.close)
  const closing = (of: string) => Buffer.from(head('GET', of, 'Connection: close\r\n'))
  const [plain, including] = [closing(`/things?itemsPerPage=${LINKING}`), closing(path)]
  const least = new Map<Buffer, number>()
  const wait = async (bytes: Buffer): Promise<number> => {
    const now = await bystander.waitBeside(bytes)
    least.set(bytes, Math.min(now, least.get(bytes) ?? now))
    return least.get(bytes) as number
  }
  await compareTimes(async () => {
    const [beside, alone] = [await wait(including), await wait(plain)]
    assert.ok(beside <= MOST * alone, `${beside} ms beside include, ${alone} ms beside the page alone`)
  })
})
