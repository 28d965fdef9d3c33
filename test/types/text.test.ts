import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeModel, writeTypes } from '../../src/types/index.ts'
import { comment, quoted, typeNameOf } from '../../src/types/text.ts'
import type { Model } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { CHOICES, EMBEDDED } from './api-files.ts'

/** What somebody might try, mixed with anything else. */
const TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '*/',
        '/*',
        '/**',
        '//',
        "'",
        '\\',
        '`',
        '${',
        '}',
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        '@',
        '*',
      ),
      fc.constantFrom('\u200b', '\u202e', '\ud800', ' ', 'export const a = 1'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** The code without its quoted and its commented text, as a compiler would cut it. */
const skeleton = (types: string): string =>
  types
    .replaceAll(
      /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n\r]|\\[^\n\r\u2028\u2029])*'/g,
      (text) => (text.startsWith('/') ? '' : "''"),
    )
    .split(/\s+/)
    .join(' ')

function retold(model: Model, title: string, text: string): Model {
  const classes = model.classes.map((cls) => ({
    ...cls,
    title: text,
    description: text,
    properties: cls.properties.map((property) => ({
      ...property,
      title: text,
      description: text,
      constraints: {
        ...property.constraints,
        pattern: text,
        ...(property.constraints.enum?.some((value) => typeof value === 'string') && { enum: [text] }),
      },
    })),
  }))
  return { title, description: text, classes }
}

test('whatever the texts of an API file are, its types are the same code', () => {
  for (const model of [CHOICES, EMBEDDED].map((api) => modelOf(api))) {
    const write = (title: string, text: string) => writeTypes(describeModel(retold(model, title, text)))
    const expected = skeleton(write('Same', 'x'))
    fc.assert(
      fc.property(TEXT, (text) => {
        assert.equal(skeleton(write('Same', text)), expected)
      }),
      { numRuns: inSoak(500, 80) },
    )
  }
})

test('whatever the title is, the API gets a name, and the code is otherwise the same', () => {
  const model = modelOf(CHOICES)
  const write = (title: string) => writeTypes(describeModel(retold(model, title, 'x')))
  const expected = skeleton(write('Same')).replace(/interface Same \{/, 'interface Api {')
  fc.assert(
    fc.property(TEXT, (title) => {
      const found = skeleton(write(title))
      assert.equal(found.replace(/interface [\p{L}\p{Nd}]+ \{(?= choices:)/u, 'interface Api {'), expected)
    }),
    { numRuns: inSoak(500, 80) },
  )
})

test('a quoted text is the same text to JavaScript, and has nothing in it that cannot be seen', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      assert.equal(new Function(`return ${quoted(text)}`)(), text)
      assert.doesNotMatch(quoted(text), /[\p{C}\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: inSoak(1_000, 150) },
  )
})

test('a title becomes the name of a type', () => {
  const rows: readonly (readonly [title: string, name: string | undefined])[] = [
    ['Library', 'Library'],
    ['my books & more', 'MyBooksMore'],
    ['snake_case-title', 'SnakeCaseTitle'],
    ['2048 (the game)', 'Api2048TheGame'],
    ['Bücher', 'Bücher'],
    ['図書館', '図書館'],
    ['u\u0308ber uns', 'ÜberUns'],
    ['\u1fb6 one', '\u1fb6One'],
    ['🚀', undefined],
    ['', undefined],
  ]
  for (const [title, name] of rows) assert.equal(typeNameOf(title), name, title)
})

test('a comment has one line or as many as its text, and none without one', () => {
  assert.deepEqual(comment(''), [])
  assert.deepEqual(comment(' \n\u200b'), [])
  assert.deepEqual(comment('One line'), ['/** One line */'])
  assert.deepEqual(comment('One\r\n\r\n  @two\u2028*/', '  '), [
    '  /**',
    '   * One',
    '   * \\@two',
    '   * *\\/',
    '   */',
  ])
})
