import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Model, OPERATIONS } from '../../src/vocabulary/model.ts'
import { readShortForm } from '../../src/vocabulary/short-form.ts'

function modelOf(text: string): Model {
  const result = readShortForm(text, 'folder/api.yaml')
  return 'model' in result
    ? result.model
    : assert.fail(result.problems.map(({ message }) => message).join('\n'))
}

function problemsOf(text: string): string[] {
  const result = readShortForm(text, 'api.yaml')
  assert.ok('problems' in result, 'accepted')
  return result.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)
}

/** An API file with one class and these properties, one a line from line 4 on. */
const withProperties = (...lines: string[]) =>
  `classes:\n  Book:\n    properties:\n${lines.map((line) => `      ${line}\n`).join('')}`

describe('the short form', () => {
  it('is completed with defaults', () => {
    const model = modelOf(
      'classes:\n  Category:\n    properties:\n      name: string\n      span: duration\n  Empty:\n',
    )
    assert.equal(model.title, 'api')
    assert.equal(model.description, '')
    const [category, empty] = model.classes
    assert.equal(category?.collection, 'categories')
    assert.equal(category?.title, 'Category')
    assert.deepEqual([...(category?.operations ?? [])], [...OPERATIONS])
    assert.deepEqual(category?.properties[0], {
      name: 'name',
      iri: undefined,
      title: 'name',
      description: '',
      range: { kind: 'datatype', datatype: 'string' },
      many: false,
      required: false,
      writable: true,
      unique: false,
      filterable: true,
      default: undefined,
      constraints: {},
      was: undefined,
    })
    assert.equal(category?.properties[1]?.filterable, false)
    assert.deepEqual(empty?.properties, [])
  })

  it('may be JSON, with tabs', () => {
    const model = modelOf(
      '{\n\t"title": "T",\n\t"classes": {\n\t\t"Box": {"properties": {"a": "string"}}\n\t}\n}\n',
    )
    assert.equal(model.title, 'T')
    assert.equal(model.classes[0]?.collection, 'boxes')
  })

  it('links forward and to itself', () => {
    const [book] = modelOf(
      `${withProperties('author: Author', 'sequel: Book')}  Author:\n    collection: people\n`,
    ).classes
    assert.deepEqual(
      book?.properties.map(({ range }) => range),
      [
        { kind: 'link', className: 'Author', collection: 'people' },
        { kind: 'link', className: 'Book', collection: 'books' },
      ],
    )
  })

  it('takes names of Object.prototype and of Hydra for ordinary names', () => {
    const names = ['__proto__', 'constructor', 'toString', 'title', 'member', 'id', 'type', 'view', '_a-1']
    const [book] = modelOf(withProperties(...names.map((name) => `${name}: string`))).classes
    assert.deepEqual(
      book?.properties.map(({ name }) => name),
      names,
    )
  })

  const defaults: [line: string, expected: unknown][] = [
    ['p: { type: dateTime, default: now }', { kind: 'now' }],
    ['p: { type: date, default: now }', { kind: 'now' }],
    ['p: { type: string, default: now }', { kind: 'value', value: 'now' }],
    ['p: { type: decimal, default: 12.50 }', { kind: 'value', value: '12.50' }],
    ['p: { type: integer, default: 3 }', { kind: 'value', value: 3 }],
    ['p: { type: boolean, default: false }', { kind: 'value', value: false }],
    ['p: { type: string, many: true, default: [a, b] }', { kind: 'value', value: ['a', 'b'] }],
    ['p: { type: date, default: 2024-02-29 }', { kind: 'value', value: '2024-02-29' }],
  ]
  for (const [line, expected] of defaults) {
    it(`reads the default of ${line}`, () => {
      assert.deepEqual(modelOf(withProperties(line)).classes[0]?.properties[0]?.default, expected)
    })
  }

  it('keeps constraints and the former name', () => {
    const line = 'p: { type: decimal, minimum: 0.5, maximum: 9, enum: [1.50, "2"], was: q }'
    const property = modelOf(withProperties(line)).classes[0]?.properties[0]
    assert.deepEqual(property?.constraints, { minimum: 0.5, maximum: 9, enum: ['1.50', '2'] })
    assert.equal(property?.was, 'q')
  })
})

