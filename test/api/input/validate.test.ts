import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERYTHING } from '../api-files.ts'
import { AS_PROBLEM, assertProblem, codesOf, type Said, sentenceOf, serveSignedIn } from '../signed-in.ts'

/** What is sent beside a title, as JSON text, and what is wrong with it. */
const VIOLATIONS: [sent: string, ...said: Said][] = [
  ['"title": null', 'title: RequiredValue'],
  ['"title": []', 'title: RequiredValue'],
  ['"title": 5', 'title: WrongDatatype'],
  ['"title": {"a": "a"}', 'title: WrongDatatype'],
  ['"title": "abcdef"', 'title: TooLong'],
  ['"title": ["a", "b"]', 'title: OneValueOnly'],
  ['"title": "\\u0000"', 'title: NulCharacter'],
  ['"title": "\\ud800"', 'title: LoneSurrogate'],
  ['"title": "a\\udc00b"', 'title: LoneSurrogate'],
  ['"isbn": "abc"', 'isbn: PatternMismatch'],
  ['"pages": "5"', 'pages: WrongDatatype', 'send 5 without quotes'],
  ['"pages": "0"', 'pages: WrongDatatype', 'such as 12, not a string'],
  ['"pages": "05"', 'pages: WrongDatatype', 'such as 12, not a string'],
  ['"pages": "1.5"', 'pages: WrongDatatype', 'such as 12, not a string'],
  [`"pages": "${'5'.repeat(100_000)}"`, 'pages: WrongDatatype', 'such as 12, not a string'],
  ['"pages": 1.5', 'pages: WrongDatatype', 'such as 12.'],
  ['"pages": 0', 'pages: BelowMinimum'],
  ['"pages": 9007199254740993', 'pages: LosesDigits'],
  ['"pages": 1e400', 'pages: LosesDigits'],
  ['"rank": 0', 'rank: WrongDatatype'],
  ['"stock": -1', 'stock: WrongDatatype'],
  ['"stock": "3"', 'stock: WrongDatatype', 'send 3 without quotes'],
  ['"stock": "-3"', 'stock: WrongDatatype', '0 or greater, not a string'],
  ['"price": "12,50"', 'price: WrongDatatype'],
  ['"price": true', 'price: WrongDatatype'],
  ['"price": "1e5"', 'price: WrongDatatype'],
  ['"price": -0.01', 'price: BelowMinimum'],
  ['"price": 1e400', 'price: TooManyDigits'],
  [`"price": "${'7'.repeat(101)}"`, 'price: TooManyDigits'],
  ['"weight": "1"', 'weight: WrongDatatype', 'send 1 without quotes'],
  ['"weight": 1e400', 'weight: LosesDigits'],
  ['"weight": 9007199254740993', 'weight: LosesDigits'],
  ['"weight": 0.1234567890123456789', 'weight: LosesDigits'],
  ['"ratio": 1e39', 'ratio: FloatOutOfRange'],
  ['"published": "2023-02-29"', 'published: WrongDatatype'],
  ['"published": "2024-02-29T00:00:00Z"', 'published: WrongDatatype'],
  ['"published": 2024', 'published: WrongDatatype'],
  ['"printedAt": "2024-02-29"', 'printedAt: WrongDatatype'],
  ['"printedAt": "2024-02-29T12:00:00"', 'printedAt: WrongDatatype'],
  ['"opens": "25:00:00"', 'opens: WrongDatatype'],
  ['"length": "1 day"', 'length: WrongDatatype'],
  ['"page": "about"', 'page: WrongDatatype'],
  ['"page": "http://a b"', 'page: WrongDatatype'],
  ['"available": "true"', 'available: WrongDatatype', 'send true without quotes'],
  ['"available": "yes"', 'available: WrongDatatype', 'must be true or false, not a string'],
  ['"available": 1', 'available: WrongDatatype'],
  ['"genres": ["a", 1, [], ""]', 'genres/1: WrongDatatype, genres/2: WrongDatatype, genres/3: TooShort'],
  ['"titel": "a"', 'titel: UnknownProperty', '"title"'],
  ['"nothing": 1', 'nothing: UnknownProperty', 'title, isbn'],
  ['"__proto__": {"title": "a"}', '__proto__: UnknownProperty'],
  ['"constructor": 1', 'constructor: UnknownProperty'],
  ['"toString": 1', 'toString: UnknownProperty'],
  ['"": 1', 'UnknownProperty'],
  ['"createdAt": "2024-02-29T12:00:00Z"', 'createdAt: ReadOnly'],
  ['"createdAt": null', 'createdAt: ReadOnly'],
  ['"@id": "{base}/books/1"', '@id: IdOfNewMember'],
  ['"@type": "Author"', '@type: WrongType'],
  ['"@type": ["Book", "Author"]', '@type: WrongType'],
  ['"@type": {"a": 1}', '@type: WrongType'],
  ['"@context": "http://contexts.example/"', 'ForeignContext'],
  [
    '"@context": {"title": "http://schema.org/name"}',
    'http://schema.org/name: UnknownProperty, title: RequiredValue',
  ],
  ['"@context": {"@import": "http://evil.example/"}', 'ForeignContext'],
  ['"@context": null', 'title: NoMeaning'],
  ['"@graph": []', '@graph: GraphNotTaken'],
  ['"@reverse": {"author": {"@id": "{author}"}}', '@reverse: UnknownKeyword'],
  ['"@included": [{"title": "b"}]', '@included: UnknownKeyword'],
  ['"@made-up": 1', '@made-up: UnknownKeyword'],
  ['"@madeup": 1', '@madeup: NoMeaning'],
  ['"author": "{base}/authors/none"', 'author: DanglingLink'],
  ['"author": "{publisher}"', 'author: InvalidLink'],
  ['"author": "{base}/authors"', 'author: InvalidLink', '/api/authors/{id}'],
  ['"author": "{base}/authors/"', 'author: InvalidLink'],
  ['"author": "{author}/more"', 'author: InvalidLink'],
  ['"author": "{author}?x"', 'author: InvalidLink'],
  ['"author": "{author}#x"', 'author: InvalidLink'],
  ['"author": " {author}"', 'author: InvalidLink'],
  ['"author": "{base}\\\\authors\\\\1"', 'author: InvalidLink'],
  ['"author": "{base}/auth\\u0009ors/1"', 'author: InvalidLink'],
  ['"author": "https://other.example/api/authors/1"', 'author: InvalidLink'],
  ['"author": "authors/1/2"', 'author: InvalidLink'],
  ['"author": "none"', 'author: InvalidLink', '/api/authors/{id}', 'if "none" is its id'],
  ['"author": {"@id": "none"}', 'author: InvalidLink', 'if "none" is its id'],
  ['"author": "J. R. R. Tolkien"', 'author: InvalidLink', '/api/authors/{id}.'],
  ['"author": "/authors/1"', 'author: InvalidLink', 'did you mean "', '/api/authors/1"?'],
  ['"author": ""', 'author: InvalidLink'],
  ['"author": "\\ud800"', 'author: InvalidLink'],
  ['"author": 1', 'author: InvalidLink'],
  ['"author": {"@id": "{author}", "name": "Ann"}', 'author: InvalidLink'],
  ['"author": {"@id": 1}', 'author: InvalidLink'],
  ['"author": {"name": "Ann"}', 'author: InvalidLink'],
  ['"author": {}', 'author: InvalidLink'],
  ['"author": ["{author}", "{author}"]', 'author: OneValueOnly'],
  ['"editors": ["{author}", "{base}/authors/none"]', 'editors/1: DanglingLink'],
  ['"editors": ["{author}", "{publisher}"]', 'editors/1: InvalidLink'],
  ['"editors": {"@list": ["{author}"]}', 'editors: NoOrder'],
  [`"genres": [${'"a",'.repeat(1000)}"a"]`, 'genres: TooManyValues'],
]

