import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readShortForm } from '../../../src/vocabulary/short-form/short-form.ts'
import { inSoak } from '../../support/soak.ts'
import { problemsOf, withProperties } from '../api-files.ts'

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
    ['__proto__: string', /^4:7: "__proto__" cannot be the name of a property: JSON-LD processors/],
    ['hasOwnProperty: string', /JSON-LD processors in JavaScript fail on it/],
    ['"a b": string', /cannot be the name of a property/],
    ['1a: string', /cannot be the name of a property/],
    [
      'gro\u0308ße: string',
      /^4:7: .* cannot be the name of a property; it must be in Unicode's form NFC, where it is "gr\\u00f6\\u00dfe"$/,
    ],
    ['क\u200dष: string', /cannot be the name of a property; it must be letters/],
    ['ㅤ: string', /cannot be the name of a property; it must be letters/],
    ['p: Bu\u0308ro', /^4:10: .* is not a type; possible: /],
    ['1: string', /must be a string; put it in quotes/],
    ['p: { type: string, iri: name }', /not an absolute IRI/],
    [
      'p: { type: string, iri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" }',
      /^4:31: the iri of "p" is that of "@type"/,
    ],
    ['p: { type: string, minimum: 1 }', /"minimum" fits numbers and not string/],
    ['p: { type: date, maximum: 1 }', /fits numbers and not date/],
    ['p: { type: integer, maxLength: 1 }', /"maxLength" fits string and anyURI and not integer/],
    ['p: { type: Book, pattern: x }', /not a link to Book/],
    ['p: { type: boolean, enum: [true] }', /"enum" does not fit boolean/],
    ['p: { type: langString, enum: [a] }', /"enum" does not fit langString; remove it$/],
    ['p: { type: string, enum: a }', /a list of at least one/],
    ['p: { type: string, enum: [a, b, a] }', /^4:39: "a" is in "enum" twice; keep one of them$/],
    ['p: { type: decimal, enum: [12.5, "12.50"] }', /^4:40: "12.50" is in "enum" twice/],
    ['p: { type: string, was: }', /"was" must be a string/],
    ['p: { type: integer, enum: [1, x] }', /^4:37: a value of "enum" must be an integer/],
    ['p: { type: string, minLength: -1 }', /0 or greater/],
    ['p: { type: string, minLength: 5, maxLength: 4 }', /"minLength" \(5\) is greater/],
    ['p: { type: integer, minimum: 5, maximum: 4 }', /"minimum" \(5\) is greater/],
    ['p: { type: integer, minimum: 9007199254740993 }', /more digits/],
    ['p: { type: integer, minimum: .inf }', /must be a number/],
    ['p: { type: string, pattern: "[" }', /not a regular expression/],
    ['p: { type: string, pattern: "\\\\-" }', /not a regular expression/],
    [
      'p: { type: string, pattern: "^(?!x)" }',
      /^4:35: the pattern has "\(\?!", which cannot be matched in linear time/,
    ],
    ['p: { type: integer, default: x }', /the default of "p" must be an integer/],
    [
      `p: { type: decimal, default: "${'7'.repeat(101)}" }`,
      /^4:[0-9]+: the default of "p" must have at most 100 digits/,
    ],
    [`p: { type: decimal, enum: [1, ${'7'.repeat(101)}] }`, /a value of "enum" must have at most 100 digits/],
    ['p: { type: integer, minimum: 5, default: 4 }', /the default of "p" must be at least 5/],
    ['p: { type: string, enum: [a], default: b }', /the default of "p" must be one of "a"/],
    ['p: { type: string, many: true, default: a }', /must be a list/],
    ['p: { type: string, default: [a] }', /must be one value/],
    ['p: { type: string, default: { a: 1 } }', /single value/],
    ['p: { type: Book, default: x }', /a link, which has no default/],
    [
      'p: { type: anyURI, multiline: true }',
      /^4:37: "multiline" fits string and langString, and "p" is neither/,
    ],
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
    ['an empty file', '', /^1:1: the file is empty; "hydrant init" writes one to start from$/],
    ['a file of comments', '# to do\n', /^1:1: the file is empty/],
    ['a list', '- a', /must be a map/],
    ['no classes', 'title: a', /at least one class/],
    ['empty classes', 'classes: {}', /^1:10: there must be at least one class/],
    ['an unknown key', 'clases: {}\nclasses: { A: }', /^1:1: "clases" .* did you mean "classes"/],
    ['a title that is no string', 'title: 5\nclasses: { A: }', /"title" must be a string/],
    ['a class name in lower case', 'classes: { author: }', /a capital first, such as Author$/],
    [
      'a class beside "classes"',
      'Book:\nclasses: { A: }',
      /^1:1: "Book" .*; a class stands under "classes"; possible: /,
    ],
    [
      'a property beside "properties"',
      'classes: { A: { pages: integer } }',
      /^1:17: "pages" .* class A; a property of it stands under "properties"; possible: /,
    ],
    [
      'properties beside their class',
      'classes:\n  A:\n  properties:',
      /^3:3: "properties" is within a class; indent it$/,
    ],
    ['a class name in lower case of another script', 'classes: { книга: }', /a capital first/],
    [
      'a class name that is not in NFC',
      'classes: { Bu\u0308ro: { collection: a } }',
      /^1:12: .* where it is "B\\u00fcro"$/,
    ],
    [
      'a collection that is not in NFC',
      'classes: { A: { collection: bu\u0308ros } }',
      /^1:29: .* cannot be the path of a collection; it must be in Unicode's form NFC, where it is "b\\u00fcros"$/,
    ],
    ['a class that every API has', 'classes: { EntryPoint: }', /every API has/],
    [
      'a class like a collection class',
      'classes: { Book: , BookCollection: }',
      /class of the collection of Book/,
    ],
    ['an unknown key of a class', 'classes: { A: { propertys: {} } }', /did you mean "properties"/],
    [
      'a reserved collection',
      'classes: { A: { collection: vocab } }',
      /A cannot be at \/vocab, which is reserved/,
    ],
    [
      'a reserved plural',
      'classes: { Event: }',
      /^1:12: Event cannot be at \/events, which is reserved .* choose another with "collection", such as collection: my-events$/,
    ],
    [
      'a collection that is no string',
      'classes: { A: { collection: true } }',
      /^1:29: "collection" must be a path such as books, or false for none/,
    ],
    [
      'a collection that JSON-LD processors fail on',
      'classes: { A: { collection: hasOwnProperty } }',
      /reserved/,
    ],
    ['a class name that is used still', 'classes: { A: , B: { was: A } }', /^1:27: B cannot have been "A"/],
    ['one former name of two classes', 'classes: { A: { was: X }, B: { was: X } }', /both have been "X"/],
    [
      'a class that nothing uses, whatever is called like it',
      'classes: { A: { properties: { p: { type: string, title: Address, enum: [Address] } } }, Address: { collection: false } }',
      /Address has no collection, is the type of no property/,
    ],
    ['a former name that is no string', 'classes: { A: { was: 5 } }', /"was" must be a string/],
    ['a collection in the way of the entry point', 'classes: { A: { collection: hydra } }', /reserved/],
    ['a collection with a slash', 'classes: { A: { collection: a/b } }', /cannot be the path/],
    ['a collection of dots', 'classes: { A: { collection: .. } }', /cannot be the path/],
    [
      'a collection that begins with a sign',
      'classes: { A: { collection: _a } }',
      /cannot be the path of a collection; .* and begin with a letter or a digit, such as books$/,
    ],
    [
      'two classes on one collection',
      'classes:\n  A: { collection: x }\n  B: { collection: x }',
      /^3:20: B cannot be at \/x, the address of A already; choose another with "collection"/,
    ],
    [
      'two default collections',
      'classes:\n  Box:\n  BOX:',
      /^3:3: BOX cannot be at \/boxes, the address of Box already/,
    ],
    ['two classes of one IRI', 'classes:\n  A: { iri: "x:a" }\n  B: { iri: "x:a" }', /same iri as A/],
    [
      'two properties of one IRI',
      withProperties('a: { type: string, iri: "x:a" }', 'b: { type: string, iri: "x:a" }'),
      /^5:31: .* same iri as "a"/,
    ],
    [
      'a former name still in use',
      withProperties('a: { type: string, was: b }', 'b: string'),
      /which is still a property/,
    ],
    [
      'one former name of two properties',
      withProperties('a: { type: string, was: c }', 'b: { type: string, was: c }'),
      /cannot both have been "c"/,
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

  it('propose no class whose own name is wrong', () => {
    const [type, name] = problemsOf('classes: { A: { properties: { p: Author } }, author: }')
    assert.match(type ?? '', /"Author" is not a type; possible: .*, A$/)
    assert.match(name ?? '', /"author" is not a class name; .* such as Author$/)
  })

  it('are all told at once, in the order of the file, with their path', () => {
    const result = readShortForm(
      withProperties('a: strin', 'b: { type: integer, minimun: 1 }', 'c: dat'),
      'a.yaml',
    )
    assert.ok('problems' in result)
    assert.deepEqual(
      result.problems.map(({ at }) => [at.line, at.path]),
      [
        [4, 'classes.Book.properties.a'],
        [5, 'classes.Book.properties.b.minimun'],
        [6, 'classes.Book.properties.c'],
      ],
    )
  })

  it('are told whatever else is wrong: nothing is found only when the rest is mended', () => {
    const text = `
titel: A
classes:
  Book:
    collection: vocab
    properties:
      "@id": strng
      a: { type: *x, required: yes }
      b: { was: a, many: 1 }
      c: { type: string, enum: [a, a], readOnly: true }
      address: Adress
  Address: { collection: false, properties: { town: string } }
  Unused: { collection: false }
`
    assert.deepEqual(
      problemsOf(text).map((problem) => problem.replace(/^(\d+:\d+: .{12}).*$/, '$1')),
      [
        '2:1: "titel" is n',
        '5:17: Book cannot ',
        '7:7: "@id" cannot',
        '7:14: "strng" is n',
        '8:18: the alias *x',
        '8:32: "required" m',
        '9:7: property "b"',
        '9:17: "b" cannot h',
        '9:26: "many" must ',
        '10:36: "a" is in "e',
        '10:40: "readOnly" i',
        '11:16: "Adress" is ',
        '13:25: Unused has n',
      ],
    )
  })

  it('are an alias bomb long before it is followed', () => {
    const lines = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ]
    // Each alias, and each key that is none of an API file.
    assert.equal(problemsOf(lines.join('\n')).length, 80 + lines.length)
  })

  it('are told of any file at all, or it is a model: nothing throws', () => {
    const names = [
      'classes',
      'properties',
      'collection',
      'type',
      'operations',
      'was',
      'iri',
      'default',
      'enum',
      'A',
      'B',
    ]
    const values = [
      'string',
      'langString',
      'A',
      'B',
      'now',
      'list',
      false,
      true,
      null,
      1,
      '',
      '@id',
      '__proto__',
    ]
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6, depthSize: 'large' },
        fc.constantFrom(...values),
        fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 5 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }))
    const classes = fc.dictionary(fc.constantFrom('A', 'B', 'C'), tree, { minKeys: 1 })
    const files = fc.oneof(
      fc.string({ unit: 'binary' }),
      tree.map((value) => JSON.stringify(value)),
      classes.map((value) => JSON.stringify({ classes: value })),
    )
    fc.assert(
      fc.property(files, (text) => {
        const read = readShortForm(text, 'api.yaml')
        assert.ok('model' in read ? read.model.classes.length > 0 : read.problems.length > 0)
      }),
      { numRuns: inSoak(1_000, 150) },
    )
  })
})
