// Writers whose transactions would show every anomaly, beside single writes and batches. Also a program for a process that is
// killed: it takes the address of a database and the number of rounds, and prints what was acknowledged.
import assert from 'node:assert/strict'
import { createHydrant, HttpError, type Hydrant } from '../../../src/library/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

export const API = {
  title: 'Anomalies',
  classes: {
    /** Never sold below zero, though the API file would allow it. */
    Item: { properties: { stock: 'integer', touched: 'integer' } },
    Sale: { properties: { item: 'Item', count: 'integer', writer: 'string' } },
    /** Of a pair at least one is on duty: the skew of two transactions that each read both. */
    Guard: { properties: { pair: 'integer', onDuty: 'boolean' } },
    /** At most ten seats of a room: the phantom. */
    Booking: { properties: { room: 'integer', seats: 'integer' } },
    /** Each says how many there were of both before it, so that all numbers differ. */
    Left: { properties: { seen: 'integer' }, collection: 'lefts' },
    Right: { properties: { seen: 'integer' }, collection: 'rights' },
  },
}

export const SILENT = { error() {}, warn() {}, info() {}, debug() {} }

export const openHost = (db: string): Promise<Hydrant> =>
  createHydrant({ api: API, auth: false, db, log: SILENT })

const STOCK = 200
const ROOMS = 2
const SEATS = 10
const PAIRS = 2

export async function prepare({ members }: Hydrant): Promise<void> {
  await members('items').add({ stock: STOCK, touched: 0 })
  for (let pair = 0; pair < PAIRS; pair++)
    for (const onDuty of [true, true]) await members('guards').add({ pair, onDuty })
}

const sum = (all: readonly Any[], property: string): number =>
  all.reduce((total, one) => total + one[property], 0)

type Round = (host: Hydrant, writer: string, round: number) => Promise<unknown>

/** Each is done in turn by every writer. */
const ROUNDS: readonly Round[] = [
  function sell({ members }, writer, round) {
    return members.transaction(async (tx) => {
      const [item] = (await tx('items').list()).members as [Any]
      const { stock } = (await tx('items').find(item['@id'])) as Any
      const count = (round % 3) + 1
      if (stock < count) return false
      await tx('sales').add({ item: item['@id'], count, writer: `${writer} ${round}` })
      await tx('items').change(item['@id'], { stock: stock - count })
      return true
    })
  },
  async function goOffDuty({ members }, _writer, round) {
    const { members: pair } = await members('guards').list({ pair: round % PAIRS })
    const ids = pair.map((one) => one['@id'])
    const [first = '', second = ''] = round % 4 < 2 ? ids : ids.toReversed()
    return members.transaction(async (tx) => {
      const [own, other] = [await tx('guards').find(first), await tx('guards').find(second)] as Any[]
      if (own.onDuty && other.onDuty) await tx('guards').change(first, { onDuty: false })
    })
  },
  function book({ members }, _writer, round) {
    return members.transaction(async (tx) => {
      const room = round % ROOMS
      const { members: bookings } = await tx('bookings').list({ room })
      const seats = (round % 4) + 1
      if (sum(bookings, 'seats') + seats <= SEATS) await tx('bookings').add({ room, seats })
    })
  },
  function addOnOneSide({ members }, _writer, round) {
    return members.transaction(async (tx) => {
      const [left, right] = [await tx('lefts').list(), await tx('rights').list()]
      await tx(round % 2 === 0 ? 'lefts' : 'rights').add({ seen: (left.total ?? 0) + (right.total ?? 0) })
    })
  },
  async function writeAlone({ members }, _writer, round) {
    const { members: guards } = await members('guards').list()
    await members('guards').change((guards[round % guards.length] as Any)['@id'], { onDuty: true })
    const [item] = (await members('items').list()).members as [Any]
    await members('items').change(item['@id'], { touched: round })
  },
  async function cancelTogether(host, _writer, round) {
    const { members: bookings } = await host.members('bookings').list({ room: round % ROOMS })
    const operation = bookings.slice(0, 2).map((one) => ({ method: 'DELETE', target: (one as Any)['@id'] }))
    if (operation.length === 0) return
    const body = JSON.stringify({ operation })
    const headers = { 'content-type': 'application/json' }
    const { status } = await host.handle(new Request(`${host.base}/batch`, { method: 'POST', headers, body }))
    assert.ok([200, 404, 412, 503].includes(status), `${status}`)
  },
]

/** Writes until every writer has done its rounds. Returns how often one got 503, and has written nothing. */
export async function write(
  hosts: readonly Hydrant[],
  {
    writers,
    rounds,
    onSale = () => {},
  }: { writers: number; rounds: number; onSale?: (sale: string) => void },
): Promise<number> {
  let busy = 0
  const writeOne = async (number: number): Promise<void> => {
    const host = hosts[number % hosts.length] as Hydrant
    const writer = `${process.pid}/${number}`
    for (let round = 0; round < rounds; round++) {
      const kind = (round + number) % ROUNDS.length
      try {
        const isSold = await (ROUNDS[kind] as Round)(host, writer, round)
        if (isSold === true) onSale(`${writer} ${round}`)
      } catch (error) {
        if (!(error instanceof HttpError) || ![503, 404].includes(error.status)) throw error
        busy += 1
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, number) => writeOne(number)))
  return busy
}

/** Throws where something has happened that could not have happened in any order of the transactions. */
export const check = ({ members }: Hydrant): Promise<void> => members.transaction(checkIn)

async function checkIn(members: Hydrant['members']): Promise<void> {
  const all = async (name: string, query: Any = {}): Promise<Any[]> => {
    const found: Any[] = []
    for (let next: Any = { itemsPerPage: 100, ...query }; next !== undefined; ) {
      const page = await members(name).list(next)
      found.push(...page.members)
      next = page.next
    }
    return found
  }
  const [item] = (await all('items')) as [Any]
  const sales = await all('sales')
  assert.equal(item.stock + sum(sales, 'count'), STOCK, 'every sale is in the stock')
  assert.ok(item.stock >= 0, 'nothing is sold that is not there')
  for (let pair = 0; pair < PAIRS; pair++)
    assert.ok(
      (await all('guards', { pair })).some(({ onDuty }) => onDuty),
      'one of a pair is on duty',
    )
  for (let room = 0; room < ROOMS; room++)
    assert.ok(sum(await all('bookings', { room }), 'seats') <= SEATS, 'no room has too many')
  const seen = [...(await all('lefts')), ...(await all('rights'))].map((one) => one.seen as number)
  assert.deepEqual(
    seen.sort((one, other) => one - other),
    seen.map((_, index) => index),
    'each has seen all before it',
  )
}

if (import.meta.main) {
  const [db = '', rounds = '1', writers = '4'] = process.argv.slice(2)
  const host = await openHost(db)
  process.stdout.write('ready\n')
  await write([host], {
    ...{ rounds: Number(rounds), writers: Number(writers) },
    onSale: (sale) => process.stdout.write(`${sale}\n`),
  })
  await host.close()
}
