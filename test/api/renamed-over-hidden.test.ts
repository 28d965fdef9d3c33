import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { shapesOf } from '../../src/members/index.ts'
import { dryRun, openStore } from '../../src/store/open.ts'
import { IncompatibleMembersError } from '../../src/store/store.ts'
import { newDatabase } from '../support/databases.ts'
import { modelOf } from '../support/service.ts'
import { type Json, serveSignedIn } from './signed-in.ts'
import { put } from './walks.ts'
import { serveWriter } from './writing.ts'

const api = (classes: string) => `classes: { Author: { properties: { name: string } }, ${classes} }`
const note = (properties: string) => api(`Note: { properties: { ${properties} } }`)
/** Embedded: its properties are those of a part of each note. */
const part = (properties: string, many = '') =>
  api(
    `Note: { properties: { part: { type: Part${many} } } }, Part: { collection: false, properties: { ${properties} } }`,
  )
const manyParts = (properties: string) => part(properties, ', many: true')

/** As a server does that is started with the file and stopped again. */
async function startUnder(db: string, file: string): Promise<void> {
  const store = await openStore(db, shapesOf(modelOf(file)))
  await store.close()
}

/** Writes members under the first file, and starts under the others, but for the last. */
async function writeUnder(t: TestContext, files: readonly string[], bodies: readonly object[]) {
  const [first = '', ...further] = files
  const service = await serveSignedIn(t, { db: newDatabase(t), api: first })
  await put(service, '/authors/7', { name: 'Ann' })
  for (const [index, body] of bodies.entries()) await put(service, `/notes/${index}`, body)
  await service.close()
  for (const file of further.slice(0, -1)) await startUnder(service.db, file)
  return { db: service.db, last: further.at(-1) ?? '', flags: { baseUrl: service.base } }
}

