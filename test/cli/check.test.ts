import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createInput } from '../../src/api/index.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { IncompatibleMembersError } from '../../src/members/index.ts'
import { openStore } from '../../src/store/open.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant } from './command.ts'

const BOOKS =
  'title: Books\nclasses:\n  Book: { collection: books, operations: [list], properties: { pages: string } }\n'

/** A folder with an API file that can be served, and a database with books of so many pages. */
async function folderWithBooks(t: TestContext, ...pages: string[]): Promise<string> {
  const folder = folderWithApi(t, BOOKS)
  const model = modelOf(BOOKS)
  const [book] = model.classes
  assert.ok(book)
  const store = await openStore(`sqlite:${join(folder, 'hydrant.db')}`, classSchemas(model))
  const input = createInput(book, 'http://localhost/api')
  for (const [index, text] of pages.entries()) {
    const added = await store.members.add('Book', input.create({ pages: text }, `book-${index}`, 0))
    assert.equal(added.outcome, 'added')
  }
  await store.close()
  return folder
}

// contract: What a document lacks is completed
// contract: `hydrant check <api-file> [--db …]` ¦
test('check says that a file can be served, and what was completed in it by itself', async (t) => {
  const folder = folderWithApi(
    t,
    'classes:\n  Box: { properties: {} }\n  Crate: { collection: crates, operations: [list], properties: {} }\n',
  )
  assert.deepEqual(await hydrant(['check', 'api.yaml'], { cwd: folder }), {
    status: 0,
    stdout: [
      'api.yaml has no problem; it describes Box, Crate.',
      'Filled in by default:',
      '  The title is "api", the name of the file.',
      '  The collection of Box is "boxes", its plural in lower case.',
      '  Box has all operations: list, create, read, update, replace, delete.',
      'There is no database yet, so there are no members to compare it with.',
      '',
    ].join('\n'),
    stderr: '',
  })
  assert.deepEqual(readdirSync(folder), ['api.yaml'], 'it has left a database behind')
})

test('check says which classes have no properties, apart from what was completed', async (t) => {
  const book = '  Book:\n    properties:\n    title: string\n    description: string\n'
  const folder = folderWithApi(t, `title: Books\nclasses:\n${book}  Tag:\n`)
  const { status, stdout } = await hydrant(['check'], { cwd: folder })
  assert.equal(status, 0)
  assert.match(
    stdout,
    /^api\.yaml has no problem; .*\nPerhaps not meant:\n {2}Book has no properties\. If "title" and "description" .*\n {2}Tag has no properties\. .*\nFilled in by default:\n/,
  )
  const { completed } = JSON.parse((await hydrant(['check', '--json'], { cwd: folder })).stdout)
  assert.match(completed[0], /^doubtful: Book has no properties\./)
})

test('check says what of a Hydra document is ignored, apart from what was completed', async (t) => {
  const folder = temporaryFolder(t)
  const document = {
    '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
    '@id': '/vocab',
    '@type': 'ApiDocumentation',
    supportedClass: [
      {
        '@id': '/vocab#Note',
        '@type': 'Class',
        supportedOperation: [
          { '@type': 'Operation', method: 'GET' },
          { '@type': 'Operation', method: 'POT' },
        ],
        supportedProperty: [{ '@type': 'SupportedProperty', title: 'text', property: '/vocab#text' }],
      },
    ],
  }
  writeFileSync(join(folder, 'api.jsonld'), JSON.stringify(document))
  const { status, stdout, stderr } = await hydrant(['check', 'api.jsonld'], { cwd: folder })
  assert.equal(status, 0, stdout + stderr)
  const [completed = '', ignored = ''] = stdout.split('\nIgnored:\n')
  assert.match(completed, /\nFilled in by default:\n {2}\S/)
  assert.ok(!completed.includes('POT'))
  assert.match(ignored, /^ {2}supportedClass "Note": "POT" is not a method/)
})

// contract: `hydrant check <api-file> [--db …]` ¦
test('check prints every problem with its place and what would be right, and fails', async (t) => {
  const folder = folderWithApi(t, 'titel: A\nclasses:\n  Book: { properties: { a: strng, "@id": string } }\n')
  const { status, stdout, stderr } = await hydrant(['check', 'api.yaml'], { cwd: folder })
  assert.equal(status, 1)
  assert.match(
    stdout,
    /^api\.yaml:1:1: "titel".*"title"\?\napi\.yaml:3:28: "strng".*"string"\?\napi\.yaml:3:35: "@id" .*\n$/,
  )
  assert.match(stderr, /^hydrant: api\.yaml .*\b3\b[^\n]*\n$/)
})

