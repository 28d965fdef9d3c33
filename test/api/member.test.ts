import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATATYPE_NAMES } from '../../src/vocabulary/index.ts'
import { AS_PROBLEM, codesOf, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'
import { serveWriter, valuesOf } from './writing.ts'

test('a member has its address, its class and its properties, in the order of the API file', async (t) => {
  const { add, get, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const sent = {
    author: author['@id'],
    genres: ['a', 'b'],
    available: false,
    price: '9.90',
    pages: 12,
    isbn: '978-1',
    title: 'Über “Bücher” \u{1f4da}',
  }
  const book = await add('/books', sent)
  const response = await get(pathOf(base, book['@id']))
  assert.equal(response.status, 200)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  const { createdAt, ...rest } = withoutContext(response.json())
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, { '@id': book['@id'], '@type': 'Book', ...sent })
  assert.deepEqual(Object.keys(response.json()), [
    ...['@context', '@id', '@type', 'title', 'isbn', 'pages', 'price', 'available', 'genres', 'author'],
    'createdAt',
  ])
})

test('a property without a value is left out', async (t) => {
  const { add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  assert.deepEqual(withoutContext(author), { '@id': author['@id'], '@type': 'Author', name: 'Ann' })
  assert.match(
    pathOf(base, author['@id']),
    /^\/authors\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('a class of another vocabulary keeps its name in JSON and has its IRI in the context', async (t) => {
  const api = 'classes: { Book: { iri: "http://schema.org/Book", properties: { title: string } } }'
  const { add } = await serveSignedIn(t, { api })
  const { '@context': context, '@type': type } = await add('/books', { title: 'a' })
  assert.equal(type, 'Book')
  assert.deepEqual((context as Record<string, unknown>).Book, { '@id': 'http://schema.org/Book' })
})

// contract: `{base}/{collection}/{id}` ¦
test('HEAD of a member has the headers of GET and no body', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Änne' }))['@id'])
  const [got, head] = [await get(path), await send('HEAD', path)]
  assert.equal(head.status, 200)
  assert.equal(head.body, '')
  assert.deepEqual(head.headerNames, got.headerNames)
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.body)))
  assert.equal(head.headers.etag, got.headers.etag)
})

test('a member that does not exist is 404 for every id, and nothing is leaked', async (t) => {
  const { get, send } = await serveSignedIn(t)
  const ids = [
    ...['1', '0193f0a0-0000-7000-8000-000000000000', 'constructor', '__proto__', 'toString'],
    ...["1'%20OR%20'1'='1", '%00', '%22%3B--', '%F0%9F%93%9A', '...', 'x'.repeat(2000)],
  ]
  for (const id of ids) {
    for (const method of ['GET', 'DELETE']) {
      const response = await send(method, `/books/${id}`, AS_PROBLEM)
      assert.equal(response.status, 404, `${method} ${id}`)
      assert.equal(codesOf(response), 'MemberNotFound', id)
      assert.ok(String(response.json().detail).length < 1000, id)
    }
  }
  assert.equal((await get('/books/%zz')).status, 400)
})

// contract: ETags are strong
test('an ETag is strong and made of the version and a fingerprint', async (t) => {
  const { add, get, base } = await serveSignedIn(t)
  const first = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const second = pathOf(base, (await add('/authors', { name: 'Bob' }))['@id'])
  assert.match((await get(first)).headers.etag ?? '', /^"1-[\w-]{12}"$/)
  assert.match((await get(second)).headers.etag ?? '', /^"2-[\w-]{12}"$/)
})

// contract: `If-None-Match` gives 304.
test('If-None-Match gives 304 for the ETag in every spelling that HTTP allows', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const etag = (await get(path)).headers.etag ?? ''
  const table: [condition: string, status: number][] = [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"other", ${etag}`, 304],
    [` ${etag} ,"other"`, 304],
    ['*', 304],
    ['"other"', 200],
    [etag.slice(1, -1), 200],
    [etag.toUpperCase(), 200],
    ['', 200],
  ]
  for (const [condition, status] of table) {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method, path, { 'If-None-Match': condition })
      assert.equal(response.status, status, `${method} ${condition}`)
      assert.equal(response.headers.etag, etag, condition)
      if (status === 304) {
        assert.equal(response.headers['content-type'], undefined)
        assert.equal(response.headers['content-length'], undefined)
        assert.equal(response.headers['cache-control'], 'private, no-cache')
      }
    }
  }
  const missing = await get('/authors/none', { 'If-None-Match': '*' })
  assert.equal(missing.status, 404)
})

/** Of each datatype: JSON text that is accepted with how it reads back, and JSON text that is not. */
const VALUES: Record<string, { good: [sent: string, read: string][]; bad: string[] }> = {
  string: {
    good: [
      ['"a"', '"a"'],
      ['""', '""'],
      ['"\\u00fc\\ud83d\\udcda\\n"', '"ü📚\\n"'],
    ],
    bad: ['1', 'true', '{}', '"\\u0000"', '"\\ud800"'],
  },
  boolean: {
    good: [
      ['true', 'true'],
      ['false', 'false'],
    ],
    bad: ['1', '"true"'],
  },
  integer: {
    good: [
      ['-12', '-12'],
      ['1e3', '1000'],
      ['2.0', '2'],
      ['9007199254740991', '9007199254740991'],
      ['-0', '0'],
    ],
    bad: ['1.5', '"1"', '9007199254740992', '1e99'],
  },
  nonNegativeInteger: {
    good: [
      ['0', '0'],
      ['7', '7'],
    ],
    bad: ['-1', '0.5'],
  },
  positiveInteger: { good: [['1', '1']], bad: ['0', '-1'] },
  decimal: {
    good: [
      ['"12.50"', '"12.50"'],
      ['12.50', '"12.50"'],
      ['-0.0', '"-0.0"'],
      ['1e2', '"100"'],
      ['"+.5"', '"+.5"'],
    ],
    bad: ['"1e2"', '"x"', 'true', '""'],
  },
  double: {
    good: [
      ['1.5', '1.5'],
      ['1e300', '1e+300'],
      ['-0.0', '0'],
      ['5e-324', '5e-324'],
    ],
    bad: ['1e309', '0.12345678901234567890', '"1.5"'],
  },
  float: {
    good: [
      ['0.5', '0.5'],
      ['3.4e38', '3.4e+38'],
    ],
    bad: ['3.5e38'],
  },
  date: { good: [['"2024-02-29"', '"2024-02-29"']], bad: ['"2023-02-29"', '"2024-2-9"', '20240229'] },
  dateTime: {
    good: [
      ['"2024-02-29T12:30:00Z"', '"2024-02-29T12:30:00Z"'],
      ['"2024-02-29T12:30:00.120+02:00"', '"2024-02-29T12:30:00.120+02:00"'],
    ],
    bad: ['"2024-02-29T12:30:00"', '"2024-02-29"', '0'],
  },
  time: {
    good: [
      ['"12:30:00"', '"12:30:00"'],
      ['"12:30:00.5Z"', '"12:30:00.5Z"'],
    ],
    bad: ['"25:00:00"', '"12:30"'],
  },
  duration: { good: [['"P1Y2M10DT2H30M"', '"P1Y2M10DT2H30M"']], bad: ['"1 day"', '"P"'] },
  anyURI: {
    good: [
      ['"https://example.org/ü?a=b#c"', '"https://example.org/ü?a=b#c"'],
      ['"urn:isbn:1"', '"urn:isbn:1"'],
    ],
    bad: ['"about"', '"http://a b"', '1'],
  },
  langString: {
    good: [
      ['{"en": "Hello", "de": "Hallo"}', '{"en": "Hello", "de": "Hallo"}'],
      ['{"EN-gb": "x"}', '{"en-GB": "x"}'],
      ['{"en": ["x"], "de": null}', '{"en": "x"}'],
    ],
    bad: [
      '"Hello"',
      '{}',
      '{"en": 1}',
      '{"": "x"}',
      '{"e n": "x"}',
      '{"en": "a", "EN": "b"}',
      '{"@none": "x"}',
      '{"en": ["a", "b"]}',
    ],
  },
}

// contract: Datatypes: string, boolean, integer
test('a value of every datatype is stored and read back, alone, as one of many, and after PUT and PATCH', async (t) => {
  assert.deepEqual(Object.keys(VALUES).sort(), DATATYPE_NAMES.toSorted())
  const lists = DATATYPE_NAMES.filter((name) => name !== 'langString')
  const api = `
classes:
  Thing:
    properties:
${DATATYPE_NAMES.map((name) => `      ${name}: ${name}`).join('\n')}
${lists.map((name) => `      ${name}s: { type: ${name}, many: true }`).join('\n')}
`
  const { post, put, patch, get, addAt, values, base } = await serveWriter(t, { api })
  const changed = await addAt('/things', {})
  for (const [name, { good, bad }] of Object.entries(VALUES)) {
    for (const [sent, read] of good) {
      const expected = { [name]: JSON.parse(read) }
      const created = await post('/things', `{"${name}": ${sent}}`)
      assert.equal(created.status, 201, `${name} ${sent} ${created.body}`)
      assert.deepEqual(valuesOf(created), expected, `${name} ${sent}`)
      assert.equal((await get(String(created.headers.location).slice(base.length))).body, created.body)
      assert.deepEqual(valuesOf(await put(changed, `{"${name}": ${sent}}`)), expected, `${name} ${sent}`)
      await put(changed, {})
      assert.deepEqual(valuesOf(await patch(changed, `{"${name}": ${sent}}`)), expected, `${name} ${sent}`)
    }
    for (const sent of bad) {
      for (const response of [
        await post('/things', `{"${name}": ${sent}}`, AS_PROBLEM),
        await put(changed, `{"${name}": ${sent}}`, AS_PROBLEM),
      ]) {
        assert.equal(response.status, 422, `${name} ${sent}`)
        assert.match(codesOf(response), new RegExp(`^${name}: \\w+$`))
      }
    }
  }
  for (const name of lists) {
    const { good, bad } = VALUES[name] as (typeof VALUES)[string]
    const all = valuesOf(await post('/things', `{"${name}s": [${good.map(([sent]) => sent).join()}]}`))
    assert.deepEqual(all, { [`${name}s`]: good.map(([, read]) => JSON.parse(read)) }, name)
    const refused = await post('/things', `{"${name}s": [${good[0]?.[0]}, ${bad[0]}]}`, AS_PROBLEM)
    assert.equal(refused.status, 422)
    assert.match(codesOf(refused), new RegExp(`^${name}s/1: \\w+$`))
  }
  assert.equal(Object.keys(await values(changed)).length, 1)
})

/** A property with one constraint, JSON text on either side of it, and the code. */
const CONSTRAINTS: [property: string, good: string[], bad: string[], codes: string][] = [
  ['{ type: string, required: true }', ['"a"', '" a"'], ['null', '[]'], 'p: RequiredValue'],
  ['{ type: string, required: true }', ['"a"'], ['""', '" "', '"\\t\\u00a0"'], 'p: BlankText'],
  ['{ type: decimal, scale: 2 }', ['"1.25"', '1.250'], ['"1.255"', '0.001'], 'p: TooFine'],
  ['{ type: string, minLength: 2 }', ['"ab"', '"📚📚"'], ['"a"', '"📚"'], 'p: TooShort'],
  ['{ type: string, maxLength: 2 }', ['"ab"', '"📚📚"'], ['"abc"'], 'p: TooLong'],
  ['{ type: string, pattern: "^[0-9X-]+$" }', ['"1-X"'], ['"abc"', '""'], 'p: PatternMismatch'],
  ['{ type: integer, minimum: 1 }', ['1'], ['0', '-5'], 'p: BelowMinimum'],
  ['{ type: integer, maximum: 9 }', ['9'], ['10'], 'p: AboveMaximum'],
  ['{ type: decimal, minimum: 0.5 }', ['0.5', '"0.50"'], ['0.49', '"-1"'], 'p: BelowMinimum'],
  ['{ type: double, maximum: 1.5 }', ['1.5'], ['1.6'], 'p: AboveMaximum'],
  ['{ type: string, enum: [a, b] }', ['"a"'], ['"c"', '"A"'], 'p: NotInEnum'],
  ['{ type: decimal, enum: ["12.5"] }', ['12.50', '"12.5"'], ['12.51'], 'p: NotInEnum'],
  ['{ type: string, many: true, maxLength: 1 }', ['["a", "b"]'], ['["a", "bc"]'], 'p/1: TooLong'],
  ['{ type: string, many: true, required: true }', ['["a"]'], ['[]', 'null'], 'p: RequiredValue'],
]

// contract: ```yaml title: Library
// contract: **`required`** for a text means
test('every constraint holds for POST, PUT and PATCH', async (t) => {
  const classes = CONSTRAINTS.map(
    ([property], row) =>
      `  Thing${row}:\n    collection: things${row}\n    properties:\n      p: ${property}\n`,
  )
  const writer = await serveWriter(t, { api: `classes:\n${classes.join('')}` })
  for (const [row, [property, good, bad, codes]] of CONSTRAINTS.entries()) {
    const path = await writer.addAt(`/things${row}`, JSON.parse(`{"p": ${good[0]}}`))
    const writes = [
      (body: string) => writer.post(`/things${row}`, body, AS_PROBLEM),
      (body: string) => writer.put(path, body, AS_PROBLEM),
      (body: string) => writer.patch(path, body, AS_PROBLEM),
    ]
    for (const write of writes) {
      for (const sent of good) assert.ok((await write(`{"p": ${sent}}`)).status < 300, `${property} ${sent}`)
      for (const sent of bad) {
        const response = await write(`{"p": ${sent}}`)
        assert.equal(response.status, 422, `${property} ${sent}`)
        assert.equal(codesOf(response), codes, property)
      }
    }
  }
})
