import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readShortForm } from '../../../src/vocabulary/short-form/short-form.ts'
import { inSoak } from '../../support/soak.ts'
import { problemsOf, withProperties } from '../api-files.ts'

describe('problems of the short form', () => {
  const inProperty: [line: string, problem: string][] = [
    ['p: integr', '4:10 UnknownType(integr, → integer)'],
    ['p: Boook', '4:10 UnknownType(Boook, → Book)'],
    ['p: number', '4:10 UnknownType(number, of string … Account)'],
    ['p: datetime', '4:10 UnknownType(datetime, → dateTime)'],
    ['p: xyzzyxyzzy', '4:10 UnknownType(xyzzyxyzzy, of string … Account)'],
    [
      'p: { type: Boook, required: true, onDelete: delete, unit: EUR, reverse: books, example: 1, minimum: 3, multiline: true, unique: true }',
      '4:18 UnknownType(Boook, → Book)',
    ],
    ['p: { type: [Book], onDelete: delete }', '4:18 ListAsType'],
    ['p: { type: 5 }', '4:18 NotAText(type)'],
    ['p: 5', '4:10 NotAProperty(Book, p)'],
    ['p:', '4:9 NotAProperty(Book, p)'],
    ['p: [string]', '4:10 NotAProperty(Book, p, string)'],
    ['p: {}', '4:7 MissingType(Book, p, of string … Account)'],
    ['p: { type: string, requird: true }', '4:26 UnknownKey(requird, → required, property Book p)'],
    ['p: { type: string, required: yes }', '4:36 NotAFlag(required)'],
    ['"@id": string', '4:7 KeywordAsName(@id)'],
    ['__proto__: string', '4:7 UnprocessableName(__proto__)'],
    ['hasOwnProperty: string', '4:7 UnprocessableName(hasOwnProperty)'],
    ['"a b": string', '4:7 InvalidPropertyName(a b)'],
    ['1a: string', '4:7 InvalidPropertyName(1a)'],
    ['gro\u0308ße: string', '4:7 InvalidPropertyName(größe)'],
    ['क\u200dष: string', '4:7 InvalidPropertyName(क‍ष)'],
    ['ㅤ: string', '4:7 InvalidPropertyName(ㅤ)'],
    ['p: Bu\u0308ro', '4:10 UnknownType(Büro, of string … Account)'],
    ['1: string', '4:7 NameNotText(properties Book)'],
    ['p: { type: string, iri: name }', '4:31 RelativeIri(name)'],
    ['p: { type: string, iri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" }', '4:31 IriOfType(p)'],
    ['p: { type: string, minimum: 1 }', '4:26 UnfitConstraint(minimum, datatype, string)'],
    ['p: { type: date, maximum: 1 }', '4:24 UnfitConstraint(maximum, datatype, date)'],
    ['p: { type: integer, maxLength: 1 }', '4:27 UnfitConstraint(maxLength, datatype, integer)'],
    ['p: { type: Book, pattern: x }', '4:24 UnfitConstraint(pattern, link, Book)'],
    ['p: { type: boolean, enum: [true] }', '4:27 UnfitConstraint(enum, datatype, boolean)'],
    ['p: { type: langString, enum: [a] }', '4:30 UnfitConstraint(enum, datatype, langString)'],
    ['p: { type: string, enum: a }', '4:32 EmptyEnum("enum")'],
    ['p: { type: string, enum: [a, b, a] }', '4:39 DuplicateChoice(a)'],
    ['p: { type: decimal, enum: [12.5, "12.50"] }', '4:40 DuplicateChoice(12.50)'],
    ['p: { type: string, was: }', '4:31 NotAText(was)'],
    ['p: { type: integer, enum: [1, x] }', '4:37 InvalidValue("enum", enum, WrongDatatype(integer, string))'],
    ['p: { type: string, minLength: -1 }', '4:37 InvalidLength("minLength")'],
    ['p: { type: string, minLength: 5, maxLength: 4 }', '4:37 CrossedBounds("minLength", 5, 4)'],
    ['p: { type: integer, minimum: 5, maximum: 4 }', '4:36 CrossedBounds("minimum", 5, 4)'],
    ['p: { type: integer, minimum: 9007199254740993 }', '4:36 BoundLosesDigits("minimum")'],
    ['p: { type: integer, minimum: .inf }', '4:36 InvalidBound("minimum")'],
    ['p: { type: string, pattern: "[" }', '4:35 InvalidPattern'],
    ['p: { type: string, pattern: "\\\\-" }', '4:35 InvalidPattern'],
    ['p: { type: string, pattern: "^(?!x)" }', '4:35 UnsupportedPattern((?!)'],
    [
      'p: { type: integer, default: x }',
      '4:36 InvalidValue(the default of "p", default, WrongDatatype(integer, string))',
    ],
    [
      `p: { type: decimal, default: "${'7'.repeat(101)}" }`,
      '4:36 InvalidValue(the default of "p", default, TooManyDigits(100))',
    ],
    [
      `p: { type: decimal, enum: [1, ${'7'.repeat(101)}] }`,
      '4:37 InvalidValue("enum", enum, TooManyDigits(100))',
    ],
    [
      'p: { type: integer, minimum: 5, default: 4 }',
      '4:48 InvalidValue(the default of "p", default, p BelowMinimum(5))',
    ],
    [
      'p: { type: string, enum: [a], default: b }',
      '4:46 InvalidValue(the default of "p", default, p NotInEnum(a, false))',
    ],
    ['p: { type: string, many: true, default: a }', '4:47 DefaultNotAList(p)'],
    ['p: { type: string, default: [a] }', '4:35 DefaultIsAList(p)'],
    ['p: { type: string, default: { a: 1 } }', '4:35 NotOneValue(the default of "p", default)'],
    ['p: { type: Book, default: x }', '4:33 NoDefaultPossible(p)'],
    ['p: { type: Account, default: me }', '4:36 NoDefaultPossible(p, user)'],
    ['p: { type: anyURI, multiline: true }', '4:37 MultilineUnfit(p)'],
    ['p: { type: time, filterable: true }', '4:36 NotFilterable(p, time)'],
    ['p: { type: string, many: true, unique: true }', '4:46 UniqueList(p)'],
    ['p: { type: string, required: true, writable: false }', '4:36 RequiredNotWritable(p)'],
    ['p: { type: string, type: string }', '4:26 RepeatedKey(type, property Book p)'],
    ['p: !custom string', '4:18 TagNotPossible(!custom)'],
    ['p: !!binary aGk=', '4:19 TagNotPossible(tag:yaml.org,2002:binary)'],
    ['p: *nowhere', '4:10 AliasNotPossible(nowhere)'],
  ]
  for (const [line, problem] of inProperty) {
    it(`are told of ${line}`, () => {
      assert.deepEqual(problemsOf(withProperties(line)), [problem])
    })
  }

  const inFile: [what: string, text: string, problem: string][] = [
    ['an empty file', '', '1:1 EmptyApiFile'],
    ['a file of comments', '# to do\n', '1:1 EmptyApiFile'],
    ['a list', '- a', '1:1 NotAMap(file)'],
    ['no classes', 'title: a', '1:1 NoClass'],
    ['empty classes', 'classes: {}', '1:10 NoClass'],
    ['an unknown key', 'clases: {}\nclasses: { A: }', '1:1 UnknownKey(clases, → classes, file)'],
    ['a title that is no string', 'title: 5\nclasses: { A: }', '1:8 NotAText(title)'],
    ['a class name in lower case', 'classes: { author: }', '1:12 InvalidClassName(author)'],
    [
      'a class beside "classes"',
      'Book:\nclasses: { A: }',
      '1:1 UnknownKey(Book, of $schema … classes, file)',
    ],
    [
      'a property beside "properties"',
      'classes: { A: { pages: integer } }',
      '1:17 PropertyAmongKeys(A, pages)',
    ],
    ['properties beside their class', 'classes:\n  A:\n  properties:', '3:3 PropertiesOutsideClass'],
    ['a class name in lower case of another script', 'classes: { книга: }', '1:12 InvalidClassName(книга)'],
    [
      'a class name that is not in NFC',
      'classes: { Bu\u0308ro: { collection: a } }',
      '1:12 InvalidClassName(Büro)',
    ],
    [
      'a collection that is not in NFC',
      'classes: { A: { collection: bu\u0308ros } }',
      '1:29 InvalidPath(büros)',
    ],
    ['a class that every API has', 'classes: { EntryPoint: }', '1:12 ReservedClassName(EntryPoint)'],
    [
      'a class like a collection class',
      'classes: { Book: , BookCollection: }',
      '1:20 CollectionClassName(BookCollection, Book)',
    ],
    [
      'an unknown key of a class',
      'classes: { A: { propertys: {} } }',
      '1:17 UnknownKey(propertys, → properties, class A)',
    ],
    [
      'a reserved collection',
      'classes: { A: { collection: vocab } }',
      '1:29 ReservedPath(A, vocab, collection)',
    ],
    ['a reserved plural', 'classes: { Event: }', '1:12 ReservedPath(Event, events, collection)'],
    ['a class of accounts', 'classes: { Account: }', '1:12 ReservedClassName(Account)'],
    [
      'a collection of accounts',
      'classes: { A: { collection: accounts } }',
      '1:29 ReservedPath(A, accounts, collection)',
    ],
    ['a plural of summaries', 'classes: { Summary: }', '1:12 ReservedPath(Summary, summaries, collection)'],
    ['a collection that is no string', 'classes: { A: { collection: true } }', '1:29 InvalidCollection'],
    [
      'a collection that JSON-LD processors fail on',
      'classes: { A: { collection: hasOwnProperty } }',
      '1:29 ReservedPath(A, hasOwnProperty, collection)',
    ],
    [
      'a class name that is used still',
      'classes: { A: , B: { was: A } }',
      '1:27 FormerNameInUse(class, B, A)',
    ],
    [
      'one former name of two classes',
      'classes: { A: { was: X }, B: { was: X } }',
      '1:37 DuplicateFormerName(class, B, A, X)',
    ],
    [
      'a class that nothing uses, whatever is called like it',
      'classes: { A: { properties: { p: { type: string, title: Address, enum: [Address] } } }, Address: { collection: false } }',
      '1:112 UnusedClass(Address)',
    ],
    ['a former name that is no string', 'classes: { A: { was: 5 } }', '1:22 NotAText(was)'],
    [
      'a collection in the way of the entry point',
      'classes: { A: { collection: hydra } }',
      '1:29 ReservedPath(A, hydra, collection)',
    ],
    ['a collection with a slash', 'classes: { A: { collection: a/b } }', '1:29 InvalidPath(a/b)'],
    ['a collection of dots', 'classes: { A: { collection: .. } }', '1:29 InvalidPath(..)'],
    ['a collection that begins with a sign', 'classes: { A: { collection: _a } }', '1:29 InvalidPath(_a)'],
    [
      'two classes on one collection',
      'classes:\n  A: { collection: x }\n  B: { collection: x }',
      '3:20 PathTaken(B, x, A, collection)',
    ],
    ['two default collections', 'classes:\n  Box:\n  BOX:', '3:3 PathTaken(BOX, boxes, Box, collection)'],
    [
      'two classes of one IRI',
      'classes:\n  A: { iri: "x:a" }\n  B: { iri: "x:a" }',
      '3:13 DuplicateClassIri(B, A)',
    ],
    [
      'two properties of one IRI',
      withProperties('a: { type: string, iri: "x:a" }', 'b: { type: string, iri: "x:a" }'),
      '5:31 DuplicatePropertyIri(b, a)',
    ],
    [
      'a former name still in use',
      withProperties('a: { type: string, was: b }', 'b: string'),
      '4:31 FormerNameInUse(property, a, b)',
    ],
    [
      'one former name of two properties',
      withProperties('a: { type: string, was: c }', 'b: { type: string, was: c }'),
      '5:31 DuplicateFormerName(property, b, a, c)',
    ],
    ['an unknown operation', 'classes: { A: { operations: [lst] } }', '1:30 UnknownOperation(lst, → list)'],
    [
      'an operation twice',
      'classes: { A: { operations: [list, list] } }',
      '1:36 DuplicateOperation(list, A)',
    ],
    ['operations that are no list', 'classes: { A: { operations: list } }', '1:29 OperationsNotAList(A)'],
    ['a class twice', 'classes:\n  A:\n  A:', '3:3 RepeatedKey(A, classes)'],
    ['a merge key', 'classes:\n  A:\n    <<: {}', '3:5 UnknownKey(<<, of iri … was, class A)'],
    ['broken YAML', 'classes: {', '1:10 UnclosedBracket({, })'],
    [
      'a pattern without quotes',
      withProperties('p: { type: string, pattern: ^[A-Z]{3}$, required: true }'),
      '4:35 UnquotedPattern(^[A-Z]{3}$)',
    ],
    [
      'a pattern that begins like a list',
      'classes:\n  A:\n    properties:\n      p:\n        type: string\n        pattern: [A-Z]{3}',
      '6:18 UnquotedPattern([A-Z]{3})',
    ],
    ['two documents', 'classes: { A: }\n---\na: 1', '2:1 SecondDocument'],
  ]
  for (const [what, text, problem] of inFile) {
    it(`are told of ${what}`, () => {
      assert.deepEqual(problemsOf(text), [problem])
    })
  }

  it('are told of deep nesting, at the depth that the parser reaches', () => {
    const [problem = '', ...others] = problemsOf('['.repeat(100_000))
    assert.match(problem, /^1:\d+ InvalidYaml$/)
    assert.deepEqual(others, [])
  })

  it('propose no class whose own name is wrong', () => {
    assert.deepEqual(problemsOf('classes: { A: { properties: { p: Author } }, author: }'), [
      '1:34 UnknownType(Author, of string … Account)',
      '1:46 InvalidClassName(author)',
    ])
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
    assert.deepEqual(problemsOf(text), [
      '2:1 UnknownKey(titel, → title, file)',
      '5:17 ReservedPath(Book, vocab, collection)',
      '7:7 KeywordAsName(@id)',
      '7:14 UnknownType(strng, → string)',
      '8:18 AliasNotPossible(x)',
      '8:32 NotAFlag(required)',
      '9:7 MissingType(Book, b, of string … Account)',
      '9:17 FormerNameInUse(property, b, a)',
      '9:26 NotAFlag(many)',
      '10:36 DuplicateChoice(a)',
      '10:40 UnknownKey(readOnly, of type … scale, property Book c)',
      '11:16 UnknownType(Adress, → Address)',
      '13:25 UnusedClass(Unused)',
    ])
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
