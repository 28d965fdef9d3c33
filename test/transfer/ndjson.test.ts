import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitNdjson } from '../../src/transfer/ndjson.ts'
import { compareTimes, createLeast } from '../support/timing.ts'
import { shown, splitBy } from './splitting.ts'

const MEBIBYTE = 1024 * 1024

test('each line is a member, wherever the chunks end', async () => {
  const data = '\ufeff{"a":1}\r\n\n  \n \t{"ä":"€"}\n{"last":true}'
  for (const size of [1, 2, 3, 7, 1000]) {
    assert.deepEqual(shown(await splitBy(splitNdjson, data, size)), [
      '1: {"a":1}\r',
      '4:  \t{"ä":"€"}',
      '5: {"last":true}',
    ])
  }
})

test('a line of exactly 16 MiB is read, a longer one is refused, and the lines around it are read', async () => {
  const longest = 'x'.repeat(16 * MEBIBYTE)
  for (const size of [64 * 1024, MEBIBYTE * 3]) {
    const cuts = await splitBy(splitNdjson, `a\n${longest}\n${longest}x\nb\n`, size)
    assert.deepEqual(
      cuts.map((cut) =>
        'problem' in cut
          ? { line: cut.line, code: cut.problem.code }
          : { line: cut.line, length: cut.text.length },
      ),
      [
        { line: 1, length: 1 },
        { line: 2, length: 16 * MEBIBYTE },
        { line: 3, code: 'MemberTooLong' },
        { line: 4, length: 1 },
      ],
    )
  }
})

test('a line that is not UTF-8 is refused, and the lines around it are read', async () => {
  const data = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xc3, 0x28]), Buffer.from('\nb\n')])
  assert.deepEqual(shown(await splitBy(splitNdjson, data)), ['1: a', '2! NotUtf8', '3: b'])
})

test('an empty file has no members', async () => {
  assert.deepEqual(await splitBy(splitNdjson, ''), [])
  assert.deepEqual(await splitBy(splitNdjson, '\n\n'), [])
})

test('a blank line costs less than a line with a member', async () => {
  const splitting = (data: string) => () => () => splitBy(splitNdjson, data, 64 * 1024)
  const least = createLeast([splitting('\r\n'.repeat(100_000)), splitting('{}\n'.repeat(100_000))])
  await compareTimes(async () => {
    const [blank, members] = await least(3)
    assert.ok(blank * 3 < members, `${blank} µs and ${members} µs`)
  })
})
