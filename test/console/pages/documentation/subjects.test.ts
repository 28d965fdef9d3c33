import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSubject, graphOf, readSubjects } from '../../../../console/pages/documentation/subjects.ts'
import { serve } from '../../../support/service.ts'
import { describedClass } from '../../table-class.ts'
import { clientOf, THEATRE } from './theatre.ts'

test('the classes of an API are separated from technical ones, with their collections and operations', async (t) => {
  const client = clientOf((await serve(t, { api: THEATRE })).base)
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
    'Account',
    'AccountCollection',
    'ConstraintViolationList',
    'EntryPoint',
    'OpenApiDocument',
    'OperationBatch',
    'PersonCollection',
    'PlayCollection',
    'Session',
    'Summary',
    'events',
    'summaries',
  ])
  assert.equal(findSubject(subjects, 'Play')?.cls.title, 'Play')
  assert.equal(findSubject(subjects, 'play')?.cls.title, 'Play')
  assert.equal(findSubject(subjects, 'Opera'), undefined)
})

test('histories and their changes are technical, and the link to them is no property', async (t) => {
  const api = 'history: true\nclasses: { Book: { properties: { title: string } } }\n'
  const client = clientOf((await serve(t, { api })).base)
  const { things, technical } = readSubjects(await client.documentation(), await client.collections())
  assert.deepEqual(
    things.map(({ anchor, cls }) => [anchor, ...cls.properties.map(({ name }) => name)]),
    [['Book', 'title']],
  )
  const others = technical.map(({ anchor }) => anchor)
  assert.ok(others.includes('histories') && others.includes('Activity'), others.join())
})

test('the picture has a box for each class, and a link for each property that leads to a class', async (t) => {
  const client = clientOf((await serve(t, { api: THEATRE })).base)
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

test('a box shows its first properties, and how many others there are', () => {
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

test('sections of classes with the same short name are addressed by the whole IRI', () => {
  const cls = (iri: string) => ({
    iri,
    title: 'Book',
    description: '',
    properties: [],
    operations: [],
    customOperations: [],
    reverseLinks: [],
    superClasses: [],
    plural: '',
    label: [],
    uniqueTogether: [],
    removal: '',
    history: '',
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
