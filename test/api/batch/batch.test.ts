import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CREATE, serveNewsroom } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json, pathOf, sentenceOf, withoutContext } from '../signed-in.ts'
import { serveWriter } from '../writing.ts'
import { body, carryOut, everything, LENIENT, type Operation, operations, type Result } from './operations.ts'

// contract: One transaction: all of it, or nothing.
// contract: Operations see the effects of those before them; `_:name` stands
// contract: 200: `{"operation":[{"status":201,"location":"…","etag":"…"}, …]}` as JSON-LD
test('operations are carried out in order, see each other, and are answered in order', async (t) => {
  const writer = await serveWriter(t)
  const { base, values, etag, addAt } = writer
  const old = await addAt('/books', { title: 'Old' })
  const emma = await addAt('/books', { title: 'Emma', available: true })
  const [ann, book, ...others] = await carryOut(writer, [
    ['POST', 'authors', { id: '_:ann', ...body({ name: 'Ann Leckie' }) }],
    ['POST', `${base}/books`, { id: '_:book', ...body({ title: 'Ancillary Justice', author: '_:ann' }) }],
    ['PATCH', emma.slice(1), { ifMatch: await etag(emma), ...body({ available: false }) }],
    ['PATCH', emma.slice(1), { ifMatch: '*', ...body({ author: { '@id': '_:ann' } }) }],
    ['DELETE', `${base}${old}`],
    ['PUT', 'books/new', { ifNoneMatch: '*', ...body({ title: 'New' }) }],
    ['PUT', 'books/new', body({ title: 'Newer', 'http://schema.org/x': undefined, author: '_:ann' })],
  ])
  assert.deepEqual(
    [ann, book, ...others].map((result) => result?.status),
    [201, 201, 200, 200, 204, 201, 200],
  )
  const made = pathOf(base, book?.location)
  assert.deepEqual((await values(made)).author, ann?.location)
  assert.equal(book?.etag, await etag(made))
  assert.deepEqual(others[1]?.etag, await etag(emma))
  assert.deepEqual(
    [(await values(emma)).available, (await values(emma)).author, (await values('/books/new')).title],
    [false, ann?.location, 'Newer'],
  )
  assert.equal(others[3]?.location, `${base}/books/new`)
  assert.equal((await writer.get(old)).status, 404)
})

test('a reference stands wherever a link may, in any JSON-LD shape, and nowhere else', async (t) => {
  const writer = await serveWriter(t)
  const [ann, expanded, text] = await carryOut(writer, [
    ['POST', 'authors', { id: '_:ann', ...body({ name: '_:ann' }) }],
    [
      'POST',
      'books',
      {
        body: [
          {
            [`${writer.base}/vocab#Book/title`]: [{ '@value': 'Expanded' }],
            [`${writer.base}/vocab#Book/author`]: [{ '@id': '_:ann' }],
          },
        ],
      },
    ],
    ['POST', 'books', body({ title: '_:ann' })],
  ])
  const at = (result: Result | undefined) => pathOf(writer.base, result?.location)
  assert.equal((await writer.values(at(ann))).name, '_:ann')
  assert.equal((await writer.values(at(expanded))).author, ann?.location)
  assert.equal((await writer.values(at(text))).title, '_:ann')
})

const LONG = 'x'.repeat(1_100_000)

