import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursors } from '../../src/api/query/cursor.ts'
import type { Order, Position } from '../../src/store/store.ts'
import { classOf, KINDS } from './queries.ts'

const kinds = classOf(KINDS, 'Kind')
const ROOM = 7_000
const MEMBER = { id: 'm1', version: 4 }
const by = (...names: string[]): Order[] =>
  names.map((name) => ({ property: name.replace('-', ''), descending: name.startsWith('-') }))
const cursorsBy = (...names: string[]) => createCursors(kinds, by(...names))
const pack = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url')
const unpack = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString())

test('a cursor leads back to its position, whatever the keys', () => {
  const table: [order: string[], keys: Position['keys']][] = [
    [[], []],
    [['text'], ['a']],
    [['-text'], ['']],
    [['text'], ['\u{1f600}"\\\n\u0001']],
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
    const cursor = cursors.write(position, MEMBER, ROOM)
    assert.match(cursor, /^[A-Za-z0-9_-]+$/)
    assert.deepEqual(cursors.readAfter(cursor), { position, cut: undefined })
    assert.deepEqual(cursors.readBefore(cursor), { position, cut: undefined })
  }
})

test('the end is a cursor that goes with before alone', () => {
  const cursors = cursorsBy('text')
  assert.equal(cursors.readBefore(cursors.end), 'end')
  assert.throws(() => cursors.readAfter(cursors.end), /^HttpError: after: this is no cursor/)
})

test('a cursor of another order, another direction or another class is refused', () => {
  const position = { keys: ['a'], sequence: 1 }
  const cursor = cursorsBy('text').write(position, MEMBER, ROOM)
  const others = [
    cursorsBy(),
    cursorsBy('-text'),
    cursorsBy('iri'),
    cursorsBy('text', 'whole'),
    createCursors(classOf(KINDS.replace('  Kind:', '  Sort:'), 'Sort'), by('text')),
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
  const good = cursors.write({ keys: ['a', 1], sequence: 5 }, MEMBER, ROOM)
  const [signature, keys, sequence] = unpack(good)
  const forged = [
    '',
    'x',
    'null',
    good.slice(0, -1),
    good.slice(1),
    `${good}A`,
    `${good}=`,
    `${good.slice(0, 4)} ${good.slice(4)}`,
    Buffer.from(JSON.stringify([signature, keys, sequence], null, 1)).toString('base64url'),
    Buffer.from('[1e1').toString('base64url'),
    Buffer.from([0xff, 0xfe]).toString('base64url'),
    ...[
      null,
      'a',
      {},
      [],
      [signature],
      [null, keys, sequence],
      [signature, keys],
      [signature, keys, '5'],
      [signature, keys, -1],
      [signature, keys, 1.5],
      [signature, keys, 2 ** 53],
      [signature, keys, null],
      [signature, ['a'], sequence],
      [signature, ['a', 1, 2], sequence],
      [signature, [1, 1], sequence],
      [signature, ['a', '1'], sequence],
      [signature, ['a', true], sequence],
      [signature, ['a', { a: 1 }], sequence],
      [signature, [['a'], 1], sequence],
      [signature, ['a\0', 1], sequence],
      [signature, ['\ud800', 1], sequence],
      [signature, { length: 2 }, sequence],
      [signature, keys, sequence, 'm1', 'd'],
      [signature, [['a'], 1], sequence, 'm1'],
      [signature, [['a'], 1], sequence, 7, 4],
      [signature, [['a'], 1], sequence, null, 4],
      [signature, [['a'], 1], sequence, 'm1', 4],
      [signature, [['a'], 1], sequence, 'm1', 'd', 'more'],
      [signature, [['a', 'b'], 1], sequence, 'm1', 'd'],
      [signature, [[['a']], 1], sequence, 'm1', 'd'],
      [signature, [[1], 1], sequence, 'm1', 'd'],
      [signature, 'end', 1],
      [signature, 'end', 'end'],
      [signature, 'middle'],
    ].map(pack),
  ]
  for (const cursor of forged) {
    const refusal = { status: 400, message: /^after: this is no cursor; take it from a link/ }
    assert.throws(() => cursors.readAfter(cursor), refusal, Buffer.from(cursor, 'base64url').toString())
  }
  assert.doesNotThrow(() => cursors.readAfter(good))
})

test('keys that are too long for a link are cut at a character, and the member has the rest', () => {
  const long = 'é"\u0001\u{1f600}'.repeat(2_000)
  for (const room of [ROOM, 1_000, 0, -500]) {
    const cursors = cursorsBy('text', 'whole')
    const position = { keys: [long, 7], sequence: 3 }
    const cursor = cursors.write(position, MEMBER, room)
    assert.ok(cursor.length <= Math.max(room, 300), `${cursor.length}`)

    const place = cursors.readAfter(cursor)
    const [cut = ''] = place.position.keys
    assert.ok(typeof cut === 'string' && cut.isWellFormed() && long.startsWith(cut))
    assert.ok(cut !== '' && cut !== long)
    assert.deepEqual([place.cut?.id, place.cut?.keys], [MEMBER.id, [true, false]])

    // Whatever else of it has changed since.
    const member = { ...MEMBER, version: 99, body: `,"text":${JSON.stringify(long)},"whole":7`, holes: '' }
    assert.deepEqual(cursors.restore(place, 'after', member), position)
    assert.deepEqual(cursors.restore(place, 'before', member), position)
  }
})

test('where the member of a cut key is gone or has another one, all that begin alike are ahead of the place', () => {
  const begin = 'x'.repeat(4_000)
  const changed = { id: 'm1', version: 5, body: `,"text":"${begin}x"`, holes: '' }
  const table: [order: string, towards: 'after' | 'before', key: (cut: string) => string][] = [
    ['text', 'after', (cut) => cut],
    ['-text', 'before', (cut) => cut],
    ['-text', 'after', (cut) => `${cut.slice(1)}y`],
    ['text', 'before', (cut) => `${cut.slice(1)}y`],
  ]
  for (const [order, towards, key] of table) {
    const cursors = cursorsBy(order)
    const place = cursors.readAfter(cursors.write({ keys: [`${begin}b`], sequence: 3 }, MEMBER, ROOM))
    // As far as every store sorts by.
    const expected = { keys: [key(begin.slice(0, 500))], sequence: 3 }
    for (const member of [changed, undefined]) {
      assert.deepEqual(cursors.restore(place, towards, member), expected, `${order} ${towards}`)
    }
  }
})

test('of many values, the key that was cut is the least that begins so', () => {
  const cursors = cursorsBy('tags')
  const begin = 'x'.repeat(5_000)
  const position = { keys: [`${begin}b`], sequence: 3 }
  const place = cursors.readAfter(cursors.write(position, MEMBER, ROOM))
  const body = `,"tags":${JSON.stringify(['a', `${begin}c`, `${begin}b`, 'z'])}`
  assert.deepEqual(cursors.restore(place, 'after', { ...MEMBER, body, holes: '' }), position)
})

test('keys that fit are never cut', () => {
  const text = 'x'.repeat(3_900)
  const position = { keys: [text], sequence: 3 }
  const cursors = cursorsBy('text')
  assert.deepEqual(cursors.readAfter(cursors.write(position, MEMBER, ROOM)), { position, cut: undefined })
})
