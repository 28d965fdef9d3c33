import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createInput } from '../../src/api/index.ts'
import { readJson } from '../../src/json.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { FIRST_MEMBER, type MemberStore, type NewMember } from '../../src/members/index.ts'
import { openStore } from '../../src/store/open.ts'
import { newPostgres } from '../support/postgres.ts'
import { inSoak } from '../support/soak.ts'
import { classIn, modelOf } from '../vocabulary/api-files.ts'

const API = `
classes:
  Booking:
    unique: [[room, day]]
    properties: { room: string, day: { type: date, filterable: false } }
`
const ROUNDS = inSoak(40, 8)
const model = modelOf(API)
const input = createInput(classIn(model, 'Booking'), 'http://localhost/api')

const booking = (id: string, room: string): NewMember =>
  input.create(readJson(JSON.stringify({ room, day: '2026-01-01' })) as never, id, 0)

/** Three processes, as far as PostgreSQL can tell. */
async function openThree(t: TestContext): Promise<MemberStore[]> {
  const url = newPostgres(t)
  const stores: MemberStore[] = []
  for (let host = 0; host < 3; host++) {
    const store = await openStore(url, classSchemas(model))
    t.after(() => store.close())
    stores.push(store.members)
  }
  return stores
}

type WriteOne = (store: MemberStore, id: string, room: string) => Promise<string>

/** Each writes the values to another member; the ids `change …` exist before. */
const WRITES: readonly WriteOne[] = [
  async (store, id, room) => (await store.add('Booking', booking(id, room))).outcome,
  async (store, id, room) => {
    const member = booking(id, room)
    return (await store.change('Booking', `change ${id}`, undefined, () => member)).outcome
  },
  async (store, id, room) => {
    const added = await store.addAll([
      { className: 'Booking', member: booking(`${id} a`, `${room} free ${id}`) },
      { className: 'Booking', member: booking(id, room) },
    ])
    return added[1]?.outcome ?? ''
  },
  async (store, id, room) => {
    const outcomes = await store.writeAll([
      { kind: 'add', className: 'Booking', member: booking(`${id} b`, `${room} other ${id}`) },
      { kind: 'add', className: 'Booking', member: booking(id, room) },
    ])
    return outcomes[1]?.outcome ?? ''
  },
]

// contract: Under races, in batches, on both stores
test('of three hosts that write the same values at once, by whatever way, one succeeds', async (t) => {
  const stores = await openThree(t)
  const [first] = stores
  const isDone = (outcome: string) => outcome === 'added' || outcome === 'changed'
  for (let round = 0; round < ROUNDS; round++) {
    const writes = stores.flatMap((store, host) =>
      WRITES.map((write, way) => ({ store, write, id: `${round}-${host}-${way}` })),
    )
    for (const { id } of writes) await first?.add('Booking', booking(`change ${id}`, `before ${id}`))
    const outcomes = await Promise.all(
      writes.map(({ store, write, id }) => write(store, id, `room ${round}`)),
    )
    assert.equal(outcomes.filter(isDone).length, 1, `round ${round}: ${outcomes.join()}`)
    assert.ok(outcomes.every((outcome) => isDone(outcome) || outcome === 'refused'))
    const page = await first?.list('Booking', { ...FIRST_MEMBER, limit: 10_000 })
    const rooms = page?.members.map(({ body }) => body).filter((body) => body.includes(`"room ${round}"`))
    assert.equal(rooms?.length, 1)
  }
})

// contract: Under races, in batches, on both stores
test('a host that is refused hears which properties, together', async (t) => {
  const [one, other] = await openThree(t)
  await one?.add('Booking', booking('a', 'x'))
  const refused = { outcome: 'refused', dangling: [], taken: ['room day'] }
  assert.deepEqual(await other?.add('Booking', booking('b', 'x')), refused)
  await other?.add('Booking', booking('b', 'y'))
  const moved = booking('b', 'x')
  assert.deepEqual(await other?.change('Booking', 'b', undefined, () => moved), refused)
})
