import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, createClient, type PropertyConstraints } from 'hydrant-client'
import { bodyOf, type ExampleSources, exampleOf } from '../../console/pages/documentation/examples.ts'
import { findSubject, graphOf, readSubjects } from '../../console/pages/documentation/subjects.ts'
import { isMany, rulesOf, typeInWords } from '../../console/pages/documentation/words.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { describedClass } from './table-class.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema#'

const API = `
title: Theatre
classes:
  Person:
    properties:
      name: { type: string, required: true }
      home: { type: Address, required: true }
      friends: { type: Person, many: true }
      motto: langString
  Address:
    collection: false
    properties:
      town: string
  Play:
    properties:
      title: string
      director: { type: Person, required: true }
  Settings:
    collection: false
    operations: [read, update]
    properties:
      hours: string
`

const clientOf = (base: string): Client =>
  createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })

test('things of an API are told from what serves them, with their collections and operations', async (t) => {
  const client = clientOf((await serve(t, { api: API })).base)
  const subjects = readSubjects(await client.documentation(), await client.collections())
  assert.deepEqual(
    subjects.things.map(({ anchor, collections, single, operations }) => [
      anchor,
      collections.map(({ name }) => name).join(),
      single?.name,
      operations.map(({ method }) => method).join(' '),
    ]),
    [
      ['Person', 'persons', undefined, 'GET PATCH PUT DELETE'],
      ['Address', '', undefined, ''],
      ['Play', 'plays', undefined, 'GET PATCH PUT DELETE'],
      ['Settings', '', 'Settings', 'GET PATCH'],
    ],
  )
  assert.deepEqual(subjects.technical.map(({ anchor }) => anchor).toSorted(), [
    'ConstraintViolationList',
    'EntryPoint',
    'OpenApiDocument',
    'OperationBatch',
    'PersonCollection',
    'PlayCollection',
    'Session',
    'events',
  ])
  assert.equal(findSubject(subjects, 'Play')?.cls.title, 'Play')
  assert.equal(findSubject(subjects, 'play')?.cls.title, 'Play')
  assert.equal(findSubject(subjects, 'Opera'), undefined)
})

test('the picture has a box for each thing, and a link for each property that leads to one', async (t) => {
  const client = clientOf((await serve(t, { api: API })).base)
  const { things } = readSubjects(await client.documentation(), await client.collections())
  const { boxes, links } = graphOf(things)
  const titles = new Map(boxes.map(({ id, title }) => [id, title]))
  assert.deepEqual(
    boxes.map(
      ({ title, lines }) => `${title}: ${lines.map(({ name, type }) => `${name} ${type}`).join(', ')}`,
    ),
    [
      'Person: name text, motto text by language',
      'Address: town text',
      'Play: title text',
      'Settings: hours text',
    ],
  )
  assert.deepEqual(
    links.map(({ from, name, to, many, required, embedded }) => [
      `${titles.get(from)} ${name} ${titles.get(to)}`,
      many,
      required,
      embedded,
    ]),
    [
      ['Person home Address', false, true, true],
      ['Person friends Person', true, false, false],
      ['Play director Person', false, true, false],
    ],
  )
})

