import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { FileChange } from '../../../src/members/index.ts'
import { dryRun, openStore } from '../../../src/store/open.ts'
import { modelOf } from '../../support/service.ts'
import { newSqlite, SHARED_STORES } from '../../support/stores.ts'

const FILE = `
classes:
  Author: { properties: { name: { type: string, unique: true }, born: date } }
  Address: { collection: false, properties: { city: string } }
  Shelf: { history: true }
  Book:
    properties:
      title: string
      pages: { type: integer, required: true }
      notes: { type: string, filterable: false }
      author: { type: Author, reverse: books }
      address: Address
`
const shapesOf = (api: string) => classSchemas(modelOf(api))

/** `Book.pages type`, with the incompatible ones marked. */
const shown = ({ className, property, kind, isCompatible }: FileChange): string =>
  `${isCompatible ? '' : '! '}${className}${property === undefined ? '' : `.${property}`}: ${kind}`

type Row = readonly [from: string, to: string, ...kinds: string[]]

const COMPATIBLE: readonly Row[] = [
  ['', ''],
  ['  Shelf:', '  Box: {}\n  Shelf:', 'Box: class added'],
  ['  Shelf: { history: true }\n', '', 'Shelf: class removed'],
  ['title: string', 'title: string\n      language: string', 'Book.language: added'],
  [
    'title: string',
    'title: string\n      language: { type: string, default: en }',
    'Book.language: added with default',
  ],
  [
    'title: string',
    'title: string\n      language: { type: string, required: true }',
    'Book.language: added as required',
  ],
  ['      title: string\n', '', 'Book.title: removed', 'Book: texts'],
  ['title: string', 'title: { type: string, required: true }', 'Book.title: required'],
  ['integer, required: true', 'integer', 'Book.pages: optional'],
  ['title: string', 'title: { type: string, maxLength: 9 }', 'Book.title: constraints'],
  ['title: string', 'title: { type: string, title: Name }', 'Book.title: texts'],
  ['title: string', 'title: { type: string, default: none }', 'Book.title: filled default'],
  ['title: string', 'title: { type: string, filterable: false }', 'Book.title: not filterable'],
  ['string, filterable: false', 'string', 'Book.notes: filterable'],
  ['reverse: books', 'reverse: works', 'Book.author: reverse'],
  ['name: { type: string, unique: true }', 'name: string', 'Author.name: not unique'],
  ['  Book:\n', '  Book:\n    history: true\n', 'Book: history on'],
  ['history: true', 'history: 9d', 'Shelf: history'],
  ['history: true', 'history: false', 'Shelf: history off'],
  ['  Book:\n', '  Book:\n    operations: [list]\n', 'Book: operations'],
  ['  Book:\n', '  Book:\n    access: { write: nobody }\n', 'Book: access'],
  [
    'city: string',
    'city: string, street: string',
    'Book.Address.street: added',
    'Book.address.street: filterable',
  ],
]

const INCOMPATIBLE: readonly Row[] = [
  ['born: date', 'born: string', '! Author.born: type'],
  ['pages: { type: integer', 'length: { type: integer, was: pages', '! Book.length: renamed'],
  ['title: string', 'title: { type: string, unique: true }', '! Book.title: unique'],
  ['  Shelf: {', '  Rack: { was: Shelf,', '! Rack: class renamed', 'Rack: texts', 'Rack: operations'],
  [
    '  Shelf: { history: true }\n  Book:\n    properties:',
    '  Shelf: { collection: false }\n  Book:\n    properties:\n      shelf: Shelf',
    'Book.shelf: added',
    '! Shelf: embedded',
  ],
  ['city: string', 'city: integer', '! Book.Address.city: type'],
]

test('a class that was embedded before is no change', async (t) => {
  const db = newSqlite(t)
  const [from, to] = INCOMPATIBLE.find(([, , ...kinds]) => kinds.includes('! Shelf: embedded')) ?? ['', '']
  for (const api of [FILE, FILE.replace(from, to)]) await (await openStore(db, shapesOf(api))).close()
  assert.deepEqual((await dryRun(db, shapesOf(FILE.replace(from, to)))).kinds, [])
  await (await openStore(db, shapesOf(FILE.replace(from, to)), { isCompatibleOnly: true })).close()
})

for (const { name: store, newDatabase } of SHARED_STORES) {
  describe(`${store}: the changes of an API file`, () => {
    // contract: **Compatible**: a new class
    // contract: **Incompatible**: a rename
    test('are named property by property, and as compatible or not', async (t) => {
      const db = newDatabase(t)
      await (await openStore(db, shapesOf(FILE))).close()
      const rows = [...COMPATIBLE, ...INCOMPATIBLE]
      const found: Row[] = []
      for (const [from, to] of rows) {
        const { kinds } = await dryRun(db, shapesOf(FILE.replace(from, to)))
        found.push([from, to, ...kinds.map(shown)])
      }
      assert.deepEqual(found, rows)
    })
  })
}