describe('problems of the short form', () => {
  const inProperty: [line: string, problem: RegExp][] = [
    ['p: integr', /^4:10: "integr" is not a type; did you mean "integer"\?/],
    ['p: Boook', /did you mean "Book"/],
    ['p: number', /did you mean "decimal"/],
    ['p: datetime', /did you mean "dateTime"/],
    ['p: xyzzyxyzzy', /possible: string, boolean,.* Book/],
    ['p: { type: 5 }', /^4:18: "type" must be a string/],
    ['p: 5', /must be a type such as string/],
    ['p:', /must be a type such as string/],
    ['p: [string]', /must be a type such as string/],
    ['p: {}', /^4:7: property "p" of Book has no "type"; possible: string/],
    [
      'p: { type: string, requird: true }',
      /^4:26: "requird" .* property "p" of Book; did you mean "required"\?/,
    ],
    ['p: { type: string, required: yes }', /^4:36: "required" must be true or false/],
    ['"@id": string', /keywords of JSON-LD/],
    ['"a b": string', /cannot be the name of a property/],
    ['1a: string', /cannot be the name of a property/],
    ['1: string', /must be a string; put it in quotes/],
    ['p: { type: string, iri: name }', /not an absolute IRI/],
    ['p: { type: string, minimum: 1 }', /"minimum" fits numbers and not string/],
    ['p: { type: date, maximum: 1 }', /fits numbers and not date/],
    ['p: { type: integer, maxLength: 1 }', /"maxLength" fits string and anyURI and not integer/],
    ['p: { type: Book, pattern: x }', /not a link to Book/],
    ['p: { type: boolean, enum: [true] }', /"enum" does not fit boolean/],
    ['p: { type: string, enum: a }', /a list of at least one/],
    ['p: { type: integer, enum: [1, x] }', /^4:37: a value of "enum" must be an integer/],
    ['p: { type: string, minLength: -1 }', /0 or greater/],
    ['p: { type: string, minLength: 5, maxLength: 4 }', /"minLength" \(5\) is greater/],
    ['p: { type: integer, minimum: 5, maximum: 4 }', /"minimum" \(5\) is greater/],
    ['p: { type: integer, minimum: 9007199254740993 }', /more digits/],
    ['p: { type: integer, minimum: .inf }', /must be a number/],
    ['p: { type: string, pattern: "[" }', /not a regular expression/],
    ['p: { type: string, pattern: "\\\\-" }', /not a regular expression/],
    ['p: { type: integer, default: x }', /the default of "p" must be an integer/],
    ['p: { type: integer, minimum: 5, default: 4 }', /the default of "p" must be at least 5/],
    ['p: { type: string, enum: [a], default: b }', /the default of "p" must be one of "a"/],
    ['p: { type: string, many: true, default: a }', /must be a list/],
    ['p: { type: string, default: [a] }', /must be one value/],
    ['p: { type: string, default: { a: 1 } }', /single value/],
    ['p: { type: Book, default: x }', /a link, which has no default/],
    ['p: { type: time, filterable: true }', /cannot be filtered by/],
    ['p: { type: string, many: true, unique: true }', /unique and have many/],
    ['p: { type: string, required: true, writable: false }', /nobody can write it/],
    ['p: { type: string, type: string }', /"type" is in property "p" of Book twice/],
    ['p: !custom string', /the tag !custom/],
    ['p: !!binary aGk=', /the tag/],
    ['p: *nowhere', /alias \*nowhere/],
  ]
  for (const [line, problem] of inProperty) {
    it(`are told of ${line}`, () => {
      const problems = problemsOf(withProperties(line))
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', problem)
    })
  }

  const inFile: [what: string, text: string, problem: RegExp][] = [
    ['an empty file', '', /^1:1: .* must be a map/],
    ['a list', '- a', /must be a map/],
    ['no classes', 'title: a', /at least one class/],
    ['empty classes', 'classes: {}', /^1:10: there must be at least one class/],
    ['an unknown key', 'clases: {}\nclasses: { A: }', /^1:1: "clases" .* did you mean "classes"/],
    ['a title that is no string', 'title: 5\nclasses: { A: }', /"title" must be a string/],
    ['a class name in lower case', 'classes: { book: }', /a capital first/],
    ['a class that every API has', 'classes: { EntryPoint: }', /every API has/],
    [
      'a class like a collection class',
      'classes: { Book: , BookCollection: }',
      /class of the collection of Book/,
    ],
    ['an unknown key of a class', 'classes: { A: { propertys: {} } }', /did you mean "properties"/],
    ['a reserved collection', 'classes: { A: { collection: vocab } }', /"vocab" is reserved/],
    [
      'a reserved plural',
      'classes: { Event: }',
      /^1:12: Event needs a "collection" of another name .* "events"/,
    ],
    [
      'a collection that is no string',
      'classes: { A: { collection: false } }',
      /"collection" must be a string/,
    ],
    ['a collection in the way of the entry point', 'classes: { A: { collection: hydra } }', /reserved/],
    ['a collection with a slash', 'classes: { A: { collection: a/b } }', /cannot be the path/],
    ['a collection of dots', 'classes: { A: { collection: .. } }', /cannot be the path/],
    [
      'two classes on one collection',
      'classes:\n  A: { collection: x }\n  B: { collection: x }',
      /^3:20: .* that of A already/,
    ],
    ['two default collections', 'classes:\n  Box:\n  BOX:', /^3:3: .* that of Box already/],
    ['two classes of one IRI', 'classes:\n  A: { iri: "x:a" }\n  B: { iri: "x:a" }', /same iri as A/],
    [
      'two properties of one IRI',
      withProperties('a: { type: string, iri: "x:a" }', 'b: { type: string, iri: "x:a" }'),
      /^5:7: .* same iri as "a"/,
    ],
    [
      'a former name still in use',
      withProperties('a: { type: string, was: b }', 'b: string'),
      /which is a property still/,
    ],
    [
      'an unknown operation',
      'classes: { A: { operations: [lst] } }',
      /"lst" is not an operation; did you mean "list"/,
    ],
    ['an operation twice', 'classes: { A: { operations: [list, list] } }', /twice/],
    ['operations that are no list', 'classes: { A: { operations: list } }', /must be a list/],
    ['a class twice', 'classes:\n  A:\n  A:', /^3:3: "A" is in "classes" twice/],
    ['a merge key', 'classes:\n  A:\n    <<: {}', /"<<" is not possible/],
    ['broken YAML', 'classes: {', /^1:\d+: this is not YAML or JSON/],
    ['two documents', 'classes: { A: }\n---\na: 1', /not YAML or JSON/],
    ['deep nesting', '['.repeat(100_000), /not YAML or JSON/],
  ]
  for (const [what, text, problem] of inFile) {
    it(`are told of ${what}`, () => {
      const problems = problemsOf(text)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', problem)
    })
  }

  it('are all told at once, in the order of the file, with their path', () => {
    const result = readShortForm(
      withProperties('a: strin', 'b: { type: integer, minimun: 1 }', 'c: dat'),
      'a.yaml',
    )
    assert.ok('problems' in result)
    assert.deepEqual(
      result.problems.map(({ line, path }) => [line, path]),
      [
        [4, 'classes.Book.properties.a'],
        [5, 'classes.Book.properties.b.minimun'],
        [6, 'classes.Book.properties.c'],
      ],
    )
  })

  it('are an alias bomb long before it is followed', () => {
    const lines = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ]
    assert.equal(problemsOf(lines.join('\n')).length, 80)
  })
})

