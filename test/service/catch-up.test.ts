import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConversionLog } from '../../src/service/catch-up.ts'

test('the log has the begin and the end of a conversion, and every five seconds how far it is', () => {
  const lines: unknown[] = []
  let now = 0
  const onConverting = createConversionLog({ info: (...line) => void lines.push(line) }, () => now)
  for (const [time, className, percent] of [
    [0, 'Book', 0],
    [1_000, 'Book', 10],
    [1_000, 'Author', 0],
    [5_000, 'Book', 50],
    [6_000, 'Book', 100],
    [6_100, 'Book', 0],
  ] as const) {
    now = time
    onConverting({ className, percent })
  }
  const [begun, going, done] = [
    'converting the members to this API file in the background',
    'still converting the members',
    'the members are converted to this API file',
  ]
  assert.deepEqual(lines, [
    [{ class: 'Book', percent: 0 }, begun],
    [{ class: 'Author', percent: 0 }, begun],
    [{ class: 'Book', percent: 50 }, going],
    [{ class: 'Book', percent: 100 }, done],
    [{ class: 'Book', percent: 0 }, begun],
  ])
})
