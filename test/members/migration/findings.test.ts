import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ClassSchema,
  type IncompatibleMember,
  IncompatibleMembersError,
} from '../../../src/members/index.ts'
import type { ProblemData } from '../../../src/problem.ts'
import { incompatibleSentence } from '../../../src/service/problems/migration.ts'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { contentOf } from '../../support/contents.ts'
import { memberOf, select, shapeOf, type Values } from '../../support/shapes.ts'
import { MIGRATED_STORES, openFor } from '../../support/stores.ts'
import { BOOK, stored, TWELVE } from './books.ts'

async function incompatibleIn(url: string, ...shapes: ClassSchema[]): Promise<readonly IncompatibleMember[]> {
  const error: unknown = await openStore(url, shapes).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof IncompatibleMembersError, String(error))
  return error.incompatible
}

interface Case {
  readonly name: string
  readonly books: readonly Values[]
  readonly shape: ClassSchema
  readonly named: readonly string[]
  readonly violation: ProblemData
}

const DUPLICATE: ProblemData = {
  code: 'DuplicateValue',
  at: { property: 'title' },
  values: { address: 'Book b0', value: '"A"' },
}

const CASES: readonly Case[] = [
  {
    name: 'a changed type that members violate stops the start; ten of them are named',
    books: TWELVE,
    shape: shapeOf('Book', { title: 'number' }, { fingerprint: 2 }),
    named: Array.from({ length: 10 }, (_, index) => `b${index}`),
    violation: { code: 'WrongJsonType', at: { property: 'title' }, values: { expected: 'number' } },
  },
  {
    name: 'a new unique that members violate stops the start; both are named, and the value',
    books: [{ title: 'A' }, { title: 'B' }, {}, { title: 'A' }, {}],
    shape: shapeOf('Book', { title: 'unique' }, { fingerprint: 2 }),
    named: ['b3'],
    violation: DUPLICATE,
  },
  {
    name: 'of a value that many have, all but the first are named, up to ten',
    books: Array.from({ length: 12 }, () => ({ title: 'A' })),
    shape: shapeOf('Book', { title: 'unique' }, { fingerprint: 2 }),
    named: Array.from({ length: 10 }, (_, index) => `b${index + 1}`),
    violation: DUPLICATE,
  },
  {
    name: 'a link that is to another class now, and to nothing there, stops the start',
    books: [{ author: 'ann' }, { author: 'bob' }],
    shape: shapeOf(
      'Book',
      {},
      {
        fingerprint: 2,
        types: { Book: { title: 'another type' } },
        convert: ({ body }) => ({
          ...memberOf({}, ''),
          body,
          links: [{ property: 'author', className: 'Author', id: body.slice(11, -1) }],
        }),
      },
    ),
    named: ['b1'],
    violation: {
      code: 'NoSuchTarget',
      at: { property: 'author' },
      values: { className: 'Author', id: 'bob' },
    },
  },
]

for (const { name: store, newDatabase } of MIGRATED_STORES) {
  describe(`${store}: incompatible members`, () => {
    for (const { name, books, shape, named, violation } of CASES) {
      test(name, async (t) => {
        const url = await stored(newDatabase(t), books)
        const before = await contentOf(url)
        const shapes = [shapeOf('Author', {}), shape]
        const incompatible = await incompatibleIn(url, ...shapes)
        assert.deepEqual(
          incompatible.map(({ className, id }) => [className, id]),
          named.map((id) => ['Book', id]),
        )
        for (const { violations } of incompatible) assert.deepEqual(violations[0], violation)
        assert.deepEqual(await contentOf(url), before)
        const { changes, migrated, joined, broken, ...tried } = await dryRun(url, shapes)
        assert.deepEqual([changes, migrated, joined, broken], [[], [], [], []])
        assert.deepEqual(tried.incompatible, incompatible)
        // Under the former file all is as it was.
        const store = await openFor(t, url, [shapeOf('Author', {}), shapeOf('Book', BOOK)])
        assert.equal((await store.members.list('Book', select())).total, books.length)
      })
    }

    test('members that break a constraint are counted in a dry run, once each, whether or not their class is migrated', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const before = await contentOf(url)
      const tooLong = (property: string) => ({ code: 'TooLong', at: { property }, values: { maxLength: 1 } })
      const required = { code: 'RequiredValue', at: { property: 'isbn' }, values: {} }
      const violationsOf = (body: string) =>
        body.includes('"T1') ? [tooLong('title/0'), tooLong('title/7'), required] : [required]
      for (const fingerprint of [1, 2]) {
        const { broken } = await dryRun(url, [
          shapeOf('Author', {}),
          shapeOf('Book', BOOK, { fingerprint, violationsOf }),
        ])
        assert.deepEqual(broken, [
          { className: 'Book', violation: required, members: 12 },
          { className: 'Book', violation: tooLong('title'), members: 3 },
        ])
      }
      assert.deepEqual(await contentOf(url), before)
    })

    test('a former name that nothing has is told, of a class and of a property', async (t) => {
      const url = await stored(newDatabase(t), TWELVE)
      const { changes } = await dryRun(url, [
        shapeOf('Author', {}),
        shapeOf('Writer', {}, { was: 'Autor' }),
        shapeOf(
          'Book',
          { ...BOOK, isbn: 'text' },
          { fingerprint: 2, former: { isbn: 'ibsn', title: 'name' } },
        ),
      ])
      assert.deepEqual(changes, [
        { change: 'nothing renamed', className: 'Writer', from: 'Autor', members: 0 },
        { change: 'nothing renamed', className: 'Book', property: 'isbn', from: 'ibsn', members: 0 },
      ])
    })

    test('are ten over all classes; another class is not changed either', async (t) => {
      const url = await stored(newDatabase(t), TWELVE.slice(0, 7))
      const first = await openStore(url, [shapeOf('Page', { title: 'text' })], { bulk: true })
      for (const id of ['p0', 'p1', 'p2', 'p3', 'p4']) {
        await first.members.add('Page', memberOf({ title: 'text' }, id, { title: id }))
      }
      await first.close()
      const before = await contentOf(url)
      const incompatible = await incompatibleIn(
        url,
        shapeOf('New', {}),
        shapeOf('Author', { name: 'text' }, { fingerprint: 2 }),
        ...['Book', 'Page'].map((name) => shapeOf(name, { title: 'number' }, { fingerprint: 2 })),
      )
      assert.deepEqual(
        incompatible.map(({ id }) => id),
        ['b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'p0', 'p1', 'p2'],
      )
      assert.deepEqual(await contentOf(url), before)
    })

    test('the sentence names each with what is wrong', async (t) => {
      const url = await stored(newDatabase(t), TWELVE.slice(0, 2))
      const message = incompatibleSentence(
        await incompatibleIn(url, shapeOf('Book', { title: 'number' }, { fingerprint: 2 })),
      )
      for (const address of ['Book b0', 'Book b1'])
        assert.ok(message.includes(`\n  ${address}: title: `), message)
    })
  })
}
