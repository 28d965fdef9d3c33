import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftsOf } from '../../../../../console/pages/form/drafts/draft.ts'
import { creationIn, furtherProblems } from '../../../../../console/pages/form/drafts/dry-run.ts'
import { ROOT } from '../../../../../console/pages/form/drafts/reading.ts'
import { connect, describeOrName } from '../../../../../console/shared/connection/index.ts'
import { PARAPHRASE, USER } from '../../../../support/client.ts'
import { serve } from '../../../../support/service.ts'

test('problems that only the server can find are asked for, and nothing is written, whatever the server finds', async (t) => {
  const { base } = await serve(t)
  const connection = connect(base, { id: USER, paraphrase: PARAPHRASE })
  const { client } = connection
  const api = { ...connection, ...(await describeOrName(client, {})) }
  const books = api.collections.find(({ name }) => name === 'books') ?? assert.fail()
  const cls = books.memberClass ?? assert.fail()
  const taken = await client.collection('books').create({ title: 'Emma', isbn: '978-1' })
  const member = await client.collection('books').create({ title: 'Persuasion' })
  const change = (body: object) => ({
    ...{ method: 'PATCH' as const, target: member.iri, ifMatch: member.etag },
    body: { ...body },
  })
  const create = creationIn(books)
  const drafts = draftsOf(cls, {}, api.documentation)
  const idOf = (name: string) => `${ROOT}-${drafts.findIndex(({ property }) => property.name === name)}`
  const title = { id: idOf('title'), sentence: 'Title is required.' }
  for (const [write, found, expected] of [
    [create({ isbn: '978-1' }), [title], [idOf('isbn')]],
    // What the form knows already is not said twice.
    [create({ isbn: '978-1' }), [title, { id: idOf('isbn'), sentence: 'ISBN is too long.' }], []],
    [create({ title: 'Emma' }), [], []],
    [
      create({ title: 'Emma', isbn: '978-1', author: `${base}/authors/nobody` }),
      [],
      [idOf('isbn'), idOf('author')],
    ],
    [change({ isbn: '978-1', pages: null }), [], [idOf('isbn')]],
    [change({ title: 'Changed' }), [], []],
    [{ ...change({ isbn: '978-1' }), ifMatch: taken.etag }, [], []],
  ] as const) {
    const further = await furtherProblems(api, cls, write, { drafts, root: ROOT, found })
    assert.deepEqual(further.map(({ id }) => id).toSorted(), expected, JSON.stringify(write))
  }
  const { members } = await client.collection('books').page()
  assert.deepEqual(
    members.map(({ data }) => data.title),
    ['Emma', 'Persuasion'],
  )
})
