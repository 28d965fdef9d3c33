import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { classSchemas } from '../../../../src/members/conversion/conversion.ts'
import { IncompatibleMembersError } from '../../../../src/members/index.ts'
import { dryRun, openStore } from '../../../../src/store/open.ts'
import { type Json, serveSignedIn } from '../../../api/signed-in.ts'
import { put } from '../../../api/walks.ts'
import { serveWriter, type Writer } from '../../../api/writing.ts'
import { keptDatabase } from '../../../support/databases.ts'
import { modelOf } from '../../../support/service.ts'

const note = (properties: string) => `Note: { collection: notes, properties: { ${properties} } }`
/** Embedded: its properties are those of a part of each note. */
const part = (properties: string, many = '') =>
  `${note(`part: { type: Part${many} }`)}, Part: { collection: false, properties: { ${properties} } }`
const manyParts = (properties: string) => part(properties, ', many: true')

/** As a server does that is started with the file and stopped again. */
async function startUnder(db: string, file: string): Promise<void> {
  const store = await openStore(db, classSchemas(modelOf(file)))
  await store.close()
}

interface Case {
  readonly name: string
  readonly bodies: readonly object[]
  /** The classes of each API file that follows another. */
  readonly files: readonly string[]
}

/** Files for all cases at once, each with classes of its own; the last ones come last, however many were before. */
function filesOf(cases: readonly Case[]): string[] {
  const length = Math.max(...cases.map(({ files }) => files.length))
  return Array.from({ length }, (_, step) => {
    const classes = cases.map(({ files }, index) => {
      const file = step === length - 1 ? files.at(-1) : files[Math.min(step, files.length - 2)]
      return String(file).replace(/\b(?:Note|Part|Memo|notes)\b/g, (name) => `${name}${index}`)
    })
    return `classes: { Author: { properties: { name: string } }, ${classes.join(', ')} }`
  })
}

const addressesOf = (cases: readonly Case[]) =>
  cases.map(({ bodies }, index) => bodies.map((_, member) => `/notes${index}/${member}`))

/** Writes members under the first file, and starts under the others, but for the last. */
async function writeUnder(t: TestContext, cases: readonly Case[]) {
  const [first = '', ...further] = filesOf(cases)
  const service = await serveSignedIn(t, { db: keptDatabase(t), api: first })
  await put(service, '/authors/7', { name: 'Ann' })
  for (const [index, addresses] of addressesOf(cases).entries())
    for (const [member, address] of addresses.entries())
      await put(service, address, cases[index]?.bodies[member] ?? {})
  await service.close()
  for (const file of further.slice(0, -1)) await startUnder(service.db, file)
  return { db: service.db, first, last: further.at(-1) ?? '', flags: { baseUrl: service.base } }
}

