import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { CREATE } from '../newsroom.ts'
import { type EventsPage, shown } from './changes.ts'
import { COLLECTIONS, type Copy, followByPages, followByStream, listed } from './copies.ts'
import { type Person, type Studio, serveStudio } from './studio.ts'
import {
  eventsOf,
  isHeld,
  LINKS,
  type Linking,
  PERSONS,
  type StudioState,
  type StudioWrite,
  sees,
  withWrite,
} from './studio-model.ts'

const IDS = ['a', 'b', 'c']
const NAMES = Object.keys(LINKS) as Linking[]
/** Without the manager, who sees everything. */
const FOLLOWERS = PERSONS.filter((person) => person !== 'manager')

/** Random numbers, which say what a write is once the state before it is known. */
type Numbers = readonly number[]

const anyWrite: fc.Arbitrary<Numbers> = fc.array(fc.nat(9_999), { minLength: 12, maxLength: 12 })

/** One write, several in one transaction, or several at once. */
/** A write takes longer on PostgreSQL, and the feed is made the same way. */
const isSqlite = (t: TestContext): boolean => newDatabase(t).startsWith('sqlite:')

const anyStep = fc.record({
  how: fc.constantFrom('alone', 'alone', 'alone', 'batch', 'together' as const),
  writes: fc.array(anyWrite, { minLength: 3, maxLength: 3 }),
})

type Step = { readonly how: string; readonly writes: readonly Numbers[] }

const pick = <T>(list: readonly T[], number = 0): T => list[number % list.length] as T

/** A write that the state allows. `creator`: who creates members; anybody, if it is undefined. */
function writeOf(state: StudioState, numbers: Numbers, creator?: Person): StudioWrite {
  const [kind = 0, of = 0, which = 0, who, ...rest] = numbers
  const collection = pick(NAMES, of)
  const name = `${collection}/${pick(IDS, which)}`
  const isNew = !state.has(name)
  const by = creator ?? (isNew && collection !== 'folders' ? pick(PERSONS, who) : 'manager')
  const targets = (to: string): readonly string[] =>
    to === 'accounts' ? FOLLOWERS : IDS.filter((id) => sees(state, by, `${to}/${id}`))
  const links = Object.entries(LINKS[collection] as LinkKinds).map(([property, { to, many }], index) => {
    const chosen = targets(to).filter((_, place) => (rest[index * 3 + place] ?? 0) % (many ? 2 : 3) === 0)
    return [property, many ? chosen : chosen.slice(0, 1)] as const
  })
  if (isNew) return { kind: 'create', by, name, links: Object.fromEntries(links) }
  if (kind % 4 === 0 && !isHeld(state, name)) return { kind: 'remove', name }
  // Without any link it is a change that moves nothing.
  const changed = links.filter((_, index) => (kind >> index) % 4 > 0)
  return { kind: 'change', name, links: Object.fromEntries(changed) }
}

type LinkKinds = Readonly<Record<string, { readonly to: string; readonly many: boolean }>>

/** As the wire has it. */
function bodyOf({ base, account }: Studio, write: StudioWrite): object | undefined {
  if (write.kind === 'remove') return undefined
  const [collection = ''] = write.name.split('/')
  const kinds: LinkKinds = LINKS[collection as Linking] ?? {}
  const values = Object.entries(write.links).map(([property, ids]) => {
    const { to, many } = kinds[property] ?? { to: '', many: false }
    const addresses = ids.map((id) => (to === 'accounts' ? account(id as Person) : `${base}/${to}/${id}`))
    return [property, many ? addresses : (addresses[0] ?? null)] as const
  })
  const isNew = write.kind === 'create'
  count += 1
  // Another text each time: a write of what is there already would be none.
  return Object.fromEntries([
    ...values.filter(([, value]) => !isNew || value !== null),
    [TEXTS[collection] ?? 'name', `${count}`],
  ])
}

let count = 0
const TEXTS: Readonly<Record<string, string>> = { tasks: 'title', notes: 'text', pages: 'text' }

const METHODS = { create: 'PUT', change: 'PATCH', remove: 'DELETE' } as const

async function send(studio: Studio, write: StudioWrite): Promise<void> {
  const by = write.kind === 'create' ? write.by : 'manager'
  const method = METHODS[write.kind]
  const headers = write.kind === 'create' ? CREATE : {}
  const { status, body } = await studio.as[by].send(method, `/${write.name}`, bodyOf(studio, write), headers)
  assert.ok(status < 300, `${method} ${write.name} by ${by}: ${body}`)
}

async function sendBatch(studio: Studio, writes: readonly StudioWrite[]): Promise<void> {
  const operation = writes.map((write) => ({
    ...{ method: METHODS[write.kind], target: write.name, body: bodyOf(studio, write) },
    ...(write.kind === 'create' && { ifNoneMatch: '*' }),
  }))
  const { status, body } = await studio.as.manager.send('POST', '/batch', { operation })
  assert.equal(status, 200, body)
}