test('check without a file checks api.yaml, and tells of the file before it looks for the database', async (t) => {
  const folder = folderWithApi(t, BOOKS)
  const named = await hydrant(['check', 'api.yaml'], { cwd: folder })
  assert.deepEqual(await hydrant(['check'], { cwd: folder }), named)
  writeFileSync(join(folder, 'api.yaml'), BOOKS.replace('pages: string', 'pages: strng'))
  const { status, stdout } = await hydrant(['check', '--db', 'sqlite:none.db'], { cwd: folder })
  assert.equal(status, 1)
  assert.match(stdout, /^api\.yaml:3:\d+: "strng" /)
  const none = await hydrant(['check'], { cwd: temporaryFolder(t) })
  assert.match(none.stdout, /^api\.yaml: there is no such file; write one with "hydrant init"/)
  assert.equal(none.stderr, 'hydrant: api.yaml cannot be served: it does not exist.\n')
  renameSync(join(folder, 'api.yaml'), join(folder, 'api.yml'))
  const other = await hydrant(['check'], { cwd: folder })
  assert.equal(other.stdout, 'api.yaml: there is no such file; did you mean "api.yml"?\n')
})

test('schema prints the JSON Schema that init writes beside the API file, and that the file names', async (t) => {
  const folder = temporaryFolder(t)
  const { status, stdout } = await hydrant(['schema'], { cwd: folder })
  assert.equal(status, 0)
  assert.match(JSON.parse(stdout).$schema, /draft\/2020-12/)
  writeFileSync(join(folder, 'api.schema.json'), 'mine')
  writeFileSync(join(folder, 'books.csv'), 'title\nEmma\n')
  for (const [name, written, ...flags] of [
    ['.', 'mine'],
    ['other', stdout],
    ['proposed', stdout, '--from', 'books.csv'],
  ] as const) {
    await hydrant(['init', name, ...flags], { cwd: folder })
    const [line] = readFileSync(join(folder, name, 'api.yaml'), 'utf8').split('\n')
    const schema = line?.replace('# yaml-language-server: $schema=', '') ?? ''
    assert.equal(readFileSync(join(folder, name, schema), 'utf8'), written)
  }
})

// contract: Output meant for programs is available with `--json`.
test('check --json has the same for programs', async (t) => {
  const folder = folderWithApi(t, BOOKS)
  const good = await hydrant(['check', 'api.yaml', '--json'], { cwd: folder })
  assert.equal(good.status, 0)
  assert.deepEqual(JSON.parse(good.stdout), {
    file: 'api.yaml',
    servable: true,
    classes: ['Book'],
    problems: [],
    completed: [],
  })
  writeFileSync(join(folder, 'bad.yaml'), 'classes:\n  Book: { properties: { a: strng } }\n')
  const bad = await hydrant(['check', 'bad.yaml', '--json'], { cwd: folder })
  assert.equal(bad.status, 1)
  assert.deepEqual(JSON.parse(bad.stdout), {
    file: 'bad.yaml',
    servable: false,
    classes: [],
    problems: [
      {
        line: 2,
        column: 28,
        path: 'classes.Book.properties.a',
        code: 'UnknownType',
        message: '"strng" is not a type; did you mean "string"?',
      },
    ],
    completed: [],
  })
})

// contract: `hydrant check <api-file> [--db …]` ¦
test('check compares the file with the members that are there, and changes nothing', async (t) => {
  const folder = await folderWithBooks(t, '12', 'many')
  const fits = await hydrant(['check', 'api.yaml'], { cwd: folder })
  assert.equal(fits.status, 0, fits.stderr)
  assert.match(
    fits.stdout,
    /^Every member in the database can be served under this file; constraints that are new /m,
  )

  writeFileSync(
    join(folder, 'new.yaml'),
    BOOKS.replace('pages: string', 'pages: { type: integer, unique: true }'),
  )
  const refused = await hydrant(['check', 'new.yaml', '--db', 'sqlite:hydrant.db'], { cwd: folder })
  assert.equal(refused.status, 1)
  assert.match(
    refused.stdout,
    /^The database has members that are incompatible with it; change the file, or /m,
  )
  assert.match(refused.stdout, /^ {2}\/books\/book-1: pages: "many" /m)
  assert.match(refused.stderr, /^hydrant: new\.yaml /)
  const { incompatible, servable } = JSON.parse(
    (await hydrant(['check', 'new.yaml', '--json'], { cwd: folder })).stdout,
  )
  assert.equal(servable, false)
  assert.ok(
    incompatible.some(
      ({ class: name, id }: { class: string; id: string }) => `${name} ${id}` === 'Book book-1',
    ),
  )

  const still = await hydrant(['check', 'api.yaml'], { cwd: folder })
  assert.deepEqual(still, fits)
})