const BOTH: readonly (Case & { readonly at: string })[] = [
  {
    name: 'a property that was removed before',
    bodies: [{ x: 'removed', y: 'kept' }],
    files: [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    at: 'x',
  },
  {
    name: 'one that some members had, while others have the renamed one',
    bodies: [{ x: 'removed' }, { y: 'kept' }],
    files: [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    at: 'x',
  },
  {
    name: 'one that was removed some files ago',
    bodies: [{ x: 'removed' }, { y: 'kept' }],
    files: [
      note('x: string, y: string'),
      note('y: string'),
      note('y: string, z: string'),
      note('x: { type: string, was: y }'),
    ],
    at: 'x',
  },
  {
    name: 'one that was removed, and so was the one that is renamed',
    bodies: [{ x: 'removed', y: 'too' }],
    files: [note('x: string, y: string'), note('z: string'), note('x: { type: string, was: y }')],
    at: 'x',
  },
  {
    name: 'one that is there beside it',
    bodies: [{ x: 'here' }, { y: 'there' }],
    files: [note('x: string, y: string'), note('x: { type: string, was: y }')],
    at: 'x',
  },
  {
    name: 'one with many values',
    bodies: [{ x: ['removed', 'too'] }, { y: ['kept'] }],
    files: [
      note('x: { type: string, many: true }, y: { type: string, many: true }'),
      note('y: { type: string, many: true }'),
      note('x: { type: string, many: true, was: y }'),
    ],
    at: 'x',
  },
  {
    name: 'a link',
    bodies: [{ x: '../authors/7' }, { y: '../authors/7' }],
    files: [note('x: Author, y: Author'), note('y: Author'), note('x: { type: Author, was: y }')],
    at: 'x',
  },
  {
    name: 'a property of embedded values',
    bodies: [{ part: { x: 'removed' } }, { part: { y: 'kept' } }],
    files: [part('x: string, y: string'), part('y: string'), part('x: { type: string, was: y }')],
    at: 'part/x',
  },
  {
    name: 'a property of one of many embedded values, where another has the renamed one',
    bodies: [{ part: [{ y: 'kept' }, { x: 'removed' }] }],
    files: [
      manyParts('x: string, y: string'),
      manyParts('y: string'),
      manyParts('x: { type: string, was: y }'),
    ],
    at: 'part/x',
  },
  {
    name: 'a property of embedded values that are hidden as a whole',
    bodies: [{ part: { x: 'removed', y: 'kept' } }],
    files: [part('x: string, y: string'), note('z: string'), part('x: { type: string, was: y }')],
    at: 'part/x',
  },
  {
    name: 'a property, while the class is renamed as well',
    bodies: [{ x: 'removed' }, { y: 'kept' }],
    files: [
      note('x: string, y: string'),
      note('y: string'),
      'Memo: { was: Note, collection: notes, properties: { x: { type: string, was: y }, z: { type: string } } }',
    ],
    at: 'x',
  },
]

// contract: **Changing the API file** over data that exists
test('a name that members have values of cannot be that of a renamed property: the start is refused', async (t) => {
  // Not all at once: ten members are named at most.
  for (const cases of [BOTH.slice(0, 6), BOTH.slice(6)]) {
    const { db, first, last, flags } = await writeUnder(t, cases)
    await assert.rejects(startUnder(db, last), (error) => {
      assert.ok(error instanceof IncompatibleMembersError, String(error))
      for (const { violations } of error.incompatible)
        for (const { code, values } of violations)
          assert.deepEqual([code, values], ['BothNamesUsed', { name: 'x', was: 'y' }])
      return true
    })
    const { incompatible, changes } = await dryRun(db, classSchemas(modelOf(last)))
    assert.deepEqual(changes, [])
    for (const [index, { name, at }] of cases.entries()) {
      const found = incompatible.filter(({ className }) => className.endsWith(String(index)))
      const violations = found.flatMap((one) => one.violations)
      assert.deepEqual([found.length, violations.map((one) => one.at.property)], [1, [at]], name)
      for (const { code, values } of violations)
        assert.deepEqual([code, values], ['BothNamesUsed', { name: 'x', was: 'y' }], name)
    }

    // Nothing was mixed and nothing lost: under the first file everything is as it was sent.
    const again = await serveWriter(t, { api: first, db, flags })
    await assertServed(
      again,
      cases.map((one) => ({ ...one, served: one.bodies })),
    )
  }
})

type Served = Case & { readonly served: readonly object[] }

async function assertServed(service: Writer, cases: readonly Served[]): Promise<void> {
  for (const [index, addresses] of addressesOf(cases).entries())
    for (const [member, address] of addresses.entries())
      assert.deepEqual(
        plain(await service.values(address), service.base),
        cases[index]?.served[member],
        cases[index]?.name,
      )
}

/** As it was sent: without classes, and with links as they were. */
const plain = (values: Json, base: string): Json =>
  JSON.parse(JSON.stringify(values).replaceAll(`${base}/`, '../'), (key, one) =>
    key === '@type' ? undefined : one,
  )

const FINE: readonly Served[] = [
  {
    name: 'a name that was removed before, and no member had a value of',
    bodies: [{ y: 'kept' }, {}],
    files: [note('x: string, y: string'), note('y: string'), note('x: { type: string, was: y }')],
    served: [{ x: 'kept' }, {}],
  },
  {
    name: 'a name that comes back, with a former one that no member has a value of any more',
    bodies: [{ y: 'kept' }],
    files: [
      note('y: string'),
      note('x: { type: string, was: y }'),
      note('z: string'),
      note('x: { type: string, was: y }'),
    ],
    served: [{ x: 'kept' }],
  },
  {
    name: 'a name that was forgotten to be said, before any member had a value of it',
    bodies: [{ y: 'kept' }],
    files: [note('y: string'), note('x: string'), note('x: { type: string, was: y }')],
    served: [{ x: 'kept' }],
  },
  {
    name: 'embedded values that are renamed with what is hidden in them',
    bodies: [{ part: { x: 'hidden', y: 'kept' } }],
    files: [
      part('x: string, y: string'),
      part('y: string'),
      `${note('piece: { type: Part, was: part }')}, Part: { collection: false, properties: { x: string, z: { type: string, was: y } } }`,
    ],
    served: [{ piece: { x: 'hidden', z: 'kept' } }],
  },
]

test('a renamed property has the values of its former name, and what is hidden beside it comes back', async (t) => {
  const { db, last, flags } = await writeUnder(t, FINE)
  await assertServed(await serveWriter(t, { api: last, db, flags }), FINE)
})

test('a class that is renamed to the name of one that was removed, with members of both, stops the start', async (t) => {
  const one = 'classes: { A: { properties: { n: string } } }'
  const service = await serveSignedIn(t, {
    db: keptDatabase(t),
    api: 'classes: { A: { properties: { n: string } }, B: { properties: { n: string } } }',
  })
  const { db } = service
  await put(service, '/as/1', { n: 'a' })
  await put(service, '/bs/9', { n: 'b' })
  await service.close()
  await startUnder(db, one)
  await assert.rejects(startUnder(db, 'classes: { B: { was: A, properties: { n: string } } }'), {
    code: 'BothClassesStored',
    values: { from: 'A', to: 'B' },
  })
  const again = await serveSignedIn(t, { api: one, db })
  assert.equal((await again.get('/as/1')).status, 200)
})
