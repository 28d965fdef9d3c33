import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteSlots, type SlotAnswer, shareSlots } from '../../../src/cli/workers/hash-slots.ts'
import { createFairQueue, createSlots, type Release, type Slots } from '../../../src/fair-queue.ts'

const slotsFor = (slots: number, maxWaiting = 10): Slots => createSlots({ slots, maxWaiting })

/** Whether a slot would be granted at once. */
function isFree(slots: Slots): boolean {
  let isFree = false
  slots.acquire('another', (isGranted) => {
    isFree = isGranted
  })()
  return isFree
}

/** A process that hashes, connected to the one that has the slots by nothing but messages that can be copied. */
function connect(slots: Slots) {
  const shared: ReturnType<typeof shareSlots> = shareSlots(slots, (answer) =>
    asked.receive(structuredClone(answer)),
  )
  const asked = createRemoteSlots((request) => shared.receive(structuredClone(request)))
  return { asked, shared }
}

/** Notes which hashes have begun, and ends them when the test says so. */
function createHashes() {
  const begun: string[] = []
  const refused: string[] = []
  const ends = new Map<string, Release>()
  return {
    begun,
    refused,
    take(slots: Slots, address: string, name = address): void {
      const waiter = (isGranted: boolean) => void (isGranted ? begun : refused).push(name)
      ends.set(name, slots.acquire(address, waiter))
    },
    end: (name: string) => ends.get(name)?.(),
  }
}

test('processes that share slots run no more hashes at once than there are', () => {
  const slots = slotsFor(2)
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
  const slots = slotsFor(1)
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
  const slots = slotsFor(2)
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
  const { asked } = connect(slotsFor(1, 2))
  const queue = createFairQueue(asked)
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
  const slots = slotsFor(1)
  const [one, other] = [connect(slots), connect(slots)]
  const queue = createFairQueue(one.asked)
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
  assert.ok(isFree(slots))
})

// contract: Step B in order
test('the places are those of all processes: the last of the longest line gives way, wherever it waits', async () => {
  const slots = slotsFor(1, 3)
  const [one, other] = [connect(slots), connect(slots)]
  const queue = createFairQueue(one.asked)
  const { begun, refused, take, end } = createHashes()
  take(other.asked, 'x')
  const hashed: string[] = []
  const run = (name: string) =>
    queue.run(name.slice(0, 1), async () => {
      hashed.push(name)
      return name
    })
  const runs = [run('a0'), run('a1')]
  take(other.asked, 'a', 'a2')
  runs.push(run('b0'))
  take(other.asked, 'z')
  assert.deepEqual(refused, ['a2'])
  assert.equal(await run('a3'), undefined)
  assert.equal(queue.waiting, 2)
  end('x')
  // One that has given way is waited for no longer, also by the process that shares.
  assert.deepEqual(await Promise.all(runs), ['a0', undefined, 'b0'])
  assert.deepEqual(
    [hashed, begun],
    [
      ['a0', 'b0'],
      ['x', 'z'],
    ],
  )
  assert.equal(queue.waiting, 0)
  end('z')
  end('a2')
  assert.ok(isFree(slots))
})

test('a slot that crosses the word that it is not wanted any more is free again', () => {
  const slots = slotsFor(1)
  const grants: SlotAnswer[] = []
  const shared = shareSlots(slots, (grant) => grants.push(grant))
  const asked = createRemoteSlots((request) => shared.receive(request))
  const unwanted = () => assert.fail('it was not wanted any more')
  const release = asked.acquire('a', unwanted)
  release()
  for (const grant of grants) asked.receive(grant)
  assert.equal(grants.length, 1)
  assert.ok(isFree(slots))
})

test('a slot that a process keeps for 10 s is handed on, and the process gets none until it is heard of again', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = slotsFor(1)
  const late: number[] = []
  const granted: number[] = []
  // Stands still: it takes what it is given, and says nothing.
  const still = shareSlots(
    slots,
    ({ isGranted, id }) => granted.push(isGranted ? id : -id),
    (heldMs) => late.push(heldMs),
  )
  for (const id of [1, 2, 3]) still.receive({ kind: 'acquire slot', id, address: 'a' })
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
  still.receive({ kind: 'release slot', id: 1 })
  assert.deepEqual(granted, [1, 2])
  assert.ok(!isFree(slots))
  still.receive({ kind: 'release slot', id: 2 })
  still.receive({ kind: 'release slot', id: 3 })
  assert.deepEqual(granted, [1, 2, 3])
  assert.ok(isFree(slots))
})
