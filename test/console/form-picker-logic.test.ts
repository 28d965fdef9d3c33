import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOptions, questionsFor } from '../../console/form/picker-search.ts'
import type { Variable } from '../../console/table/variables.ts'
import { createClient } from '../../src/client/index.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { cls, property } from './form-descriptions.ts'

const name = property('name', 'string')
const PERSON = cls('Person', property('age', 'integer'), name)

const filter = (operator: 'eq' | 'contains' | 'startsWith', of = name): Variable => ({
  name: `${of.name}[${operator}]`,
  role: 'filter',
  operator,
  property: of,
  repeatable: false,
})
const general = (role: 'text' | 'limit' | 'place', called: string): Variable => ({
  name: called,
  role,
  repeatable: false,
})

test('a picker asks by free text, then by a part of the name, as far as the collection can be asked', () => {
  const table: [variables: Variable[], asked: object[]][] = [
    [[], []],
    [[general('place', 'page'), filter('eq')], []],
    [[filter('startsWith')], [{ 'name[startsWith]': 'ann' }]],
    [[filter('startsWith'), filter('contains')], [{ 'name[contains]': 'ann' }]],
    [[filter('contains', property('age', 'integer'))], []],
    [
      [general('text', 'q'), filter('contains'), general('limit', 'itemsPerPage')],
      [
        { q: 'ann', itemsPerPage: 10 },
        { 'name[contains]': 'ann', itemsPerPage: 10 },
      ],
    ],
  ]
  for (const [variables, asked] of table) assert.deepEqual(questionsFor(variables, PERSON, 'ann'), asked)
  assert.deepEqual(questionsFor([filter('contains')], undefined, 'ann'), [])
})

test('members are found by whole words, by a part of their name, and told apart where they have the same', async (t) => {
  const { base } = await serve(t)
  const requests: string[] = []
  const client = createClient({
    base,
    credentials: { id: USER, paraphrase: PARAPHRASE },
    observe: ({ url, status }) => status === 200 && requests.push(decodeURIComponent(url.slice(base.length))),
  })
  const added = []
  for (const one of ['Ann Leckie', 'Jane Austen', 'Jane Austen']) {
    added.push((await client.collection('authors').create({ name: one })).iri)
  }
  const authors = (await client.collections()).find((one) => one.name === 'authors')
  assert.ok(authors)
  const find = (text: string) => findOptions(client, authors, text, new AbortController().signal)

  requests.length = 0
  assert.equal((await find('')).length, 3)
  assert.deepEqual(requests, ['/authors'])
  const ann = [{ iri: added[0], name: 'Ann Leckie', detail: '' }]
  assert.deepEqual(await find('leckie'), ann)
  assert.deepEqual(await find('LECK'), ann)
  assert.deepEqual(requests.slice(1), [
    '/authors?q=leckie&itemsPerPage=10',
    '/authors?q=LECK&itemsPerPage=10',
    '/authors?name[contains]=LECK&itemsPerPage=10',
  ])
  assert.deepEqual(
    (await find('jane')).map(({ detail }) => detail),
    added.slice(1),
  )
  assert.deepEqual(await find('nobody'), [])
  await assert.rejects(findOptions(client, authors, 'ann', AbortSignal.abort()), { name: 'AbortError' })
})
