import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import jsonld from 'jsonld'
import { Parser, Writer } from 'n3'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { CREATE } from '../newsroom.ts'
import { type Json, type SignedIn, serveSignedIn } from '../signed-in.ts'

/**
 * Links to the own and to other classes, in embedded values and from the other side too; `label` is a link here and a text
 * there.
 */
const API = `
classes:
  Person:
    properties:
      name: langString
      boss: { type: Person, reverse: staff }
      friends: { type: Person, many: true, reverse: fans }
      home: { type: Town, reverse: people }
      label: Town
      rooms: { type: Room, many: true }
  Room: { collection: false, properties: { place: langString, owner: Person, of: Town } }
  Town: { properties: { label: string, mayor: { type: Person, reverse: view }, twin: Town, seat: Room } }
`
const PATHS = [
  ...['boss', 'friends', 'home', 'label', 'rooms.owner', 'rooms.of', 'boss.boss', 'boss.friends'],
  ...['boss.home', 'friends.boss', 'friends.label', 'home.mayor', 'home.twin', 'label.twin', 'label.mayor'],
  ...['staff', 'fans', 'view', 'staff.staff', 'fans.boss', 'boss.staff', 'home.people', 'view.people'],
  ...['staff.home', 'friends.fans', 'view.twin'],
]
const REVERSE = ['staff', 'fans', 'view', 'people']
const MEMBERS = ['persons/a', 'persons/b', 'persons/c', 'persons/d', 'towns/e', 'towns/f', 'towns/g']

const person = fc.option(fc.constantFrom('a', 'b', 'c', 'd').map((id) => `/api/persons/${id}`))
const town = fc.option(fc.constantFrom('e', 'f', 'g').map((id) => `/api/towns/${id}`))
const text = fc.constantFrom('x', 'y "quoted"', 'ü')
const texts = fc.dictionary(fc.constantFrom('en', 'de-AT'), text, { minKeys: 1 })
const room = fc
  .record({ place: texts, owner: person, of: town })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
  persons: fc.record({
    name: texts,
    boss: person,
    friends: fc.array(person, { maxLength: 3 }).map((all) => all.filter((one) => one !== null)),
    home: town,
    label: town,
    rooms: fc.array(room, { maxLength: 2 }),
  }),
  towns: fc.record({ label: text, mayor: person, twin: town, seat: fc.option(room) }),
}
const graph = fc.record(
  Object.fromEntries(MEMBERS.map((path) => [path, bodies[path.split('/')[0] as string] as never])),
)
const question = fc.record({
  at: fc.constantFrom('/persons', '/persons/a', '/persons/b'),
  paths: fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 4 }),
})

const canonical = (input: unknown, inputFormat?: 'application/n-quads') =>
  jsonld.canonize(input as object, { ...(inputFormat && { inputFormat }), algorithm: 'URDNA2015' })

function quadsOfTurtle(turtle: string): string {
  const writer = new Writer({ format: 'application/n-quads' })
  writer.addQuads(new Parser().parse(turtle))
  let written = ''
  writer.end((_, result: string) => {
    written = result
  })
  return written
}

/** The addresses of all members that an answer writes in full, once for each time. */
const inFull = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(inFull)
  if (typeof value !== 'object' || value === null) return []
  const node = value as Json
  const own =
    /^[^?]*\/(persons|towns)\/\w$/.test(String(node['@id'])) && '@type' in node ? [`${node['@id']}`] : []
  return [...own, ...Object.entries(node).flatMap(([key, one]) => (key === '@context' ? [] : inFull(one)))]
}