// contract: Unknown properties are a 422
// contract: A read-only property in PUT or PATCH is accepted
// contract: Validation: 422; in the default form
test('what does not fit the class is 422 that says what is wrong, and creates nothing', async (t) => {
  const { post, get, add, base, logged } = await serveSignedIn(t, { api: EVERYTHING })
  const author = (await add('/authors', { name: 'Ann' }))['@id']
  const publisher = (await add('/publishers', { name: 'Pat' }))['@id']
  const filled = (text: string) =>
    text.replaceAll('{base}', base).replaceAll('{author}', author).replaceAll('{publisher}', publisher)
  for (const [sent, ...said] of VIOLATIONS) {
    const body = filled(sent.startsWith('"title"') ? `{${sent}}` : `{"title": "a", ${sent}}`)
    const response = await post('/books', body, AS_PROBLEM)
    assert.equal(response.status, 422, sent.slice(0, 200))
    assertProblem(response, said, sent.slice(0, 200))
    assert.equal(response.headers.location, undefined)
  }
  assert.equal((await get('/books')).json().totalItems, 0)
  assert.deepEqual(
    logged.filter((line) => line.includes('"error"')),
    [],
  )
})

// contract: Validation: 422; in the default form
test('every violation is named once, by its code and in the sentence', async (t) => {
  const { post } = await serveSignedIn(t, { api: EVERYTHING })
  const body = { pages: 0, price: 'x', genres: ['', 2], titel: 'a', '@id': 'x', author: 'y', createdAt: 'z' }
  const names = ['title', 'pages', 'price', 'genres/0', 'genres/1', 'titel', '@id', 'author', 'createdAt']
  const coded = await post('/books', body, AS_PROBLEM)
  assert.equal(coded.status, 422)
  const codes = codesOf(coded).split(', ')
  assert.deepEqual(codes.map((one) => one.split(': ')[0]).toSorted(), names.toSorted())
  const said = sentenceOf(await post('/books', body))
  for (const name of names) assert.equal(said.split(`${name}: `).length - 1, 1, `${name} in: ${said}`)
})

test('a body with more violations than anyone reads is refused in a bounded answer', async (t) => {
  const { post } = await serveSignedIn(t, { api: EVERYTHING })
  const keys = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`)
  const bodies = [`{${keys.join()}}`, `{"genres":[${'1,'.repeat(400_000)}1]}`]
  for (const body of bodies) {
    const response = await post('/books', body)
    assert.equal(response.status, 422)
    assert.ok(response.body.length < 300_000)
  }
  // Looking for what was meant by each of a thousand names among hundreds would take longer than reading them.
  const { detail } = (await post('/books', bodies[0], AS_PROBLEM)).json()
  assert.equal(String(detail).split('title, isbn').length - 1, 100)
})
