import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursors } from '../../../src/api/query/paging.ts'
import { createPaths } from '../../../src/api/query/path.ts'
import type { Order, Position } from '../../../src/members/index.ts'
import { createTextCipher } from '../../../src/seal.ts'
import { indexKey, textKey } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import { classOf, KINDS, SEAL } from '../queries.ts'

const kinds = classOf(KINDS, 'Kind')
const classes = createPaths(kinds, modelOf(KINDS))
const by = (...names: string[]): Order[] =>
  names.map((name) => ({ property: name.replace('-', ''), descending: name.startsWith('-') }))
const cursorsBy = (...names: string[]) => createCursors(kinds, by(...names), { classes, seal: SEAL })
const plain = (...parts: string[]): string => Buffer.from(parts.join('\0')).toString('base64url')

test('a cursor leads back to its position, whatever the keys', () => {
  const table: [order: string[], keys: Position['keys']][] = [
    [[], []],
    [['text'], [textKey('a')]],
    [['-text'], [textKey('')]],
    [['text'], [textKey('\u{1f600}"\\\n\u0001=')]],
    [['text'], [textKey('Ä'.repeat(201))]],
    [['text'], [textKey('ß'.repeat(150))]],
    // As no text has it.
    [['text'], ['a']],
    [['text'], [null]],
    [['whole'], [-12]],
    [['size'], [1.7976931348623157e308]],
    [
      ['flag', 'price', 'author'],
      [1, '2100000021', '0190-abc'],
    ],
    [
      ['day', 'text', 'whole'],
      [null, 'x', null],
    ],
  ]
  for (const [order, keys] of table) {
    const cursors = cursorsBy(...order)
    const position = { keys, sequence: 9_007_199_254_740_991 }
    const cursor = cursors.write(position)
    assert.match(cursor, /^[A-Za-z0-9_-]+$/)
    assert.ok(cursor.length <= cursors.longest)
    assert.deepEqual(cursors.readAfter(cursor), position)
    assert.deepEqual(cursors.readBefore(cursor), position)
  }
})

test('four orders by the longest texts leave room for a query of 2,400 characters in a link of 7 KiB', () => {
  const cursors = cursorsBy('text', 'iri', 'instant', 'author')
  for (const character of ['\u{10ffff}', '\u0001', '"', 'a']) {
    const [text, iri] = [200, 201].map((length) => textKey(character.repeat(length)))
    const [instant, author] = [202, 203].map((length) => indexKey(character.repeat(length)))
    const keys = [text, iri, instant, author] as string[]
    const position = { keys, sequence: Number.MAX_SAFE_INTEGER }
    const cursor = cursors.write(position)
    assert.ok(cursor.length <= cursors.longest)
    assert.deepEqual(cursors.readAfter(cursor), position)
  }
  assert.ok(cursors.longest <= 7 * 1024 - 2_400, String(cursors.longest))
})

test('the end is a cursor that goes with before alone', () => {
  const cursors = cursorsBy('text')
  assert.equal(cursors.readBefore(cursors.end), 'end')
  assert.throws(() => cursors.readAfter(cursors.end), {
    code: 'InvalidCursor',
    at: { parameter: 'after' },
  })
})

test('a cursor of another order, another direction or another class is refused', () => {
  const position = { keys: ['a'], sequence: 1 }
  const cursor = cursorsBy('text').write(position)
  const others = [
    cursorsBy(),
    cursorsBy('-text'),
    cursorsBy('iri'),
    cursorsBy('text', 'whole'),
    createCursors(classOf(KINDS.replace('  Kind:', '  Sort:'), 'Sort'), by('text'), { classes, seal: SEAL }),
  ]
  for (const other of others) {
    for (const sent of [cursor, cursorsBy('text').end]) {
      assert.throws(() => other.readBefore(sent), {
        code: 'CursorOfOtherQuery',
        at: { parameter: 'before' },
      })
    }
  }
})

// contract: **Paging**: `page` and `itemsPerPage`
test('what was not written as a cursor is refused, however near it comes', () => {
  const cursors = cursorsBy('text', 'whole')
  const position = { keys: ['a', 1], sequence: 5 }
  const good = cursors.write(position)
  const foreign = createTextCipher(Buffer.alloc(32, 2), 'cursors')
  const changed = [...good].map(
    (one, at) => good.slice(0, at) + (one === 'A' ? 'B' : 'A') + good.slice(at + 1),
  )
  const forged = [
    '',
    'x',
    'null',
    good.slice(0, -1),
    good.slice(1),
    good.repeat(2),
    good + 'A'.repeat(64),
    `${good}A`,
    `${good}=`,
    `${good.slice(0, 4)} ${good.slice(4)}`,
    good.replaceAll(/[\w-]/g, 'A'),
    'A'.repeat(8_000),
    ...changed,
    cursors.end,
    createCursors(kinds, by('text', 'whole'), { classes, seal: foreign }).write(position),
    // As cursors were before they were sealed.
    plain('AbCdEfGh', '5', '=a', '=1', ''),
    plain('AbCdEfGh', 'end'),
  ]
  for (const cursor of forged) {
    const refusal = { code: 'InvalidCursor', at: { parameter: 'after' } }
    assert.throws(() => cursors.readAfter(cursor), refusal, cursor)
  }
  assert.deepEqual(cursors.readAfter(good), position)
})

test('a cursor tells nothing of values, of how many members there were, and little of lengths', () => {
  const cursors = cursorsBy('text')
  const secret = 'Emma Woodhouse'
  const cursor = cursors.write({ keys: [secret], sequence: 1 })
  const bytes = Buffer.from(cursor, 'base64url').toString('latin1')
  for (const part of ['Emma', 'Wood', 'house', '=']) assert.ok(!bytes.includes(part) || part === '=', part)
  // The same for every host of the deployment, and every time: pages have strong ETags.
  assert.equal(
    createCursors(kinds, by('text'), {
      classes,
      seal: createTextCipher(Buffer.alloc(32, 1), 'cursors'),
    }).write({
      keys: [secret],
      sequence: 1,
    }),
    cursor,
  )
  const lengths = (texts: readonly string[], sequence = 1) =>
    new Set(texts.map((text) => cursors.write({ keys: [text], sequence }).length))
  assert.deepEqual([...lengths(['', 'a', 'Emma', 'aaaaaaaaa'])], [64])
  assert.equal(cursors.write({ keys: ['aaaaaaaaa'], sequence: Number.MAX_SAFE_INTEGER }).length, 64)
  // Two neighbours have nothing in common.
  const [one = '', other = ''] = [7, 8].map((sequence) => cursors.write({ keys: ['a'], sequence }))
  const same = [...one].filter((character, at) => character === other[at]).length
  assert.ok(same < 16, String(same))
})