test('a box has its first properties, and the number of the others where there are several', () => {
  const rowsOf = (count: number) => {
    const cls = describedClass(
      ...Array.from({ length: count }, (_, index) => ({ name: `p${index}`, range: 'date' })),
    )
    const documentation = { iri: '', title: '', description: '', classes: [cls], links: [] }
    return graphOf(readSubjects(documentation, []).things).boxes[0]?.lines.map(
      ({ name, type }) => name || type,
    )
  }
  assert.deepEqual(rowsOf(7), ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  assert.deepEqual(rowsOf(8), ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', '+ 2 properties'])
})

test('where two classes have the same short name, the address of their sections is the whole name', () => {
  const cls = (iri: string) => ({
    iri,
    title: 'Book',
    description: '',
    properties: [],
    operations: [],
    customOperations: [],
    superClasses: [],
    plural: '',
    label: [],
    uniqueTogether: [],
    removal: '',
    memberClass: undefined,
  })
  const classes = [cls('http://schema.org/Book'), cls('http://api.test/vocab#Book')]
  const documentation = { iri: 'http://api.test/vocab', title: '', description: '', classes, links: [] }
  const { things } = readSubjects(documentation, [])
  assert.deepEqual(
    things.map(({ anchor }) => anchor),
    ['http://schema.org/Book', 'http://api.test/vocab#Book'],
  )
})

test('types are said in words', () => {
  const table: readonly (readonly [string | undefined, boolean, string])[] = [
    [`${XSD}string`, false, 'text'],
    [`${XSD}integer`, false, 'whole number'],
    [`${XSD}boolean`, false, 'yes or no'],
    [`${XSD}dateTime`, false, 'date and time'],
    [`${XSD}hexBinary`, false, 'hexBinary'],
    ['http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', false, 'text by language'],
    ['http://schema.org/Person', true, 'link to Person'],
    [undefined, true, 'link'],
    [undefined, false, 'anything'],
  ]
  for (const [range, isLink, words] of table) assert.equal(typeInWords({ range, isLink }, []), words)
  assert.equal(isMany({ many: true, range: `${XSD}string` }), true)
  assert.equal(isMany({ many: true, range: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' }), false)
})

test('constraints are said in words', () => {
  const table: readonly (readonly [PropertyConstraints, string])[] = [
    [{}, ''],
    [{ minLength: 1, maxLength: 200 }, '1 to 200 characters'],
    [{ maxLength: 1 }, 'at most 1 character'],
    [{ minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
    [{ minimum: 0 }, 'at least 0'],
    [{ minimum: 0, maximum: 5 }, '0 to 5'],
    [{ pattern: '^a+$' }, 'matches ^a+$'],
    [{ values: ['a', 2] }, 'one of a 2'],
    [{ default: false }, 'default false'],
    [{ unique: true, maxLength: 1 }, 'unique; at most 1 character'],
    [{ maximum: 9, default: 'x' }, 'at most 9; default x'],
  ]
  for (const [constraints, words] of table) {
    const said = rulesOf({ constraints }).map(({ text, codes = [] }) => [text, ...codes].join(' '))
    assert.equal(said.join('; '), words)
  }
})

test('the example of an operation is what the API takes', async (t) => {
  const client = clientOf((await serve(t, { api: API.replace('motto: langString', EVERY_KIND) })).base)
  const [documentation, collections] = [await client.documentation(), await client.collections()]
  const known: string[] = []
  const api: ExampleSources = { documentation, collections, known, isProtected: true }
  for (const { iri, memberClass } of collections) {
    assert.ok(memberClass)
    const member = await client.collectionAt(iri).create(bodyOf(memberClass, api))
    known.push(member.iri)
    await member.update(bodyOf(memberClass, api, true))
  }
  const play = collections.find(({ name }) => name === 'plays')
  const create = play?.operations.find(({ method }) => method === 'POST')
  assert.ok(play && create)
  assert.deepEqual(exampleOf(create, play.iri, api), {
    method: 'POST',
    url: play.iri,
    requestHeaders: { 'X-Authorization': '', 'Content-Type': 'application/ld+json' },
    requestBody: `{\n  "title": "Example title",\n  "director": "${known[0]}"\n}`,
  })
})

const EVERY_KIND = `motto: langString
      code: { type: string, pattern: "^[A-Z]{9}$" }
      word: { type: string, minLength: 30, maxLength: 31 }
      short: { type: string, maxLength: 3 }
      state: { type: string, enum: [on, off] }
      size: { type: integer, maximum: -3 }
      count: positiveInteger
      price: { type: decimal, minimum: 0.25 }
      ratio: double
      yes: { type: boolean, many: true }
      day: date
      seen: dateTime
      clock: time
      walk: duration
      site: anyURI
      near: { type: anyURI, maxLength: 12 }
      far: { type: anyURI, minLength: 40 }
      smile: { type: string, title: 😀😀, maxLength: 9 }
      wide: { type: string, title: 😀😀, minLength: 12 }
      former: { type: Address, many: true }`