/** What a single request is refused with, as an operation; `at` is the path of the violation. */
const REFUSED: readonly { what: string; status: number; operation: Operation; at?: string }[] = [
  { what: 'a malformed ETag', status: 400, operation: ['PATCH', 'books/emma', { ifMatch: '7', body: {} }] },
  { what: 'no id', status: 400, operation: ['PUT', 'books/%20', { ifNoneMatch: '*', body: { title: 'x' } }] },
  { what: 'a malformed path', status: 400, operation: ['DELETE', 'books/%zz'] },
  { what: 'no such member', status: 404, operation: ['PATCH', 'books/none', { body: {} }] },
  { what: 'nothing to remove', status: 404, operation: ['DELETE', 'books/none'] },
  { what: 'nothing to replace', status: 404, operation: ['PUT', 'books/none', { body: { title: 'x' } }] },
  { what: 'no such method', status: 405, operation: ['PATCH', 'books', { body: {} }] },
  { what: 'a linked member', status: 409, operation: ['DELETE', 'authors/jane'] },
  { what: 'another version', status: 412, operation: ['DELETE', 'books/emma', { ifMatch: '"99-x"' }] },
  {
    what: 'a new member that should be there',
    status: 412,
    operation: ['POST', 'authors', { ifMatch: '*', body: { name: 'Ann' } }],
  },
  {
    what: 'a member that is there',
    status: 412,
    operation: ['PUT', 'books/emma', { ifNoneMatch: '*', body: { title: 'x' } }],
  },
  { what: 'a long body', status: 413, operation: ['POST', 'authors', { body: { name: LONG } }] },
  { what: 'a long target', status: 414, operation: ['DELETE', `books/${'x'.repeat(9_000)}`] },
  { what: 'no value', status: 422, operation: ['POST', 'books', { body: {} }], at: '/title' },
  {
    what: 'an unknown property',
    status: 422,
    operation: ['PATCH', 'books/emma', { body: { titel: 'x' } }],
    at: '/titel',
  },
  {
    what: 'a value that is taken',
    status: 422,
    operation: ['POST', 'books', { body: { title: 'x', isbn: '1' } }],
    at: '/isbn',
  },
  {
    what: 'a link to nothing',
    status: 422,
    operation: ['PATCH', 'books/emma', { body: { author: '/api/authors/none' } }],
    at: '/author',
  },
  {
    what: 'an unknown name',
    status: 422,
    operation: ['POST', 'books', { body: { title: 'x', author: '_:bob' } }],
    at: '/author',
  },
  { what: 'a name as a target', status: 422, operation: ['DELETE', '_:ann'], at: '/target' },
  { what: 'no object', status: 422, operation: ['POST', 'books', { body: 'x' }] },
  { what: 'no body', status: 422, operation: ['PATCH', 'books/emma'] },
  { what: 'a method that writes nothing', status: 422, operation: ['GET', 'books'], at: '/method' },
  { what: 'an unknown key', status: 422, operation: ['DELETE', 'books/emma', { if: 'x' }], at: '/if' },
  {
    what: 'a foreign target',
    status: 422,
    operation: ['DELETE', 'http://example.org/books/emma'],
    at: '/target',
  },
  { what: 'a path of the host', status: 422, operation: ['DELETE', '/api/books/emma'], at: '/target' },
  { what: 'a query', status: 422, operation: ['DELETE', 'books/emma?x=1'], at: '/target' },
  { what: 'no collection', status: 422, operation: ['POST', 'boooks', { body: {} }], at: '/target' },
  { what: 'a resource without members', status: 422, operation: ['DELETE', 'session'], at: '/target' },
  { what: 'the batch itself', status: 422, operation: ['POST', 'batch', { body: {} }], at: '/target' },
  { what: 'no target', status: 422, operation: ['DELETE', 7], at: '/target' },
  {
    what: 'a name for what is not made',
    status: 422,
    operation: ['DELETE', 'books/emma', { id: '_:x' }],
    at: '/id',
  },
  {
    what: 'no name',
    status: 422,
    operation: ['POST', 'authors', { id: 'x', body: { name: 'x' } }],
    at: '/id',
  },
]

// contract: Targets are collections, members and single resources
// contract: Where one fails, the whole answer has its status
test('where an operation fails, wherever it stands, the batch does with its status and nothing has changed', async (t) => {
  const writer = await serveWriter(t)
  await writer.put('/authors/jane', { name: 'Jane' }, CREATE)
  await writer.put('/books/emma', { title: 'Emma', isbn: '1', author: '/api/authors/jane' }, CREATE)
  const before = await everything(writer)
  const others: Operation[] = [
    ['POST', 'authors', { id: '_:ann', body: { name: 'Ann' } }],
    ['PATCH', 'books/emma', { body: { pages: 3 } }],
  ]
  for (const { what, status, operation, at } of REFUSED) {
    for (const place of [0, 1, 2]) {
      const all = others.toSpliced(place, 0, operation)
      const response = await writer.post('/batch', operations(all), AS_PROBLEM)
      const problem = response.json() as { operation: number; violations?: { propertyPath: string }[] }
      assert.equal(response.status, status, `${what}: ${response.body.slice(0, 300)}`)
      assert.equal(problem.operation, place, what)
      if (at !== undefined)
        assert.deepEqual(
          problem.violations?.map(({ propertyPath }) => propertyPath),
          [`operation[${place}]${at}`],
          what,
        )
    }
    assert.deepEqual(await everything(writer), before, what)
  }
})

test('a target with a slash at its end is refused with an address that is a target', async (t) => {
  const writer = await serveWriter(t)
  const send = (target: string) =>
    writer.post('/batch', operations([['POST', target, { body: { name: 'Ann' } }]]))
  const refused = sentenceOf(await send('authors/'))
  const [, address = ''] = /leave out the slash at the end: (.*)\.$/.exec(refused) ?? []
  assert.equal(address, `${writer.base}/authors`)
  assert.equal((await send(address)).status, 200)
})

// contract: `Prefer: handling=lenient`: each on its own
test('a lenient batch carries out what it can, and tells of the rest', async (t) => {
  const writer = await serveWriter(t)
  await writer.put('/books/emma', { title: 'Emma' }, CREATE)
  const sent = operations([
    ['POST', 'authors', { id: '_:ann', body: { name: 'Ann' } }],
    ['POST', 'authors', { id: '_:bob', body: { nam: 'Bob' } }],
    ['POST', 'books', { body: { title: 'By Ann', author: '_:ann' } }],
    ['POST', 'books', { body: { title: 'By Bob', author: '_:bob' } }],
    ['DELETE', 'books/emma'],
    ['DELETE', 'books/emma'],
    ['GET', 'books'],
  ])
  const response = await writer.post('/batch', sent, LENIENT)
  assert.equal(response.headers['preference-applied'], 'handling=lenient')
  const { operation } = response.json() as { operation: Result[] }
  assert.deepEqual(
    operation.map(({ status }) => status),
    [201, 422, 201, 422, 204, 404, 422],
  )
  const [, unnamed, , unlinked] = operation
  for (const [result, path, code] of [
    [unnamed, 'operation[1]/nam', 'UnknownProperty'],
    [unlinked, 'operation[3]/author', 'UnknownReference'],
  ] as const)
    assert.ok(
      result?.violations?.some((one) => one.propertyPath === path && one.code === code),
      JSON.stringify(result),
    )
  const [authors, books] = await everything(writer)
  assert.deepEqual([authors?.totalItems, books?.totalItems], [1, 1])
})

