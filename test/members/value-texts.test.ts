import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createScanValues, type WantedValues } from '../../src/members/value-texts.ts'

const WANTED: WantedValues = new Map<string, WantedValues | number>([
  ['a', 0],
  ['in', new Map([['b', 1]])],
  ['c', 2],
])

/** The values that are found, by number. */
function found(body: string): unknown[] {
  const values: unknown[] = [undefined, undefined, undefined]
  createScanValues(WANTED)(body, (wanted, from, to) => {
    values[wanted] = JSON.parse(body.slice(from, to))
  })
  return values
}

const bodyOf = (values: object): string => JSON.stringify({ x: 0, ...values }).slice(6, -1)

test('a stored text is scanned for the values that a parser finds in it, in whatever order', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', '"', ',', '{', '}', '[', ']', ':', 'a', 'é', '\n') })
  const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
  const any = fc.oneof(value, fc.array(value), fc.dictionary(text, value), fc.array(fc.record({ a: value })))
  const inner = fc.record({ b: any, other: any }, { requiredKeys: [] })
  const members = fc.record({ a: any, in: inner, c: any, d: any, 'a"': any }, { requiredKeys: [] })
  const orders = fc.shuffledSubarray(['a', 'in', 'c', 'd', 'a"'], { minLength: 5 })
  fc.assert(
    fc.property(members, orders, (values, order) => {
      const entries = order.flatMap((name): [string, unknown][] => {
        const one = values[name as keyof typeof values]
        if (one === undefined) return []
        return [[name, name === 'in' ? { '@type': 'In', ...(one as object) } : one]]
      })
      const all = JSON.parse(JSON.stringify(Object.fromEntries(entries)))
      assert.deepEqual(found(bodyOf(all)), [all.a, all.in?.b, all.c])
    }),
    { numRuns: 1_000 },
  )
})

test('a value that is not embedded, where one is expected, is skipped', () => {
  for (const other of ['"text"', '1', 'null', '[{"@type":"In","b":2}]'])
    assert.deepEqual(found(`,"a":1,"in":${other},"c":3`), [1, undefined, 3])
})

test('a text with a million quotes, escapes or brackets is scanned in time', () => {
  for (const one of ['"', '\\', '[{', '}],', 'é'])
    assert.deepEqual(
      found(bodyOf({ a: one.repeat(1_000_000), d: one.repeat(1_000_000), c: 1 })).slice(2),
      [1],
    )
})
