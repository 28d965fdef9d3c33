import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayProblem } from '../../../src/service/problems/index.ts'
import { findProblems, modelOf, withProperties } from '../../vocabulary/api-files.ts'

const sentencesOf = (text: string): string[] => findProblems(text).map(sayProblem)

/** What people write from habit, what is told of it, and the same as it is right. */
const IN_PROPERTY: readonly (readonly [habit: string, told: RegExp, right: string])[] = [
  ['p: string[]', /write \{ type: string, many: true \}$/, 'p: { type: string, many: true }'],
  ['p: number[]', /write \{ type: decimal, many: true \}$/, 'p: { type: decimal, many: true }'],
  ['p: Array<Book>', /write \{ type: Book, many: true \}$/, 'p: { type: Book, many: true }'],
  ['p: [string]', /\{ type: string, many: true \}$/, 'p: { type: string, many: true }'],
  ['p: { type: array, items: string }', /"many: true"/, 'p: { type: string, many: true }'],
  ['p: { type: [string, "null"] }', /one type; .*"many: true"/, 'p: string'],
  ['p: { type: string, readOnly: true }', /write "writable: false"$/, 'p: { type: string, writable: false }'],
  [
    'p: { type: decimal, computed: a * b }',
    /values are computed in a hook \(docs\/library\.md\); "writable: false" keeps clients from writing them$/,
    'p: { type: decimal, writable: false }',
  ],
  ['p: { type: integer, max: 5 }', /write "maximum" for numbers/, 'p: { type: integer, maximum: 5 }'],
  ['p: { type: string, min: 5 }', /"minLength" for texts$/, 'p: { type: string, minLength: 5 }'],
  ['p: email', /write \{ type: string, pattern: "\^/, 'p: { type: string, pattern: "^[^@ ]+@[^@ ]+$" }'],
  [
    'p: { type: string, format: email }',
    /a pattern: \{ type: string, pattern/,
    'p: { type: string, pattern: "^[^@ ]+@[^@ ]+$" }',
  ],
  ['p: ref', /has the name of a class as its type/, 'p: Book'],
  ['p: { ref: Book }', /has the name of a class as its type/, 'p: Book'],
  ['p: { type: string, nullable: true }', /leave it out: a member may lack/, 'p: string'],
  ['p: string?', /write string; a member may lack/, 'p: string'],
  ['p: string required', /write \{ type: string, required: true \}/, 'p: { type: string, required: true }'],
  ['p: Book, required', /write \{ type: Book, required: true \}$/, 'p: { type: Book, required: true }'],
  ['p: string, unique', /write \{ type: string, unique: true \}$/, 'p: { type: string, unique: true }'],
  ['p: Book,many', /write \{ type: Book, many: true \}$/, 'p: { type: Book, many: true }'],
  ['p: str multiline', /write \{ type: string, multiline: true \}$/, 'p: { type: string, multiline: true }'],
  [
    'p: number, Required, unique',
    /write \{ type: decimal, required: true, unique: true \}$/,
    'p: { type: decimal, required: true, unique: true }',
  ],
  ['p: Book(required)', /write \{ type: Book, required: true \}/, 'p: { type: Book, required: true }'],
  ['p: { types: string, type: string }', /did you mean "type"\?$/, 'p: string'],
  ['p: {type:string}', /no space after the colon of "type"; write "type: string"$/, 'p: {type: string}'],
  ['p: string!', /write \{ type: string, required: true \}/, 'p: { type: string, required: true }'],
  ['p: text', /write \{ type: string, multiline: true \}/, 'p: { type: string, multiline: true }'],
  ['p: varchar(200)', /write \{ type: string, maxLength: 200 \}/, 'p: { type: string, maxLength: 200 }'],
  ['p: "decimal(10, 2)"', /write \{ type: decimal, scale: 2 \}/, 'p: { type: decimal, scale: 2 }'],
  ['p: { type: decimal, precision: 10 }', /write "scale": the most/, 'p: { type: decimal, scale: 2 }'],
  ['p: { type: decimal, multipleOf: 0.01 }', /"scale" for the digits/, 'p: { type: decimal, scale: 2 }'],
  ['p: { type: Book, onDelete: cascade }', /write "delete"$/, 'p: { type: Book, onDelete: delete }'],
  ['p: { type: Book, onDelete: set_null }', /write "unset"$/, 'p: { type: Book, onDelete: unset }'],
  ['p: { type: Book, onDelete: no action }', /write "refuse"$/, 'p: { type: Book, onDelete: refuse }'],
  ...['inverse', 'inversedBy', 'backref', 'related_name', 'mappedBy'].map(
    (word) =>
      [
        `p: { type: Book, ${word}: books }`,
        /write "reverse" at the link/,
        'p: { type: Book, reverse: books }',
      ] as const,
  ),
  ['p: { type: dateTime, auto_now: true }', /write "always: now"$/, 'p: { type: dateTime, always: now }'],
  ['p: { type: dateTime, always: true }', /write "always: now"$/, 'p: { type: dateTime, always: now }'],
  ['p: { type: integer, always: now }', /write "always: user"$/, 'p: { type: integer, always: user }'],
  ['p: User', /write Account/, 'p: Account'],
  ['p: file', /write anyURI, for the address/, 'p: anyURI'],
  ['p: { type: Image }', /write anyURI, for the address/, 'p: anyURI'],
  ['p: smallint', /did you mean "integer"/, 'p: integer'],
  ['p: password', /\{ type: string, view: owner \}$/, 'p: string'],
  ['p: { type: Book, ondelete: unset }', /write "onDelete": refuse/, 'p: { type: Book, onDelete: unset }'],
  ['p: { type: Book, onDelete: CASCADE }', /write "delete"$/, 'p: { type: Book, onDelete: delete }'],
  ['p: { type: string, allow_null: true }', /leave it out: a member may lack/, 'p: string'],
  [
    'p: { type: string, pattern: ^\\d{4}$ }',
    /put the pattern in single quotes$/,
    "p: { type: string, pattern: '^\\d{4}$' }",
  ],
  [
    'p: { type: string, pattern: "^\\d{4}$" }',
    /put the pattern in single quotes$/,
    "p: { type: string, pattern: '^\\d{4}$' }",
  ],
  ['p: number', /did you mean "decimal"/, 'p: decimal'],
  ['p: object', /one with "collection: false"/, 'p: Book'],
  ['p: { type: enum, values: [a] }', /write \{ type: string, enum: /, 'p: { type: string, enum: [a] }'],
  ['p: uuid', /every member has an id in its address/, 'p: { type: string, unique: true }'],
  ['p: { type: string, label: Name }', /write "title"/, 'p: { type: string, title: Name }'],
  ['p: { type: dateTime, default: now() }', /write "default: now"$/, 'p: { type: dateTime, default: now }'],
  ['p: { type: string, default: null }', /leave it out$/, 'p: string'],
  ['p: { type: date, defaultValue: now }', /write "default"/, 'p: { type: date, default: now }'],
]

test('what people write in a property from habit is answered with what to write instead', () => {
  for (const [habit, told, right] of IN_PROPERTY) {
    const problems = sentencesOf(withProperties(habit))
    assert.ok(
      problems.some((problem) => told.test(problem)),
      `${habit}\n${problems.join('\n')}`,
    )
    assert.equal(modelOf(withProperties(right)).classes[0]?.properties[0]?.name, 'p')
  }
})

const IN_FILE: readonly (readonly [habit: string, told: RegExp])[] = [
  ['classes: { A: { required: [b], properties: { b: string } } }', /write "required: true" at each property/],
  ['classes: { A: { fields: { b: string } } }', /write "properties"$/],
  ['classes: { A: { name: Book } }', /write "title", .* a property called so belongs under "properties"$/],
  ['classes: { A: { path: as } }', /write "collection"$/],
  ['classes: { A: { type: object } }', /leave it out: a class is always an object/],
  ['classes: { A: { operations: [GET] } }', /write "read" for a member, and "list" for the collection/],
  ['classes: { A: { operations: [patch] } }', /write "update"$/],
  ['classes: { A: { timestamps: true } }', /changedAt: \{ type: dateTime, always: now \}/],
  ['classes: { A: { softDelete: true } }', /write "history: true"$/],
  ['schemas: { A: }', /write "classes"$/],
  ['openapi: 3.1.0\npaths: {}', /this is an OpenAPI document; .*: hydrant init my-api --from <this file>$/],
  ['access: { view: all }\nclasses: { A: }', /did you mean "everyone"\?$/],
  ['access: { view: Public }\nclasses: { A: }', /did you mean "anyone"\?$/],
  ['access: { update: creator }\nclasses: { A: }', /did you mean "owner"\?$/],
  ['roles: [author]\naccess: { write: athor }\nclasses: { A: }', /did you mean "author"\?$/],
  ['access: { write: author }\nclasses: { A: }', /declare it in "roles"/],
  ['port: 80\nclasses: { A: }', /that is a setting/],
]

test('so is what people write in a class, and in the file', () => {
  for (const [habit, told] of IN_FILE) assert.match(sentencesOf(habit).join('\n'), told, habit)
})
