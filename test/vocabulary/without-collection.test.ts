import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyShapes } from '../../src/vocabulary/keys.ts'
import { hasCollection, isSingle, SINGLE_METHODS, storedClasses } from '../../src/vocabulary/model.ts'
import { classIn, modelOf, problemsOf, propertyIn } from './api-files.ts'

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

  it('has no keys, and nor have embedded values, but for their links, and texts by language', () => {
    for (const cls of [settings, address, place])
      assert.deepEqual(cls === undefined ? [0] : keyShapes(cls), [])
    assert.deepEqual(person && keyShapes(person).map(({ property }) => property), [
      'name',
      'address.landlord',
      'former.landlord',
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

  const files: [what: string, text: string, problem: RegExp][] = [
    [
      'one that nothing uses',
      'classes:\n  A:\n  V: { collection: false }',
      /^3:20: V has no collection, is the type of no property and has no operations; give it a collection, .* at \/V; where an operation of a module .* --with$/,
    ],
    [
      'one without any operation that nothing uses',
      'classes:\n  A:\n  V: { collection: false, operations: [] }',
      /has no operations; give it a collection/,
    ],
    [
      'a list where there is none',
      'classes:\n  V: { collection: false, operations: [list, read] }',
      /^2:39: V has no collection, so nothing can be listed; remove "list"/,
    ],
    [
      'two resources on one path',
      'classes:\n  V: { collection: false, operations: [read] }\n  A: { collection: V }',
      /^3:20: A cannot be at \/V, the address of V already; choose another with "collection"/,
    ],
    [
      'two resources on one path, the other way round',
      'classes:\n  A: { collection: V }\n  V: { collection: false, operations: [read] }',
      /^3:3: V cannot be at \/V, the address of A already; choose another name/,
    ],
    [
      'a value within itself',
      'classes:\n  A: { properties: { v: V } }\n  V: { collection: false, properties: { w: V } }',
      /^3:44: V embeds V: a value cannot be within itself; give one of them a collection/,
    ],
    [
      'a value within itself by a detour',
      'classes:\n  A: { properties: { v: V } }\n  V: { collection: false, properties: { w: W } }\n' +
        '  W: { collection: false, properties: { v: { type: V, many: true } } }',
      /^4:52: V embeds W embeds V: a value cannot be within itself/,
    ],
    [
      'unique within a value',
      embedding('s: { type: string, unique: true }'),
      /^6:34: V has no collection in which "s"/,
    ],
    [
      'filterable within a value',
      embedding('s: { type: string, filterable: true }'),
      /^6:38: V has no collection to filter; leave "filterable" of "s" out/,
    ],
    [
      'a unique value',
      using('v: { type: V, unique: true }'),
      /"v" is an embedded value, which cannot be unique/,
    ],
    ['a value as filter', using('v: { type: V, filterable: true }'), /^2:48: .* cannot be filtered by/],
    [
      'the default of a value',
      using('v: { type: V, default: x }'),
      /an embedded value, which has no default/,
    ],
    [
      'a pattern of a value',
      using('v: { type: V, pattern: x }'),
      /fits string and anyURI and not the embedded value V/,
    ],
    ['an enum of a value', using('v: { type: V, enum: [x] }'), /"enum" does not fit the embedded value V/],
    [
      'unique text by language',
      using('v: V, t: { type: langString, unique: true }'),
      /"t" is text by language, which cannot be unique/,
    ],
    [
      'many texts by language',
      using('v: V, t: { type: langString, many: true }'),
      /"t" cannot have many values; remove "many"/,
    ],
    [
      'default text by language',
      using('v: V, t: { type: langString, default: x }'),
      /by language, which has no default/,
    ],
    ['long text by language', using('v: V, t: { type: langString, maxLength: 5 }'), /not langString/],
    ['text by language by another name', using('v: V, t: LangString'), /did you mean "langString"/],
  ]
  for (const [what, text, problem] of files) {
    it(`are told of ${what}`, () => {
      const problems = problemsOf(text)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', problem)
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
    assert.match(deep[0] ?? '', /^2:\d+: A has values within values, more than 12 levels deep/)
    const wide = problemsOf(chain(40, (next) => `a: ${next}, b: ${next}, c: ${next}`))
    assert.match(wide.at(-1) ?? '', /more than 10000 properties/)
  })
})
