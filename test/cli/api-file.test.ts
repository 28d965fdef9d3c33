import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { startClient } from '../support/client.ts'
import { serve, temporaryFolder } from '../support/service.ts'
import {
  bookDocument,
  classOf,
  collectionOf,
  documentOf,
  entryPointTo,
  type Json,
  operations,
  supported,
} from '../vocabulary/long-form/document.ts'
import { hydrant, IN_MEMORY, serveIn } from './command.ts'

// docs/contract/hypermedia.md, The API file: as whoever runs the command meets it.

const RESERVED = ['vocab', 'contexts', 'session', 'events', 'openapi', 'batch', 'accounts', 'summaries']
const name = supported('name', 'xsd:string')
const GET = operations('GET')

function fileWith(t: TestContext, file: string, content: string | Json): string {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

// contract: **Short form**
// contract: **Long form**
// contract: `hydrant serve [api-file]` ¦
test('the short form in .yaml, .yml and .json and the long form in .jsonld are served', async (t) => {
  const yaml = 'classes:\n  Book: { properties: { name: string } }\n'
  const json = '{"classes": {"Book": {"properties": {"name": "string"}}}}'
  const rows: readonly (readonly [file: string, content: string | Json])[] = [
    ['own.yaml', yaml],
    ['own.yml', yaml],
    ['own.json', json],
    ['own.jsonld', bookDocument([name])],
  ]
  for (const [file, content] of rows) {
    const { model } = await readApiFile(join(fileWith(t, file, content), file))
    const { client } = await serve(t, { model, flags: { auth: 'off' } })
    const { status, body } = await client.send('GET', '/books')
    assert.equal(status, 200, `${file} ${body}`)
  }
})

const reserved = (place: (path: string, index: number) => string): RegExp[] =>
  RESERVED.map((path, index) => new RegExp(`^${place(path, index)} cannot be at /${path}, which is reserved`))

/** Files that cannot be served, and how the lines begin that say so. */
const BROKEN: readonly (readonly [file: string, content: string | Json, lines: readonly RegExp[]])[] = [
  ['a.yaml', 'classes:\n  A: { properties: { "@type": string } }\n', [/^a\.yaml:2:22: "@type" /]],
  [
    'a.yaml',
    'classes:\n  A: { collection: x }\n  B: { collection: x }\n',
    [/^a\.yaml:3:20: B .* \/x, .* A; /],
  ],
  ['a.yaml', 'classes:\n  A: { properties: { p: Nothing } }\n', [/^a\.yaml:2:25: "Nothing" /]],
  ['a.yaml', 'classes:\n  A:\n  V: { collection: false }\n', [/^a\.yaml:3:20: V /]],
  [
    'a.yaml',
    `classes:\n${RESERVED.map((path, index) => `  A${index}: { collection: ${path} }\n`).join('')}`,
    reserved((_, index) => `a\\.yaml:${index + 2}:21: A${index}`),
  ],
  [
    'a.jsonld',
    bookDocument([supported('@type', 'xsd:string', {}, { '@id': 'http://example.org/vocab#kind' })]),
    [/^a\.jsonld: supportedClass "Book", supportedProperty "@type": "@type" /],
  ],
  [
    'a.jsonld',
    bookDocument([supported('author', 'http://schema.org/Person')]),
    [/^a\.jsonld: supportedClass "Book", supportedProperty "author": .*"http:\/\/schema\.org\/Person" /],
  ],
  [
    'a.jsonld',
    documentOf([
      entryPointTo({ books: 'Book' }),
      collectionOf('Book'),
      classOf('Book', [name], GET),
      { ...collectionOf('Novel'), '@id': 'http://example.org/vocab#books' },
      classOf('Novel', [name], GET),
    ]),
    [/^a\.jsonld: supportedClass "Novel": Novel .* \/books, .* Book; /],
  ],
  [
    'a.jsonld',
    documentOf([
      entryPointTo(Object.fromEntries(RESERVED.map((path, index) => [path, `A${index}`]))),
      ...RESERVED.flatMap((_, index) => [collectionOf(`A${index}`), classOf(`A${index}`, [name], GET)]),
    ]),
    reserved((_, index) => `a\\.jsonld: supportedClass "A${index}": A${index}`),
  ],
]

// contract: A class without a collection is an embedded value
// contract: What cannot be served
test('what cannot be served is an error with its place, before anything listens', async (t) => {
  for (const [index, [file, content, lines]] of BROKEN.entries()) {
    const folder = fileWith(t, file, content)
    const checked = await hydrant(['check', file], { cwd: folder })
    assert.equal(checked.status, 1)
    const told = checked.stdout.trimEnd().split('\n')
    assert.equal(told.length, lines.length, checked.stdout)
    for (const [place, line] of lines.entries()) assert.match(told[place] ?? '', line)
    // The same is said of either form by what would serve it.
    if (file === BROKEN[index - 1]?.[0]) continue
    const { status, stdout, stderr } = await hydrant(['serve', file, '--port', '0'], { cwd: folder })
    assert.deepEqual([status, stdout, stderr], [1, '', checked.stdout])
    assert.ok(!existsSync(join(folder, 'hydrant.db')))
  }
})

// contract: No context is ever fetched from the network
test('no context that an API file names is fetched: the known ones are there, any other is refused', async (t) => {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.after(() => listener.close())
  const { port } = listener.address() as { port: number }
  const remote = `http://127.0.0.1:${port}/context.jsonld`
  const document = bookDocument([name])
  const refused: unknown[] = [
    remote,
    ['http://www.w3.org/ns/hydra/context.jsonld', remote],
    { '@version': 1.1, '@import': remote },
  ]
  const UNKNOWN = /^a\.jsonld: [^\n]*"http:\S+" .*"@context"$/m
  let folder = ''
  for (const context of refused) {
    folder = fileWith(t, 'a.jsonld', { ...document, '@context': context })
    const { status, stdout } = await hydrant(['check', 'a.jsonld'], { cwd: folder })
    assert.equal(status, 1)
    assert.match(stdout, UNKNOWN)
  }
  const served = await hydrant(['serve', 'a.jsonld', '--port', '0'], { cwd: folder })
  assert.equal(served.status, 1)
  assert.match(served.stderr, UNKNOWN)
  assert.equal(connections, 0)
  const known = await hydrant(['check', 'a.jsonld'], { cwd: fileWith(t, 'a.jsonld', document) })
  assert.equal(known.status, 0, known.stdout)
})

// contract: What a document lacks is completed
test('what a document lacks is completed, check says what was, and it is served complete', async (t) => {
  const { title: _, ...untitled } = classOf('Book', [name], [{ method: 'GET' }, { method: 'DELETE' }])
  const folder = fileWith(t, 'own.jsonld', documentOf([untitled]))
  const { status, stdout } = await hydrant(['check', 'own.jsonld'], { cwd: folder })
  assert.equal(status, 0, stdout)
  for (const line of [
    /^ {2}The entry point /m,
    /^ {2}supportedClass "Book": .*: BookCollection\.$/m,
    /^ {2}supportedClass "Book": .*: "Book"\.$/m,
    /^ {2}supportedClass "Book": .*\btitle\b.* GET, DELETE /m,
    /^ {2}supportedClass "Book": "returns" .* GET, DELETE /m,
  ]) {
    assert.match(stdout, line)
  }
  const server = await serveIn(t, folder, ['own.jsonld', '--no-auth'], IN_MEMORY)
  const { supportedClass } = (await startClient(server).send('GET', '/vocab')).json() as {
    supportedClass: Json[]
  }
  const described = new Map(supportedClass.map((cls) => [String(cls['@id']).split('#')[1], cls]))
  for (const iri of ['EntryPoint', 'BookCollection', 'Book']) assert.ok(described.has(iri), iri)
  const done = described.get('Book')?.supportedOperation as Json[]
  assert.deepEqual(
    done.map(({ method, title, returns }) => [method, typeof title, returns]),
    [
      ['GET', 'string', `${server.base}/vocab#Book`],
      ['DELETE', 'string', 'owl:Nothing'],
    ],
  )
})
