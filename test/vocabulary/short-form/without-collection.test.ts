import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasCollection, isSingle, SINGLE_METHODS, storedClasses } from '../../../src/vocabulary/index.ts'
import { keyShapes } from '../../../src/vocabulary/keys.ts'
import { classIn, modelOf, problemsOf, propertyIn } from '../api-files.ts'

/** People with an address, which has a place; and settings that are one resource. */
const API = `classes:
  Person:
    properties:
      name: { type: string, unique: true }
      address: { type: Address, required: true }
      former: { type: Address, many: true }
      bio: langString
  Settings:
    collection: false
    operations: [read, replace]
    properties: { office: Address, motto: langString }
  Address:
    collection: false
    properties: { street: string, place: Place, landlord: Person }
  Place:
    collection: false
    properties: { town: string }
`

describe('a class without a collection', () => {
  const model = modelOf(API)
  const [person, settings, address, place] = ['Person', 'Settings', 'Address', 'Place'].map((name) =>
    classIn(model, name),
  )

  it('is an embedded value where it is the type of a property', () => {
    assert.ok(person && settings && address && place)
    const ranges = [
      [person, 'address', address],
      [person, 'former', address],
      [settings, 'office', address],
      [address, 'place', place],
    ] as const
    for (const [owner, name, cls] of ranges) {
      const { range } = propertyIn(owner, name)
      assert.ok(range.kind === 'embedded' && range.cls === cls, name)
    }
    assert.deepEqual(propertyIn(address, 'landlord').range, {
      kind: 'link',
      className: 'Person',
      collection: 'persons',
    })
    assert.deepEqual([address.operations.size, address.collection, isSingle(address)], [0, undefined, false])
  })

  it('is a single resource where it has operations', () => {
    assert.ok(settings)
    assert.deepEqual([hasCollection(settings), isSingle(settings)], [false, true])
    assert.deepEqual([...settings.operations], ['read', 'replace'])
    assert.deepEqual(settings.methods, SINGLE_METHODS)
    assert.deepEqual(
      storedClasses(model).map(({ name }) => name),
      ['Person', 'Settings'],
    )
  })

  it('may be both at once', () => {
    const both = modelOf(`classes:
  Address: { collection: false, operations: [read], properties: { street: string } }
  Person: { properties: { address: Address } }
`)
    const { range } = propertyIn(classIn(both, 'Person'), 'address')
    assert.equal(range.kind, 'embedded')
    assert.ok(isSingle(classIn(both, 'Address')))
  })

  it('stays in the order of the file, whatever embeds what', () => {
    assert.deepEqual(
      model.classes.map(({ name }) => name),
      ['Person', 'Settings', 'Address', 'Place'],
    )
  })

  it('has no keys, and nor have texts by language; those of embedded values belong to the member', () => {
    for (const cls of [settings, address, place])
      assert.deepEqual(cls === undefined ? [0] : keyShapes(cls), [])
    assert.deepEqual(person && keyShapes(person).map(({ property }) => property), [
      'name',
      'address.street',
      'address.landlord',
      'address.place.town',
      'former.street',
      'former.landlord',
      'former.place.town',
    ])
  })
})

