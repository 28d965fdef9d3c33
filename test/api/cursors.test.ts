import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursors } from '../../src/api/query/paging.ts'
import { PLAIN } from '../../src/seal.ts'
import type { Order, Position } from '../../src/store/index.ts'
import { indexKey } from '../../src/vocabulary/keys.ts'
import { classOf, KINDS } from './queries.ts'

const kinds = classOf(KINDS, 'Kind')
const by = (...names: string[]): Order[] =>
  names.map((name) => ({ property: name.replace('-', ''), descending: name.startsWith('-') }))
const cursorsBy = (...names: string[]) => createCursors(kinds, by(...names), PLAIN)
const pack = (...parts: string[]): string => Buffer.from(parts.join('\0')).toString('base64url')

test('a cursor leads back to its position, whatever the keys', () => {
  const table: [order: string[], keys: Position['keys']][] = [
    [[], []],
    [['text'], ['a']],
    [['-text'], ['']],
    [['text'], ['\u{1f600}"\\\n\u0001=']],
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

test('four orders by the longest texts leave room for a query of 2,500 characters in a link of 7 KiB', () => {
  const cursors = cursorsBy('text', 'iri', 'instant', 'author')
  for (const character of ['\u{10ffff}', '\u0001', '"', 'a']) {
    const keys = Array.from({ length: 4 }, (_, index) => indexKey(character.repeat(201 + index)))
    const position = { keys, sequence: Number.MAX_SAFE_INTEGER }
    const cursor = cursors.write(position)
    assert.ok(cursor.length <= cursors.longest)
    assert.deepEqual(cursors.readAfter(cursor), position)
  }
  assert.ok(cursors.longest <= 7 * 1024 - 2_500, String(cursors.longest))
})

test('the end is a cursor that goes with before alone', () => {
  const cursors = cursorsBy('text')
  assert.equal(cursors.readBefore(cursors.end), 'end')
  assert.throws(() => cursors.readAfter(cursors.end), /^HttpError: after: this is no cursor/)
})

test('a cursor of another order, another direction or another class is refused', () => {
  const position = { keys: ['a'], sequence: 1 }
  const cursor = cursorsBy('text').write(position)
  const others = [
    cursorsBy(),
    cursorsBy('-text'),
    cursorsBy('iri'),
    cursorsBy('text', 'whole'),
    createCursors(classOf(KINDS.replace('  Kind:', '  Sort:'), 'Sort'), by('text'), PLAIN),
  ]
  for (const other of others) {
    for (const sent of [cursor, cursorsBy('text').end]) {
      assert.throws(() => other.readBefore(sent), {
        status: 400,
        message: 'before: the cursor belongs to another order or another collection; begin again without it.',
      })
    }
  }
})

// contract: **Paging**: `page` and `itemsPerPage`
test('what was not written as a cursor is refused, however near it comes', () => {
  const cursors = cursorsBy('text', 'whole')
  const good = cursors.write({ keys: ['a', 1], sequence: 5 })
  const [signature = ''] = Buffer.from(good, 'base64url').toString().split('\0')
  assert.equal(pack(signature, '5', '=a', '=1', ''), good)
  const forged = [
    '',
    'x',
    'null',
    good.slice(0, -1),
    good.slice(1),
    `${good}A`,
    `${good}=`,
    `${good.slice(0, 4)} ${good.slice(4)}`,
    Buffer.from([0xff, 0xfe]).toString('base64url'),
    // Half a character.
    Buffer.from(`${signature}_5_=\xff_=1_`.replaceAll('_', '\0'), 'latin1').toString('base64url'),
    ...[
      ['null'],
      [signature],
      [signature, '5', '=a', '=1'],
      [signature, '5', '=a', '=', '', ''],
      ['', '5', '=a', '=1', ''],
      [signature.slice(1), '5', '=a', '=1', ''],
      [signature, '', '=a', '=1', ''],
      [signature, '05', '=a', '=1', ''],
      [signature, '-1', '=a', '=1', ''],
      [signature, '1.5', '=a', '=1', ''],
      [signature, '9007199254740992', '=a', '=1', ''],
      [signature, 'five', '=a', '=1', ''],
      [signature, '5', ''],
      [signature, '5', '=a', ''],
      [signature, '5', '=a', '=1', '=2', ''],
      [signature, '5', 'a', '=1', ''],
      [signature, '5', '=a', '1', ''],
      [signature, '5', '=a', '=', ''],
      [signature, '5', '=a', '=b', ''],
      [signature, '5', '=a', '=01', ''],
      [signature, '5', '=a', '=-0', ''],
      [signature, '5', '=a', '=1e0', ''],
      [signature, '5', '=a', '=NaN', ''],
      [signature, '5', '=a', '=Infinity', ''],
      [signature, '5', '=a', '=1e999', ''],
      [signature, 'end'],
      [signature, 'end', 'end'],
      [signature, 'middle'],
    ].map((parts) => pack(...parts)),
  ]
  for (const cursor of forged) {
    const refusal = { status: 400, message: /^after: this is no cursor; take it from a link/ }
    assert.throws(() => cursors.readAfter(cursor), refusal, Buffer.from(cursor, 'base64url').toString())
  }
  assert.doesNotThrow(() => cursors.readAfter(good))
})
