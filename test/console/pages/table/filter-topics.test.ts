import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filterOf,
  filterWords,
  fromLocal,
  mayTellName,
  optionsOf,
  startDraft,
  toLocal,
  topicsOf,
  withTopic,
} from '../../../../console/pages/table/filter-topics.ts'
import { readQuery } from '../../../../console/pages/table/query.ts'
import { readVariables } from '../../../../console/shared/connection/index.ts'
import { describedClass } from '../../table-class.ts'

const NAMES = [
  ...[
    'title',
    'title[gte]',
    'title[ne]',
    'title[contains]',
    'exists[title]',
    'order[title]',
    'pages',
    'pages[gte]',
  ],
  ...[
    'born',
    'born[gte]',
    'seen',
    'seen[lte]',
    'open',
    'state',
    'state[contains]',
    'author',
    'fancy',
    'q',
    'page',
  ],
]
const variables = readVariables(
  {
    template: `/books{?${NAMES.join(',')}}`,
    variables: NAMES.map((name) => ({ name, property: undefined, required: false })),
  },
  describedClass(
    { name: 'title', range: 'string' },
    { name: 'pages', range: 'integer' },
    { name: 'born', range: 'date' },
    { name: 'seen', range: 'dateTime' },
    { name: 'open', range: 'boolean' },
    { name: 'state', range: 'string', constraints: { values: ['new', 'old'] } },
    { name: 'author', isLink: true },
  ),
)
const topics = topicsOf(variables)
const topicNamed = (title: string) =>
  topics.find((topic) => topic.title === title) ?? assert.fail(`There is no topic ${title}.`)

test('the filters of a template are offered by property, in words', () => {
  assert.deepEqual(
    topics.map(({ title, choices }) => [title, ...choices.map(({ label }) => label)]),
    [
      ['Title', 'contains', 'is', 'is not', 'has a value', 'has no value', 'from (A–Z)'],
      ['Pages', 'is', 'at least'],
      ['Born', 'is', 'on or after'],
      ['Seen', 'on or before', 'is'],
      ['Open', 'is'],
      ['State', 'is'],
      ['Author', 'is'],
      ['fancy', 'is'],
    ],
  )
})

test('the filters of a query are described in words', () => {
  const query =
    'title=a%20b&title[contains]=x&exists[title]=false&pages[gte]=120&born[gte]=1937-09-21&open=true' +
    '&author=http://shop.example/authors/tolkien&fancy=1&nobody=knows&q=le+guin'
  assert.deepEqual(
    readQuery(query, variables).map((pair) => {
      const { subject, value } = filterWords(pair, topics, { locale: 'en-US' })
      return value ? `${subject} ${value}` : subject
    }),
    [
      'Title is “a b”',
      'Title contains “x”',
      'Title has no value',
      'Pages at least 120',
      'Born on or after Sep 21, 1937',
      'Open is Yes',
      'Author is tolkien',
      'fancy is “1”',
      'nobody: knows',
      'Text “le guin”',
    ],
  )
})

test('editing a filter begins with its values, and the typed value is kept for another property', () => {
  const draft = startDraft(topics, { name: 'pages[gte]', value: '120' })
  assert.ok(draft)
  assert.equal(draft.topic.title, 'Pages')
  assert.deepEqual(filterOf(draft), { name: 'pages[gte]', value: '120' })
  const born = withTopic(topicNamed('Born'), draft)
  assert.ok(born)
  assert.deepEqual(filterOf(born), { name: 'born[gte]', value: '120' })
  const asked = startDraft(topics, { name: 'title[contains]', value: 'x' })
  // An instant is hardly ever met to the millisecond.
  assert.equal(withTopic(topicNamed('Seen'), asked)?.choice.label, 'on or before')
  const author = withTopic(topicNamed('Author'), born)
  assert.ok(author)
  assert.deepEqual(filterOf(author), { name: 'author', value: '120' })
})

test('a property with allowed values has a choice of them', () => {
  const open = withTopic(topicNamed('Open'), undefined)
  const state = withTopic(topicNamed('State'), undefined)
  assert.ok(open && state)
  assert.deepEqual(filterOf(open), { name: 'open', value: 'true' })
  assert.deepEqual(filterOf({ ...open, value: 'false' }), { name: 'open', value: 'false' })
  assert.deepEqual(filterOf({ ...state, value: 'neither' }), { name: 'state', value: 'new' })
  const title = withTopic(topicNamed('Title'), undefined)
  assert.ok(title)
  assert.equal(optionsOf(title), undefined)
})

test('a linked member is read for its name only if its class has a naming property', () => {
  const named = {
    ...describedClass({ name: 'name', range: 'string' }),
    iri: 'Author',
    superClasses: ['Agent'],
  }
  const nameless = { ...describedClass({ name: 'count', range: 'integer' }), iri: 'Visit' }
  const agent = { ...describedClass(), iri: 'Agent' }
  const table: [range: string | undefined, told: boolean][] = [
    ['Author', true],
    ['Visit', false],
    ['Agent', true],
    ['Unknown', true],
    [undefined, true],
  ]
  for (const [range, told] of table)
    assert.equal(mayTellName(range, [agent, named, nameless]), told, String(range))
})

test('the filters “has a value” and “has no value” need no further value', () => {
  const draft = startDraft(topics, { name: 'exists[title]', value: 'false' })
  assert.ok(draft)
  assert.deepEqual(filterOf({ ...draft, value: 'typed before' }), {
    name: 'exists[title]',
    value: 'false',
  })
})

test('an instant survives the conversion to local time and back', () => {
  for (const instant of [
    '2020-01-31T23:30:00.000Z',
    '2020-06-15T12:00:05.000Z',
    '2020-06-15T12:00:05.123Z',
  ]) {
    assert.equal(fromLocal(toLocal(instant)), instant)
  }
  assert.equal(toLocal('soon'), '')
  assert.equal(fromLocal(''), '')
})