test('check refuses a rename to a name that members have hidden values of, says what to do, and changes nothing', async (t) => {
  const folder = await folderWithBooks(t, '12')
  const open = (api: string) => openStore(`sqlite:${join(folder, 'hydrant.db')}`, classSchemas(modelOf(api)))
  const lengths = BOOKS.replace('pages: string', 'length: string')
  const store = await open(lengths)
  const [book] = modelOf(lengths).classes
  assert.ok(book)
  await store.members.add(
    'Book',
    createInput(book, 'http://localhost/api').create({ length: '9' }, 'other', 0),
  )
  await store.close()

  const api = BOOKS.replace('pages: string', 'pages: { type: string, was: length }')
  writeFileSync(join(folder, 'new.yaml'), api)
  const checked = await hydrant(['check', 'new.yaml'], { cwd: folder })
  assert.equal(checked.status, 1)
  assert.match(
    checked.stdout,
    /^ {2}\/books\/book-0: pages: has a value of its own, and the API file says that "pages" was "length", .*\. Leave the "was" out if those of "pages" are the right ones; otherwise give the property another name\.$/m,
  )
  await assert.rejects(open(api), IncompatibleMembersError)
  writeFileSync(join(folder, 'new.yaml'), lengths)
  const former = await hydrant(['check', 'new.yaml'], { cwd: folder })
  assert.match(former.stdout, /no class is migrated/)
})

test('check says what the file would hide, show again and rename in the database', async (t) => {
  const folder = await folderWithBooks(t, '12', 'many')
  const checked = async (api: string, ...more: string[]) => {
    writeFileSync(join(folder, 'new.yaml'), api)
    const { status, stdout, stderr } = await hydrant(['check', 'new.yaml', ...more], { cwd: folder })
    assert.equal(status, 0, stdout + stderr)
    return stdout
  }
  const rows: readonly (readonly [from: string, to: string, said: string])[] = [
    ['pages: string', 'length: { type: string, was: pages }', 'Book: "pages" becomes "length" (2 members).'],
    [
      '{ pages: string }',
      '{}',
      'Book: "pages" is not in the file any more; hidden in 2 members until it is back.',
    ],
    [
      'pages: string',
      'length: string',
      'Book: "pages" is not in the file any more; hidden in 2 members until it is back. ' +
        'If "pages" was renamed, say so: length: { …, was: pages }',
    ],
    [
      'pages: string',
      'a: string, b: string',
      'Book: "pages" is not in the file any more; hidden in 2 members until it is back. ' +
        'If it is one of "a", "b" now, say so there: { …, was: pages }',
    ],
    [
      'Book: {',
      'Novel: {',
      'Book is not in the file any more; its 2 members are hidden until it is back. If Book was renamed, say so: Novel: { …, was: Book }',
    ],
    [
      'Book: { collection: books, operations: [list], properties: { pages: string } }',
      'Novel: { properties: { pages: string } }\n  Guide: { properties: { pages: string, place: string } }',
      'Book is not in the file any more; its 2 members are hidden until it is back. If it is one of Novel, Guide now, say so there: { …, was: Book }',
    ],
    [
      'Book: { collection: books, operations: [list], properties: { pages: string } }',
      'Shop: { properties: { place: string } }',
      'Book is not in the file any more; its 2 members are hidden until it is back.',
    ],
    ['Book: {', 'Novel: { was: Book,', 'Book becomes Novel (2 members).'],
  ]
  for (const [from, to, said] of rows) {
    const lines = (await checked(BOOKS.replace(from, to))).split('\n')
    assert.deepEqual(lines.slice(lines.indexOf('With this database:') + 1, -3), [`  ${said}`])
  }
  assert.doesNotMatch(await checked(BOOKS), /With this database/)
  const { changes } = JSON.parse(await checked(BOOKS.replace('pages: string', 'length: string'), '--json'))
  assert.deepEqual(changes, [
    { class: 'Book', change: 'hidden', property: 'pages', members: 2, unfilled: ['length'] },
  ])
})

