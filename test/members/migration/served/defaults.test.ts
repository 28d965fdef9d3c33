import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { classSchemas } from '../../../../src/members/conversion/conversion.ts'
import { dryRun } from '../../../../src/store/open.ts'
import { serveWriter, type Writer } from '../../../api/writing.ts'
import { execute, keptDatabase } from '../../../support/databases.ts'
import { modelOf } from '../../../vocabulary/api-files.ts'

const API = `
classes:
  Address: { collection: false, properties: { town: string } }
  Person: { properties: { name: { type: string, required: true }, home: Address, former: { type: Address, many: true } } }
`
const withProperty = (line: string) => API.replace('home: Address,', `home: Address, ${line},`)
const KIND = withProperty('kind: { type: string, required: true, default: usual }')

async function startOver(t: TestContext, { base, db }: Writer, api: string, now?: number): Promise<Writer> {
  return serveWriter(t, { api, db, flags: { baseUrl: base }, ...(now !== undefined && { time: { now } }) })
}

/** Starts with another file, does something, and stops. */
async function over<T>(
  t: TestContext,
  first: Writer,
  api: string,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const writer = await startOver(t, first, api)
  const result = await work(writer)
  await writer.close()
  return result
}

const versionOf = async ({ etag }: Writer, path: string) => Number.parseInt((await etag(path)).slice(1), 10)

const filledBy = async ({ db }: Writer, api: string) =>
  (await dryRun(db, classSchemas(modelOf(api)))).changes.flatMap((one) =>
    one.change === 'filled' ? [[one.className, one.property, one.members]] : [],
  )

async function servePeople(t: TestContext, ...people: object[]) {
  const first = await serveWriter(t, { db: keptDatabase(t), api: API })
  const paths: string[] = []
  for (const person of people) paths.push(await first.addAt('/persons', person))
  return { first, paths, path: paths[0] ?? '' }
}

// contract: **A default fills**
// contract: So `required` with `default` never makes
// contract: **Changing the API file** over data that exists
test('a property that is new and has a default fills the members that exist, with another version and its key', async (t) => {
  const { first, path } = await servePeople(t, { name: 'Ann' }, { name: 'Bob' })
  const before = await versionOf(first, path)
  const etag = await first.etag(path)
  await first.close()
  assert.deepEqual(await filledBy(first, KIND), [['Person', 'kind', 2]])
  await over(t, first, KIND, async (second) => {
    assert.deepEqual(await second.values(path), { name: 'Ann', kind: 'usual' })
    assert.ok((await versionOf(second, path)) > before)
    assert.equal((await second.send('GET', path, { 'If-None-Match': etag })).status, 200)
    assert.equal((await second.patch(path, { name: 'x' }, { 'If-Match': etag })).status, 412)
    assert.equal((await second.get('/persons?kind=usual')).json().totalItems, 2)
    assert.equal((await second.get('/persons?q=usual')).json().totalItems, 2)
    assert.equal((await second.patch(path, { name: 'Anne' })).status, 200)
    assert.equal((await second.put(path, { name: 'Ann' })).json().kind, 'usual')
  })
  assert.deepEqual(await filledBy(first, KIND), [])
})

// contract: **A default fills**
test('a property that newly has a default fills the members without a value alone', async (t) => {
  const { first, paths } = await servePeople(t, { name: 'Ann' }, { name: 'Bob' })
  await first.close()
  const [ann = '', bob = ''] = paths
  const without = withProperty('rank: integer')
  const [kept, filled] = await over(t, first, without, async (second) => {
    await second.patch(ann, { rank: 7 })
    return [await versionOf(second, ann), await versionOf(second, bob)]
  })
  const api = withProperty('rank: { type: integer, default: 1 }')
  assert.deepEqual(await filledBy(first, api), [['Person', 'rank', 1]])
  await over(t, first, api, async (third) => {
    assert.deepEqual([(await third.values(ann)).rank, (await third.values(bob)).rank], [7, 1])
    assert.equal(await versionOf(third, ann), kept)
    assert.ok((await versionOf(third, bob)) > Number(filled))
  })
  // Another value is no new default.
  const other = api.replace('default: 1', 'default: 2')
  assert.deepEqual(await filledBy(first, other), [])
})

