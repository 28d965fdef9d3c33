import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHashQueue } from '../../src/auth/hash-queue.ts'
import { createHashSlots, type GiveBack, type HashSlots } from '../../src/auth/hash-slots.ts'
import { askForSlots, type SharedSlots, type SlotGrant, shareSlots } from '../../src/auth/shared-slots.ts'

/** A process that hashes, connected to the one that has the slots by nothing but messages that can be copied. */
function connect(slots: HashSlots): { readonly asked: HashSlots; readonly shared: SharedSlots } {
  const shared = shareSlots(slots, (grant) => asked.receive(structuredClone(grant)))
  const asked = askForSlots((request) => shared.receive(structuredClone(request)))
  return { asked, shared }
}

/** Notes which hashes have begun, and ends them when the test says so. */
function createHashes() {
  const begun: string[] = []
  const ends = new Map<string, GiveBack>()
  return {
    begun,
    take(slots: HashSlots, address: string, name = address): void {
      slots.take(address, (giveBack) => {
        begun.push(name)
        ends.set(name, giveBack)
      })
    },
    end: (name: string) => ends.get(name)?.(),
  }
}

test('processes that share slots run no more hashes at once than there are', () => {
  const slots = createHashSlots(2)
  const [one, other] = [connect(slots), connect(slots)]
  const { begun, take, end } = createHashes()
  take(one.asked, 'a')
  take(other.asked, 'b')
  take(one.asked, 'c')
  take(other.asked, 'd')
  assert.deepEqual(begun, ['a', 'b'])
  end('b')
  assert.deepEqual(begun, ['a', 'b', 'c'])
  end('c')
  end('a')
  assert.deepEqual(begun, ['a', 'b', 'c', 'd'])
})

test('addresses take turns over all processes: a flood at one does not hold up the others', () => {
  const slots = createHashSlots(1)
  const [one, other] = [connect(slots), connect(slots)]
  const { begun, take, end } = createHashes()
  for (const name of ['a1', 'a2', 'a3']) take(one.asked, 'a', name)
  take(other.asked, 'a', 'a4')
  take(other.asked, 'b', 'b1')
  for (const name of ['a1', 'a2', 'b1', 'a3', 'a4']) {
    assert.equal(begun.at(-1), name)
    end(name)
  }
})

test('the slots of a process that ends are free, and what it waited for is not granted', () => {
  const slots = createHashSlots(2)
  const [one, other] = [connect(slots), connect(slots)]
  const { begun, take, end } = createHashes()
  for (const name of ['a', 'b', 'c']) take(one.asked, name)
  for (const name of ['d', 'e', 'f']) take(other.asked, name)
  one.shared.end()
  assert.deepEqual(begun, ['a', 'b', 'd', 'e'])
  // What it says last, or again, frees nothing that is not its own.
  end('a')
  end('a')
  assert.deepEqual(begun, ['a', 'b', 'd', 'e'])
  end('d')
  assert.deepEqual(begun, ['a', 'b', 'd', 'e', 'f'])
})

test('what waits for a shared slot takes a place, and what runs does not', async () => {
  const slots = createHashSlots(1)
  const { asked } = connect(slots)
  const queue = createHashQueue({ slots: 1, places: 2 }, asked)
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => void ends.push(resolve))
  const runs = [queue.run('a', work), queue.run('a', work), queue.run('b', work)]
  assert.deepEqual([queue.running, queue.waiting], [1, 2])
  assert.equal(await queue.run('a', work), undefined)
  for (const [index, run] of runs.entries()) {
    ends[index]?.()
    await run
  }
  assert.deepEqual([queue.running, queue.waiting], [0, 0])
})

test('what is refused while it waits for a shared slot is waited for no longer, also by the process that shares', async () => {
  const slots = createHashSlots(1)
  const [one, other] = [connect(slots), connect(slots)]
  const queue = createHashQueue({ slots: 1, places: 10 }, one.asked)
  const { begun, take, end } = createHashes()
  take(other.asked, 'x')
  const work = async () => assert.fail('it was refused')
  const refused = ['a', 'b'].map((address) =>
    assert.rejects(async () => queue.run(address, work), /no database/),
  )
  queue.refuseWaiting(new Error('no database'))
  await Promise.all(refused)
  assert.equal(queue.waiting, 0)
  take(other.asked, 'y')
  end('x')
  assert.deepEqual(begun, ['x', 'y'])
  end('y')
  assert.ok(slots.isFree())
})

test('one that gives way while it waits for a shared slot is waited for no longer, also by the process that shares', async () => {
  const slots = createHashSlots(1)
  const [one, other] = [connect(slots), connect(slots)]
  const queue = createHashQueue({ slots: 1, places: 2 }, one.asked)
  const { begun, take, end } = createHashes()
  take(other.asked, 'x')
  const hashed: string[] = []
  const work = (name: string) => async () => void hashed.push(name)
  const runs = ['a', 'a', 'b'].map((address, index) => queue.run(address, work(`${address}${index}`)))
  // The places of a process are its own; the turns are those of all.
  take(other.asked, 'a', 'y')
  take(other.asked, 'z')
  end('x')
  await Promise.all(runs)
  assert.deepEqual(
    [hashed, begun],
    [
      ['a0', 'b2'],
      ['x', 'z'],
    ],
  )
  end('z')
  assert.deepEqual(begun, ['x', 'z', 'y'])
  end('y')
  assert.ok(slots.isFree())
})

test('a slot that crosses the word that it is not wanted any more is free again', () => {
  const slots = createHashSlots(1)
  const grants: SlotGrant[] = []
  const shared = shareSlots(slots, (grant) => grants.push(grant))
  const asked = askForSlots((request) => shared.receive(request))
  const withdraw = asked.take('a', () => assert.fail('it was not wanted any more'))
  withdraw()
  for (const grant of grants) asked.receive(grant)
  assert.equal(grants.length, 1)
  assert.ok(slots.isFree())
})

test('a slot that a process keeps for 10 s is handed on, and the process gets none until it is heard of again', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = createHashSlots(1)
  const late: number[] = []
  const granted: number[] = []
  // Stands still: it takes what it is given, and says nothing.
  const still = shareSlots(
    slots,
    ({ id }) => granted.push(id),
    (heldMs) => late.push(heldMs),
  )
  for (const id of [1, 2, 3]) still.receive({ kind: 'take slot', id, address: 'a' })
  const { begun, take, end } = createHashes()
  const other = connect(slots)
  take(other.asked, 'b')
  t.mock.timers.tick(9_999)
  assert.deepEqual([granted, begun, late], [[1], [], []])
  t.mock.timers.tick(1)
  assert.deepEqual([granted, begun, late], [[1], ['b'], [10_000]])
  end('b')
  take(other.asked, 'c')
  assert.deepEqual([granted, begun], [[1], ['b', 'c']])
  end('c')
  // It goes on, and what it held is not given back twice.
  still.receive({ kind: 'give slot back', id: 1 })
  assert.deepEqual(granted, [1, 2])
  assert.ok(!slots.isFree())
  still.receive({ kind: 'give slot back', id: 2 })
  still.receive({ kind: 'give slot back', id: 3 })
  assert.deepEqual(granted, [1, 2, 3])
  assert.ok(slots.isFree())
})