describe('problems with classes without a collection', () => {
  /** Class A embeds class V, which has these properties from line 6 on. */
  const embedding = (...lines: string[]) =>
    `classes:\n  A: { properties: { v: V } }\n  V:\n    collection: false\n    properties:\n${lines
      .map((line) => `      ${line}\n`)
      .join('')}`
  /** The properties of class A, in line 2. */
  const using = (properties: string) =>
    `classes:\n  A: { properties: { ${properties} } }\n  V: { collection: false, properties: { s: string } }\n`

  const files: [what: string, text: string, problem: string][] = [
    ['one that nothing uses', 'classes:\n  A:\n  V: { collection: false }', '3:20 UnusedClass(V)'],
    [
      'one without any operation that nothing uses',
      'classes:\n  A:\n  V: { collection: false, operations: [] }',
      '3:20 UnusedClass(V)',
    ],
    [
      'a list where there is none',
      'classes:\n  V: { collection: false, operations: [list, read] }',
      '2:39 ListOfSingle(V)',
    ],
    [
      'two resources on one path',
      'classes:\n  V: { collection: false, operations: [read] }\n  A: { collection: V }',
      '3:20 PathTaken(A, V, V, collection)',
    ],
    [
      'two resources on one path, the other way round',
      'classes:\n  A: { collection: V }\n  V: { collection: false, operations: [read] }',
      '3:3 PathTaken(V, V, A, name)',
    ],
    [
      'a value within itself',
      'classes:\n  A: { properties: { v: V } }\n  V: { collection: false, properties: { w: V } }',
      '3:44 EmbeddingCycle(V V)',
    ],
    [
      'a value within itself by a detour',
      'classes:\n  A: { properties: { v: V } }\n  V: { collection: false, properties: { w: W } }\n' +
        '  W: { collection: false, properties: { v: { type: V, many: true } } }',
      '4:52 EmbeddingCycle(V W V)',
    ],
    [
      'unique within a value',
      embedding('s: { type: string, unique: true }'),
      '6:34 UniqueWithoutCollection(V, s)',
    ],
    ['a unique value', using('v: { type: V, unique: true }'), '2:44 UniqueWithoutKey(v, embedded)'],
    ['a value as filter', using('v: { type: V, filterable: true }'), '2:48 NotFilterable(v, embedded)'],
    ['the default of a value', using('v: { type: V, default: x }'), '2:45 NoDefaultPossible(v, embedded)'],
    [
      'a pattern of a value',
      using('v: { type: V, pattern: x }'),
      '2:36 UnfitConstraint(pattern, embedded, V)',
    ],
    ['an enum of a value', using('v: { type: V, enum: [x] }'), '2:36 UnfitConstraint(enum, embedded, V)'],
    [
      'unique text by language',
      using('v: V, t: { type: langString, unique: true }'),
      '2:59 UniqueWithoutKey(t, languages)',
    ],
    [
      'many texts by language',
      using('v: V, t: { type: langString, many: true }'),
      '2:57 ManyLanguageMaps(t)',
    ],
    [
      'default text by language',
      using('v: V, t: { type: langString, default: x }'),
      '2:60 NoDefaultPossible(t, languages)',
    ],
    [
      'long text by language',
      using('v: V, t: { type: langString, maxLength: 5 }'),
      '2:51 UnfitConstraint(maxLength, datatype, langString)',
    ],
    [
      'text by language by another name',
      using('v: V, t: LangString'),
      '2:31 UnknownType(LangString, → langString)',
    ],
  ]
  for (const [what, text, problem] of files) {
    it(`are told of ${what}`, () => {
      assert.deepEqual(problemsOf(text), [problem])
    })
  }

  it('are not told of a class that is unused because of a mistyped type alone', () => {
    assert.deepEqual(
      problemsOf('classes:\n  A: { properties: { v: Vv } }\n  Vx: { collection: false }').length,
      1,
    )
  })

  it('are told of values nested deeper than a body can be, and of contexts beyond all measure', () => {
    const chain = (length: number, properties: (next: string) => string) =>
      `classes:\n  A: { properties: { v: V0 } }\n${Array.from(
        { length },
        (_, index) =>
          `  V${index}: { collection: false, properties: { ${index + 1 < length ? properties(`V${index + 1}`) : 's: string'} } }\n`,
      ).join('')}`
    const deep = problemsOf(chain(14, (next) => `a: ${next}`))
    assert.equal(deep[0], '2:20 NestedTooDeep(A, 12)')
    const wide = problemsOf(chain(40, (next) => `a: ${next}, b: ${next}, c: ${next}`))
    assert.equal(wide.at(-1), '34:41 TooManyTerms(V31, 10000)')
  })
})