// contract: **A default fills**
test('a value that was removed stays removed, at every start and under another name, until the default is new again', async (t) => {
  const { first, path } = await servePeople(t, { name: 'Ann' })
  await first.close()
  const api = KIND.replace('required: true, default: usual', 'default: usual')
  await over(t, first, api, async (second) => {
    assert.equal((await second.patch(path, { kind: null })).status, 200)
  })
  const more = api.replace('former:', 'size: { type: integer, default: 3 }, former:')
  const renamed = api.replace('kind: { type: string', 'sort: { type: string, was: kind')
  for (const [file, expected] of [
    [api, { name: 'Ann' }],
    [more, { name: 'Ann', size: 3 }],
    [renamed, { name: 'Ann' }],
    [renamed, { name: 'Ann' }],
    [API, { name: 'Ann' }],
    [api, { name: 'Ann', kind: 'usual' }],
  ] as const)
    assert.deepEqual(await over(t, first, file, ({ values }) => values(path)), expected)
})

// contract: **A default fills**
test('now is the time of the migration, one for all members; user stays empty', async (t) => {
  const { first, paths } = await servePeople(t, { name: 'Ann' }, { name: 'Bob' })
  await first.close()
  const api = withProperty(
    'since: { type: dateTime, writable: false, default: now }, day: { type: date, default: now }, by: { type: integer, default: user }',
  )
  const from = new Date().toISOString()
  await over(t, first, api, async (second) => {
    const [ann, bob] = await Promise.all(paths.map((path) => second.values(path)))
    assert.deepEqual(Object.keys(ann ?? {}), ['name', 'since', 'day'])
    assert.equal(ann?.since, bob?.since)
    const since = String(ann?.since)
    assert.ok(from <= since && since <= new Date().toISOString(), since)
    assert.equal(ann?.day, since.slice(0, 10))
    const later = await second.addAt('/persons', { name: 'Cid' })
    assert.ok('by' in (await second.values(later)))
  })
})

// contract: **A default fills**
test('a default within embedded values fills each of them, and nothing where there is none', async (t) => {
  const { first, paths } = await servePeople(
    t,
    { name: 'Ann', home: { town: 'A' }, former: [{ town: 'B' }, {}] },
    { name: 'Bob' },
  )
  await first.close()
  const api = API.replace(
    '{ town: string }',
    '{ town: { type: string, default: C }, land: { type: string, default: D } }',
  )
  assert.deepEqual(await filledBy(first, api), [
    ['Person', 'home/land', 1],
    ['Person', 'former/land', 1],
    ['Person', 'former/town', 1],
  ])
  const address = { '@type': 'Address', land: 'D' }
  await over(t, first, api, async (second) => {
    assert.deepEqual(await second.values(paths[0] ?? ''), {
      name: 'Ann',
      home: { ...address, town: 'A' },
      former: [
        { ...address, town: 'B' },
        { ...address, town: 'C' },
      ],
    })
    assert.deepEqual(await second.values(paths[1] ?? ''), { name: 'Bob' })
    await second.patch(paths[0] ?? '', { home: { land: null } })
  })
  const home = await over(t, first, api, async ({ values }) => (await values(paths[0] ?? '')).home)
  assert.deepEqual(home, { '@type': 'Address', town: 'A' })
})

// contract: **A default fills**
test('a default that a unique property would get twice stops the start', async (t) => {
  const { first, path } = await servePeople(t, { name: 'Ann' }, { name: 'Bob' })
  await first.close()
  const api = withProperty('code: { type: string, unique: true, default: x }')
  await assert.rejects(startOver(t, first, api), { name: 'IncompatibleMembersError' })
  assert.deepEqual(await over(t, first, API, ({ values }) => values(path)), { name: 'Ann' })
})

// contract: **A default fills**
test('a database of an earlier version, which did not remember defaults, is not rewritten for an API file that has not changed', async (t) => {
  const { first, path } = await servePeople(t, { name: 'Ann' })
  await first.close()
  const api = withProperty(
    'kind: { type: string, default: usual }, time: { type: time, default: "12:00:00" }',
  )
  const before = await over(t, first, api, async (second) => {
    await second.patch(path, { kind: null, time: null })
    return { values: await second.values(path), version: await versionOf(second, path) }
  })
  const forget = "DELETE FROM settings WHERE name LIKE 'defaults of %'"
  await execute(first.db, { sqlite: forget, postgres: forget })
  const { migrated } = await dryRun(first.db, classSchemas(modelOf(api)))
  assert.deepEqual(migrated, [])
  const after = await over(t, first, api, async (third) => {
    return { values: await third.values(path), version: await versionOf(third, path) }
  })
  assert.deepEqual(after, before)

  // What is new beside them is filled in: a property that had no key before.
  await execute(first.db, { sqlite: forget, postgres: forget })
  const more = api.replace('former:', 'size: { type: integer, default: 3 }, former:')
  assert.deepEqual(await over(t, first, more, ({ values }) => values(path)), { name: 'Ann', size: 3 })
})