/** Carries steps out, and returns the last state. `onWrite`: called with each write that has an order among the others. */
async function carryOut(
  studio: Studio,
  steps: readonly Step[],
  onWrite: (before: StudioState, write: StudioWrite) => void = () => {},
): Promise<StudioState> {
  let state: StudioState = new Map()
  for (const { how, writes } of steps) {
    if (how === 'alone') {
      const write = writeOf(state, writes[0] as Numbers)
      await send(studio, write)
      onWrite(state, write)
      state = withWrite(state, write)
    } else if (how === 'batch') {
      const all: StudioWrite[] = []
      for (const numbers of writes) {
        const write = writeOf(state, numbers, 'manager')
        all.push(write)
        onWrite(state, write)
        state = withWrite(state, write)
      }
      await sendBatch(studio, all)
    } else {
      // Of different members, none of which is removed: the order does not matter for what comes of them.
      const before = state
      const found = writes
        .map((numbers) => writeOf(before, numbers, 'manager'))
        .filter(({ kind }) => kind !== 'remove')
      const all = [...new Map(found.map((write) => [write.name, write])).values()]
      await Promise.all(all.map((write) => send(studio, write)))
      state = all.reduce(withWrite, before)
    }
  }
  return state
}

let ends = 0

/** Until the copy has come to the end of the log. */
async function untilEnd(studio: Studio, copies: readonly Copy[]): Promise<void> {
  ends += 1
  const end = `${studio.base}/topics/end${ends}`
  await send(studio, { kind: 'create', by: 'manager', name: `topics/end${ends}`, links: {} })
  for (const { told, ended } of copies)
    while (!told.has(end)) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
}

async function compareCopies(t: TestContext, steps: readonly Step[]): Promise<void> {
  const studio = await serveStudio(t, { db: newDatabase(t) })
  let turn = 0
  // By numbers of the steps, so that a failure can be repeated.
  const random = (most: number) => {
    turn += 1
    return 1 + ((pick(pick(steps, turn).writes, turn)[turn % 12] ?? 0) % most)
  }
  const copies = FOLLOWERS.flatMap((person) => [
    followByStream(studio, person, () => 600 + random(12_000)),
    followByPages(studio, person, () => random(4)),
  ])
  try {
    const state = await carryOut(studio, steps)
    await untilEnd(studio, copies)
    for (const { person, addresses } of copies) {
      const shown = await listed(studio, person, COLLECTIONS)
      assert.deepEqual([...addresses].toSorted(), shown.toSorted(), person)
      const expected = [...state.keys()].filter((name) => sees(state, person, name))
      const names = shown.map((address) => address.slice(studio.base.length + 1))
      assert.deepEqual(names.filter((name) => !name.startsWith('topics/')).toSorted(), expected.toSorted())
    }
  } finally {
    for (const { stop } of copies) stop()
    await Promise.all(copies.map(({ ended }) => ended))
    await studio.close()
  }
}

// contract: Where a member on a two-step path changes
test('a copy that follows the feed, cut and resumed, equals the lists at the end', async (t) => {
  const length = inSoak(400, isSqlite(t) ? 80 : 40)
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: length, maxLength: length }), (steps) =>
      compareCopies(t, steps),
    ),
    { numRuns: inSoak(20, 1), endOnFailure: true },
  )
})

/** All events of the log, read at the end, when the members on paths have changed. */
async function readAll(studio: Studio, person: Person, size: number): Promise<string[]> {
  const events: string[] = []
  for (let path = `/events?itemsPerPage=${size}`; ; ) {
    const { member, view } = (await studio.as[person].send('GET', path)).json() as EventsPage
    if (member.length === 0) return events
    events.push(...shown(studio, member))
    path = view.next.slice(studio.base.length)
  }
}

// contract: The log keeps, for one-step paths
// contract: What `access.md` says of owners holds
test('each user is sent exactly what came into sight, changed in it or left it', async (t) => {
  const length = inSoak(300, isSqlite(t) ? 60 : 30)
  const anyOrdered = anyStep.map((step) => ({ ...step, how: step.how === 'batch' ? 'batch' : 'alone' }))
  const property = fc.asyncProperty(
    fc.array(anyOrdered, { minLength: length, maxLength: length }),
    fc.integer({ min: 1, max: 40 }),
    async (steps, size) => {
      const studio = await serveStudio(t)
      const expected = new Map<Person, string[]>(PERSONS.map((person) => [person, []]))
      await carryOut(studio, steps, (before, write) => {
        for (const [person, events] of expected) events.push(...eventsOf(before, write, person))
      })
      // Links to a removed member are taken out in any order.
      for (const [person, events] of expected)
        assert.deepEqual((await readAll(studio, person, size)).toSorted(), events.toSorted(), person)
      await studio.close()
    },
  )
  await fc.assert(property, { numRuns: inSoak(20, 1), endOnFailure: true })
})