// contract: Changes are of two kinds, and `hydrant check` says which
// contract: Narrower access holds on each host
test('check names every change, property by property, with what it means for the hosts', async (t) => {
  const folder = await folderWithBooks(t, '12')
  const api = `${BOOKS.replace('pages: string', 'pages: integer, language: { type: string, default: en }')}  Box: {}
access: { write: nobody }
`
  writeFileSync(join(folder, 'new.yaml'), api)
  const { stdout } = await hydrant(['check', 'new.yaml'], { cwd: folder })
  const lines = stdout.split('\n')
  const first = lines.indexOf('Since the file that the database was last opened with:') + 1
  assert.deepEqual(lines.slice(first, first + 5), [
    '  Book.pages is integer now, and was string: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
    '  Book.language is new: compatible; hosts with the former file do not show it, and keep its values when they write; its default is filled in in the background; until then, a filter by it is 503.',
    '  Book has another title, description, label or example: compatible; each host shows that of its own file.',
    '  Book has other access rules: compatible; each host applies them from its restart on, so rights that are taken away are gone everywhere once the last host has this file.',
    '  Box is new: compatible; hosts with the former file do not serve it.',
  ])
  const { kinds } = JSON.parse((await hydrant(['check', 'new.yaml', '--json'], { cwd: folder })).stdout)
  assert.deepEqual(kinds[0], {
    ...{ class: 'Book', property: 'pages', kind: 'type', compatible: false, from: 'string', to: 'integer' },
    message: lines[first]?.trim(),
  })
})

test('check says which classes would be migrated, or that none is', async (t) => {
  const folder = await folderWithBooks(t, '12', 'many')
  const NOTHING =
    'No stored value changes, and no class is migrated; servers that still have the former file can keep running.'
  const TAKEN =
    'Migrated at the first start with it: Book (2 members). ' +
    'Hosts that serve the former file answer 503 for them until they are restarted with this one.'
  const rows: readonly (readonly [api: string, said: string, migrated: readonly object[]])[] = [
    [BOOKS, NOTHING, []],
    [BOOKS.replace('title: Books', 'title: Many books'), NOTHING, []],
    [`${BOOKS}  Box: { collection: boxes }\n`, NOTHING, []],
    [
      BOOKS.replace('{ pages: string }', '{ pages: string, a: string }'),
      'Migrated at the first start with it, before it serves: Book (2 members).',
      [{ class: 'Book', members: 2 }],
    ],
    [
      BOOKS.replace('{ pages: string }', '{ length: { type: string, was: pages } }'),
      TAKEN,
      [{ class: 'Book', members: 2 }],
    ],
  ]
  for (const [api, said, migrated] of rows) {
    writeFileSync(join(folder, 'new.yaml'), api)
    const told = await hydrant(['check', 'new.yaml'], { cwd: folder })
    assert.equal(told.stdout.split('\n').at(-2), said, told.stderr)
    const { stdout } = await hydrant(['check', 'new.yaml', '--json'], { cwd: folder })
    assert.deepEqual(JSON.parse(stdout).migrated, migrated)
  }
})