const BOTH: readonly [name: string, bodies: readonly object[], files: readonly string[], at: string][] = [
  [
    'a property that was removed before',
    [{ x: 'removed', y: 'kept' }],
    [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    'x',
  ],
  [
    'one that some members had, while others have the renamed one',
    [{ x: 'removed' }, { y: 'kept' }],
    [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    'x',
  ],
  [
    'one that was removed some files ago',
    [{ x: 'removed' }, { y: 'kept' }],
    [
      note('x: string, y: string'),
      note('y: string'),
      note('y: string, z: string'),
      note('x: { type: string, was: y }'),
    ],
    'x',
  ],
  [
    'one that was removed, and so was the one that is renamed',
    [{ x: 'removed', y: 'too' }],
    [note('x: string, y: string'), note('z: string'), note('x: { type: string, was: y }')],
    'x',
  ],
  [
    'one that is there beside it',
    [{ x: 'here' }, { y: 'there' }],
    [note('x: string, y: string'), note('x: { type: string, was: y }')],
    'x',
  ],
  [
    'one with many values',
    [{ x: ['removed', 'too'] }, { y: ['kept'] }],
    [
      note('x: { type: string, many: true }, y: { type: string, many: true }'),
      note('y: { type: string, many: true }'),
      note('x: { type: string, many: true, was: y }'),
    ],
    'x',
  ],
  [
    'a link',
    [{ x: '../authors/7' }, { y: '../authors/7' }],
    [note('x: Author, y: Author'), note('y: Author'), note('x: { type: Author, was: y }')],
    'x',
  ],
  [
    'a property of embedded values',
    [{ part: { x: 'removed' } }, { part: { y: 'kept' } }],
    [part('x: string, y: string'), part('y: string'), part('x: { type: string, was: y }')],
    'part/x',
  ],
  [
    'a property of one of many embedded values, where another has the renamed one',
    [{ part: [{ y: 'kept' }, { x: 'removed' }] }],
    [manyParts('x: string, y: string'), manyParts('y: string'), manyParts('x: { type: string, was: y }')],
    'part/x',
  ],
  [
    'a property of embedded values that are hidden as a whole',
    [{ part: { x: 'removed', y: 'kept' } }],
    [part('x: string, y: string'), note('z: string'), part('x: { type: string, was: y }')],
    'part/x',
  ],
  [
    'a property, while the class is renamed as well',
    [{ x: 'removed' }, { y: 'kept' }],
    [
      note('x: string, y: string'),
      note('y: string'),
      api(
        'Memo: { was: Note, collection: notes, properties: { x: { type: string, was: y }, z: { type: string } } }',
      ),
    ],
    'x',
  ],
]

// contract: **Changing the API file** over data that exists
test('a name that members have values of cannot be that of a renamed property: the start is refused', async (t) => {
  for (const [name, bodies, files, at] of BOTH) {
    const { db, last, flags } = await writeUnder(t, files, bodies)
    const isSaid = (text: string) =>
      assert.match(
        text,
        new RegExp(`${at}: has a value of its own, and the API file says that "x" was "y", which has values`),
        name,
      )
    await assert.rejects(startUnder(db, last), (error) => {
      assert.ok(error instanceof IncompatibleMembersError, `${name}: ${error}`)
      isSaid(error.message)
      return true
    })
    const { incompatible, changes } = await dryRun(db, shapesOf(modelOf(last)))
    assert.deepEqual([incompatible.length, changes], [1, []], name)
    for (const { violations } of incompatible)
      for (const { propertyPath, message } of violations) isSaid(`${propertyPath}: ${message}`)

    // Nothing was mixed and nothing lost: under the first file everything is as it was sent.
    const again = await serveWriter(t, { api: files[0] ?? '', db, flags })
    for (const [index, body] of bodies.entries())
      assert.deepEqual(plain(await again.values(`/notes/${index}`), again.base), body, name)
    await again.close()
  }
})

/** As it was sent: without classes, and with links as they were. */
const plain = (values: Json, base: string): Json =>
  JSON.parse(JSON.stringify(values).replaceAll(`${base}/`, '../'), (key, one) =>
    key === '@type' ? undefined : one,
  )

const FINE: readonly [
  name: string,
  bodies: readonly object[],
  files: readonly string[],
  served: readonly object[],
][] = [
  [
    'a name that was removed before, and no member had a value of',
    [{ y: 'kept' }, {}],
    [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    [{ x: 'kept' }, {}],
  ],
  [
    'a name that comes back, with a former one that no member has a value of any more',
    [{ y: 'kept' }],
    [
      note('y: string'),
      note('x: { type: string, was: y }'),
      note('z: string'),
      note('x: { type: string, was: y }'),
    ],
    [{ x: 'kept' }],
  ],
  [
    'a name that was forgotten to be said, before any member had a value of it',
    [{ y: 'kept' }],
    [note('y: string'), note('x: string'), note('x: { type: string, was: y }')],
    [{ x: 'kept' }],
  ],
  [
    'embedded values that are renamed with what is hidden in them',
    [{ part: { x: 'hidden', y: 'kept' } }],
    [
      part('x: string, y: string'),
      part('y: string'),
      api(
        'Note: { properties: { piece: { type: Part, was: part } } }, Part: { collection: false, properties: { x: string, z: { type: string, was: y } } }',
      ),
    ],
    [{ piece: { x: 'hidden', z: 'kept' } }],
  ],
]

test('a renamed property has the values of its former name, and what is hidden beside it comes back', async (t) => {
  for (const [name, bodies, files, served] of FINE) {
    const { db, last, flags } = await writeUnder(t, files, bodies)
    const service = await serveWriter(t, { api: last, db, flags })
    for (const [index, body] of served.entries())
      assert.deepEqual(plain(await service.values(`/notes/${index}`), service.base), body, name)
    await service.close()
  }
})

test('a class that is renamed to the name of one that was removed, with members of both, stops the start', async (t) => {
  const one = 'classes: { A: { properties: { n: string } } }'
  const service = await serveSignedIn(t, {
    db: newDatabase(t),
    api: 'classes: { A: { properties: { n: string } }, B: { properties: { n: string } } }',
  })
  const { db } = service
  await put(service, '/as/1', { n: 'a' })
  await put(service, '/bs/9', { n: 'b' })
  await service.close()
  await startUnder(db, one)
  await assert.rejects(
    startUnder(db, 'classes: { B: { was: A, properties: { n: string } } }'),
    /members of B and of A, and the API file says that B was A/,
  )
  const again = await serveSignedIn(t, { api: one, db })
  assert.equal((await again.get('/as/1')).status, 200)
})
