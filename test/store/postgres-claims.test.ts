import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Claims, createOrdering } from '../../src/store/postgres/contention.ts'

const things = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
const works: fc.Arbitrary<Claims[]> = fc.array(fc.record({ owns: things, needs: things }), { maxLength: 12 })

const haveToDo = (one: Claims, other: Claims): boolean =>
  one.owns.some((thing) => other.owns.includes(thing) || other.needs.includes(thing)) ||
  one.needs.some((thing) => other.owns.includes(thing))

test('whatever has to do with earlier work begins when that has ended, and nothing waits for anything else', () => {
  fc.assert(
    fc.property(works, fc.infiniteStream(fc.nat()), (all, choices) => {
      const enter = createOrdering()
      const ended = new Set<Claims>()
      const mayBegin = (work: Claims) =>
        all.slice(0, all.indexOf(work)).every((before) => ended.has(before) || !haveToDo(before, work))
      const ready: Claims[] = []
      const leave = new Map(all.map((work) => [work, enter(work, () => ready.push(work))]))
      while (ended.size < all.length) {
        assert.deepEqual(new Set(ready), new Set(all.filter((work) => !ended.has(work) && mayBegin(work))))
        const [work] = ready.splice((choices.next().value as number) % ready.length, 1)
        assert.ok(work !== undefined)
        ended.add(work)
        leave.get(work)?.()
      }
    }),
  )
})