/** The members that an answer is to have, by the members as they are alone. */
function expectedIn(base: string, at: string, paths: readonly string[], alone: ReadonlyMap<string, Json>) {
  const top =
    at === '/persons' ? [...alone.keys()].filter((iri) => /^[^?]*\/persons\//.test(iri)) : [base + at]
  const values = (node: Json | undefined, name: string): unknown[] => [node?.[name] ?? []].flat()
  const membersOf = (one: unknown) => {
    const listed = typeof one === 'string' ? (alone.get(one)?.member as Json[] | undefined) : undefined
    return listed?.map((member) => member['@id'])
  }
  const found = new Set(top)
  for (const start of top)
    for (const path of paths) {
      let reached: unknown[] = [start]
      for (const name of path.split('.')) {
        const nodes = reached.map((one) => (typeof one === 'string' ? alone.get(one) : (one as Json)))
        reached = nodes.flatMap((node) => values(node, name))
        for (const one of reached) if (typeof one === 'string') found.add(one)
        reached = reached.flatMap((one) => membersOf(one) ?? [one])
        for (const one of reached) if (typeof one === 'string') found.add(one)
      }
    }
  return [...found]
}

/** What is said of a collection, apart from its members. */
const asListed = (page: Json): Json => ({
  ...page,
  member: (page.member as Json[]).map((one) => ({ '@id': one['@id'] })),
})

async function fill({ send }: SignedIn, members: Readonly<Record<string, object>>, isNew: boolean) {
  for (const [path, body] of Object.entries(members)) {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    const headers = { 'Content-Type': 'application/json', ...(isNew && CREATE) }
    const { status, body: answer } = await send(
      'PUT',
      `/${path}`,
      headers,
      JSON.stringify(isNew ? {} : given),
    )
    assert.ok(status === 200 || status === 201, answer)
  }
}

// contract: A target that the user may not read stays an address, and so does one
test('an answer with included members has each in full once, and is one graph in every form', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  await fill(service, Object.fromEntries(MEMBERS.map((path) => [path, {}])), true)
  const form = async (path: string, accept: string) => (await service.get(path, { Accept: accept })).body

  const property = fc.asyncProperty(
    graph,
    fc.array(question, { minLength: 4, maxLength: 4 }),
    async (members, questions) => {
      await fill(service, members as Readonly<Record<string, object>>, false)
      const alone = new Map<string, Json>()
      for (const path of MEMBERS) {
        const member = (await service.get(`/${path}`)).json() as Json
        alone.set(`${service.base}/${path}`, member)
        for (const name of REVERSE) {
          const address = member[name]
          if (typeof address !== 'string') continue
          const collection = await service.get(address.slice(service.base.length))
          alone.set(address, asListed(collection.json() as Json))
        }
      }
      for (const { at, paths } of questions) {
        const path = `${at}?${paths.map((one) => `include=${one}`).join('&')}`
        const json = JSON.parse(await form(path, 'application/ld+json')) as Json
        const expected = expectedIn(service.base, at, paths, alone)
        const members = expected.filter((iri) => !iri.includes('?'))
        assert.deepEqual(inFull(json).toSorted(), members.toSorted(), path)
        // The same as all of its members alone say, beside the words of the page.
        const listed = 'member' in json ? [asListed(json)] : []
        const said = await canonical(json)
        assert.equal(said, await canonical([...listed, ...expected.map((iri) => alone.get(iri))]), path)
        const quads = await form(path, 'application/n-quads')
        assert.equal(await canonical(quads, 'application/n-quads'), said, path)
        const turtle = quadsOfTurtle(await form(path, 'text/turtle'))
        assert.equal(await canonical(turtle, 'application/n-quads'), said, path)
      }
    },
  )
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  await fc.assert(property, { numRuns: isSqlite ? inSoak(200, 5) : inSoak(50, 2) })
})

// contract: A target that the user may not read stays an address, and so does one
test('a page of events has each member in full once, and is one graph in every form', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  // A full page stays the same.
  const path = '/events?include=object&itemsPerPage=4'
  const first = ((await service.get(path)).json() as { view: { next: string } }).view.next
  await fill(service, { 'towns/e': {}, 'towns/f': {} }, true)
  for (const label of ['x', 'y'])
    await fill(service, { 'towns/e': { label, seat: { place: { en: 'here' } } } }, false)
  const read = async (accept: string) =>
    (await service.get(first.slice(service.base.length), { Accept: accept })).body
  const json = JSON.parse(await read('application/ld+json')) as { member: { object: Json }[] }
  assert.deepEqual(
    json.member.map(({ object }) => 'label' in object || 'seat' in object),
    [true, false, false, false],
  )
  assert.equal(
    await canonical(await read('application/n-quads'), 'application/n-quads'),
    await canonical(json),
  )
})