describe('the fingerprint of a class', () => {
  const fingerprint = (text: string) => modelOf(text).classes[0]?.fingerprint ?? assert.fail()
  const original = fingerprint(withProperties('a: string', 'b: integer'))

  it('is a number of at most 48 bits', () => {
    assert.ok(Number.isSafeInteger(original) && original >= 0 && original < 2 ** 48)
  })

  it('stays where the stored text stays', () => {
    assert.equal(
      fingerprint(withProperties('a: { type: string, required: true, title: A }', 'b: integer')),
      original,
    )
  })

  const changes: [what: string, ...lines: string[]][] = [
    ['order', 'b: integer', 'a: string'],
    ['type', 'a: string', 'b: decimal'],
    ['number of values', 'a: { type: string, many: true }', 'b: integer'],
    ['properties', 'a: string'],
    ['range', 'a: Book', 'b: integer'],
  ]
  for (const [what, ...lines] of changes) {
    it(`changes with the ${what}`, () => assert.notEqual(fingerprint(withProperties(...lines)), original))
  }

  it('changes with the collection of a link', () => {
    const linked = (collection: string) =>
      `${withProperties('a: Other')}  Other: { collection: ${collection} }`
    assert.notEqual(fingerprint(linked('x')), fingerprint(linked('y')))
  })
})
