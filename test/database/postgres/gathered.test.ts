import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { gather } from '../../../src/database/postgres/gathered.ts'

test('what is asked for in a turn is read once, and what is asked for meanwhile once more', async () => {
  const read: string[][] = []
  const pending: PromiseWithResolvers<number>[] = []
  const ask = gather<string, number>((items) => {
    read.push([...items])
    const answer = Promise.withResolvers<number>()
    pending.push(answer)
    return answer.promise
  })
  const first = [ask(['a']), ask(['b', 'a'])]
  const until = async (count: number) => {
    while (read.length < count) await turn()
  }
  await until(1)
  const second = [ask(['c']), ask(['d'])]
  assert.deepEqual(read, [['a', 'b']])
  pending[0]?.resolve(1)
  assert.deepEqual(await Promise.all(first), [1, 1])
  await until(2)
  assert.deepEqual(read, [
    ['a', 'b'],
    ['c', 'd'],
  ])
  // One that fails fails those that it was for, and no others; one that is slow holds up no others for long.
  const refused = Promise.all(second)
  pending[1]?.reject(new Error('refused'))
  await assert.rejects(refused, /refused/)
  const slow = ask(['e'])
  await until(3)
  const later = ask(['f'])
  await until(4)
  assert.deepEqual(read.slice(2), [['e'], ['f']])
  pending[3]?.resolve(4)
  assert.equal(await later, 4)
  pending[2]?.resolve(3)
  assert.equal(await slow, 3)
})

test('those who ask again are read with those who have waited, and arrivals without end hold up nobody', async () => {
  const read: number[][] = []
  const ask = gather<number, void>(async (items) => {
    read.push([...items])
    await turn()
  })
  const first = ask([1])
  while (read.length === 0) await turn()
  const second = ask([2])
  await first
  await Promise.all([second, ask([3])])
  assert.deepEqual(read, [[1], [2, 3]])
  let isAnswered = false
  const waiting = ask([4]).then(() => {
    isAnswered = true
  })
  const others: Promise<void>[] = []
  for (let number = 5; !isAnswered; number += 1) {
    others.push(ask([number]))
    await turn()
  }
  await Promise.all([waiting, ...others])
  assert.equal(read[2]?.[0], 4)
})