test('check counts the members that break constraints; what is exported then can be imported with --as-stored', async (t) => {
  const api = (customer: string) => `
title: Shop
classes:
  Customer:
    collection: customers
    plural: clients
    operations: [list]
    properties:
      name: ${customer}
      since: { type: date, writable: false, default: now }
      lines: { type: Line, many: true }
  Line: { title: Order line, collection: false, properties: { town: string } }
`
  const folder = folderWithApi(t, api('string'))
  const lines = [
    { '@type': 'Customer', '@id': '/customers/1', name: 'Ann', since: '2024-01-01', lines: [{}, {}] },
    { '@type': 'Customer', '@id': '/customers/2', name: 'Bartholomew', since: '2024-01-02' },
    { '@type': 'Customer', '@id': '/customers/3', name: 'Eve', since: '2024-01-03', lines: [{ town: 'x' }] },
  ]
  const input = lines.map((line) => JSON.stringify(line)).join('\n')
  assert.equal((await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input })).status, 0)
  const stricter = api(
    '{ type: string, required: true, maxLength: 9 }\n      vatId: { type: string, required: true }\n      kind: { type: string, default: usual }',
  ).replace('town: string', 'town: { type: string, required: true }')
  writeFileSync(join(folder, 'new.yaml'), stricter)
  const { status, stdout } = await hydrant(['check', 'new.yaml'], { cwd: folder })
  assert.equal(status, 0)
  const said = stdout.split('\n')
  assert.ok(said.includes('  Customer: 3 members without "kind" get its default.'), stdout)
  // As the lines below: the next PUT needs it, and a PATCH of something else does not.
  assert.match(
    stdout,
    /Customer\.vatId is new and required: compatible; each POST and PUT needs it, and a PATCH of other properties does not; /,
  )
  assert.match(stdout, /when a member is next written, but "required" not to a PATCH of other properties\.$/m)
  assert.deepEqual(said.slice(said.indexOf('Members that break one:') + 1, -2), [
    '  3 clients lack vatId; they can be read and updated, and the next PUT of each needs it. A default would fill it in.',
    '  1 customer lacks lines/town; it can be read and updated, and the next PUT of it needs it.',
    '  1 customer breaks a constraint: name must have at most 9 characters. It can be read, and the next write to it must mend that.',
  ])
  const { broken } = JSON.parse((await hydrant(['check', 'new.yaml', '--json'], { cwd: folder })).stdout)
  assert.deepEqual(broken[0], {
    class: 'Customer',
    property: 'vatId',
    message: 'is required.',
    code: 'RequiredValue',
    members: 3,
  })

  // The start with the new file migrates them.
  await (await openStore(`sqlite:${join(folder, 'hydrant.db')}`, classSchemas(modelOf(stricter)))).close()
  const exported = await hydrant(['export', 'new.yaml'], { cwd: folder })
  const again = { cwd: folder, input: exported.stdout }
  const into = ['import', 'new.yaml', '-', '--db', 'sqlite:copy.db']
  const refused = await hydrant(into, again)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /--as-stored/)
  assert.match((await hydrant([...into, '--as-stored'], again)).stdout, /^3 added/)
  assert.match((await hydrant([...into, '--as-stored'], again)).stdout, /^0 added, 3 already there/)
  const copy = await hydrant(['export', 'new.yaml', '--db', 'sqlite:copy.db'], { cwd: folder })
  assert.equal(copy.stdout, exported.stdout)

  const wrong = [
    [{ '@type': 'Customer', name: 5 }, /: name: /],
    [{ '@type': 'Customer', nmae: 'x' }, /: nmae: .*Customer/],
    [{ '@type': 'Customer', '@id': '/customers/1', name: 'x' }, /: @id: /],
  ] as const
  for (const [member, told] of wrong) {
    const one = { cwd: folder, input: JSON.stringify(member) }
    assert.match((await hydrant([...into, '--as-stored'], one)).stderr, told)
  }
})

test('check with a file or a database that is not there says what to do', async (t) => {
  const folder = folderWithApi(t, BOOKS)
  writeFileSync(join(folder, 'no.db'), 'this is no database'.repeat(100))
  const rows: readonly (readonly [args: readonly string[], status: number, part: string])[] = [
    [['api.yaml', '--db', 'sqlite:other.db'], 1, 'other.db'],
    [['api.yaml', '--db', 'sqlite::memory:'], 2, '--db: '],
    [['api.yaml', '--db', 'sqlite:no.db'], 1, 'no.db'],
  ]
  await each(rows, async ([args, status, part]) => {
    assertRefused(await hydrant(['check', ...args], { cwd: folder }), status, part)
  })
  const missing = await hydrant(['check', 'missing.yaml'], { cwd: folder })
  assert.equal(missing.status, 1)
  assert.match(missing.stdout, /^missing\.yaml: [^\n]+\n$/)
})

// contract: **Long form**
test('check reads a Hydra ApiDocumentation too', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), BOOKS)
  const vocab = await hydrant(['vocab', 'api.yaml'], { cwd: folder })
  writeFileSync(join(folder, 'api.jsonld'), vocab.stdout)
  const { status, stdout } = await hydrant(['check', 'api.jsonld'], { cwd: folder })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^api\.jsonld has no problem; it describes Book\.$/m)
})