test('one member may be made, changed and removed in one batch', async (t) => {
  const writer = await serveWriter(t)
  const all: readonly Operation[] = [
    ['PUT', 'books/b', { ifNoneMatch: '*', body: { title: 'One', isbn: '1' } }],
    ['PATCH', 'books/b', { body: { isbn: '2' } }],
    ['PUT', 'books/b', { body: { title: 'Two' } }],
    ['POST', 'books', { body: { title: 'Other', isbn: '2' } }],
    ['DELETE', 'books/b'],
    ['PUT', 'books/b', { ifNoneMatch: '*', body: { title: 'Three' } }],
  ]
  const results = await carryOut(writer, all)
  assert.deepEqual(
    results.map(({ status }) => status),
    [201, 200, 200, 201, 204, 201],
  )
  assert.equal((await writer.values('/books/b')).title, 'Three')
  assert.equal(results.at(-1)?.etag, await writer.etag('/books/b'))
  const twice = await writer.post(
    '/batch',
    operations([
      ['DELETE', 'books/b'],
      ['DELETE', 'books/b'],
    ]),
    AS_PROBLEM,
  )
  assert.deepEqual([twice.status, codesOf(twice)], [404, 'operation[1]: MemberNotFound'])
  // What is not committed has no version that an ETag could name, not even the one before the first.
  for (const method of ['PATCH', 'DELETE']) {
    const refused = await writer.post(
      '/batch',
      operations([
        ['PATCH', 'books/b', { body: { title: 'Four' } }],
        [method, 'books/b', { ifMatch: '"0-x"', body: { title: 'Five' } }],
      ]),
      AS_PROBLEM,
    )
    assert.equal(refused.status, 412, refused.body)
    assert.equal(codesOf(refused), 'operation[1]: PreconditionFailed')
  }
})

test('every user may do in a batch what that user may do alone', async (t) => {
  const { as, base } = await serveNewsroom(t)
  const one = (operation: object) => ({ operation: [operation] })
  const cases: readonly [who: keyof typeof as, status: number, operation: object][] = [
    ['reader', 403, { method: 'POST', target: 'articles', body: { nonsense: 1 } }],
    ['reader', 403, { method: 'DELETE', target: 'topics/t' }],
    ['author', 403, { method: 'PATCH', target: 'articles/a', body: { title: 'y' } }],
    ['author', 404, { method: 'PATCH', target: 'drafts/d', body: { title: 'y' } }],
    ['author', 412, { method: 'PUT', target: 'drafts/d', ifNoneMatch: '*', body: { title: 'y' } }],
    ['author', 422, { method: 'POST', target: 'articles', body: { title: 'y', draft: `${base}/drafts/d` } }],
    [
      'owner',
      200,
      { method: 'PATCH', target: 'articles/a', body: { title: 'y', draft: `${base}/drafts/d` } },
    ],
    ['reader', 200, { method: 'POST', target: 'tips', body: { text: 'y' } }],
    ['editor', 200, { method: 'PUT', target: 'Settings', body: { motto: 'y' } }],
    ['editor', 200, { method: 'DELETE', target: 'Settings' }],
  ]
  for (const [who, status, operation] of cases) {
    const response = await as[who].send('POST', '/batch', one(operation))
    assert.equal(response.status, status, `${who} ${JSON.stringify(operation)} ${response.body}`)
  }
  // Who may create and not read gets no ETag.
  const response = await as.reader.send('POST', '/batch', one({ method: 'POST', target: 'tips', body: {} }))
  assert.deepEqual(Object.keys((response.json() as { operation: [object] }).operation[0]), [
    'status',
    'location',
  ])
})

test('the batch is linked from the entry point, described, and answers in every form', async (t) => {
  const { get, post, base } = await serveWriter(t)
  assert.equal((await get('/')).json().batch, `${base}/batch`)
  const { supportedClass } = (await get('/vocab')).json() as { supportedClass: Json[] }
  const described = supportedClass.find(({ title }) => title === 'OperationBatch')
  assert.ok(JSON.stringify(described).includes('"method":"POST"'))
  const sent = operations([['POST', 'authors', { body: { name: 'x' } }]])
  const { '@type': type, operation } = withoutContext((await post('/batch', sent)).json())
  assert.equal(type, 'OperationBatch')
  const [{ location }] = operation as [Result]
  assert.ok(location?.startsWith(`${base}/authors/`))
  const turtle = await post('/batch', sent, { Accept: 'text/turtle' })
  assert.match(turtle.body, /hydra:statusCode 201/)
})
