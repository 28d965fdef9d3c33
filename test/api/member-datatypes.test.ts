import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATATYPE_NAMES } from '../../src/vocabulary/index.ts'
import { AS_PROBLEM, codesOf } from './signed-in.ts'
import { serveWriter, valuesOf } from './writing.ts'

/** Of each datatype: JSON text that is accepted with how it reads back, and JSON text that is not. */
const VALUES: Record<string, { good: [sent: string, read: string][]; bad: string[] }> = {
  string: {
    good: [
      ['"a"', '"a"'],
      ['""', '""'],
      ['"\\u00fc\\ud83d\\udcda\\n"', '"ü📚\\n"'],
    ],
    bad: ['1', 'true', '{}', '"\\u0000"', '"\\ud800"'],
  },
  boolean: {
    good: [
      ['true', 'true'],
      ['false', 'false'],
    ],
    bad: ['1', '"true"'],
  },
  integer: {
    good: [
      ['-12', '-12'],
      ['1e3', '1000'],
      ['2.0', '2'],
      ['9007199254740991', '9007199254740991'],
      ['-0', '0'],
    ],
    bad: ['1.5', '"1"', '9007199254740992', '1e99'],
  },
  nonNegativeInteger: {
    good: [
      ['0', '0'],
      ['7', '7'],
    ],
    bad: ['-1', '0.5'],
  },
  positiveInteger: { good: [['1', '1']], bad: ['0', '-1'] },
  decimal: {
    good: [
      ['"12.50"', '"12.50"'],
      ['12.50', '"12.50"'],
      ['-0.0', '"-0.0"'],
      ['1e2', '"100"'],
      ['"+.5"', '"+.5"'],
    ],
    bad: ['"1e2"', '"x"', 'true', '""'],
  },
  double: {
    good: [
      ['1.5', '1.5'],
      ['1e300', '1e+300'],
      ['-0.0', '0'],
      ['5e-324', '5e-324'],
    ],
    bad: ['1e309', '0.12345678901234567890', '"1.5"'],
  },
  float: {
    good: [
      ['0.5', '0.5'],
      ['3.4e38', '3.4e+38'],
    ],
    bad: ['3.5e38'],
  },
  date: { good: [['"2024-02-29"', '"2024-02-29"']], bad: ['"2023-02-29"', '"2024-2-9"', '20240229'] },
  dateTime: {
    good: [
      ['"2024-02-29T12:30:00Z"', '"2024-02-29T12:30:00Z"'],
      ['"2024-02-29T12:30:00.120+02:00"', '"2024-02-29T12:30:00.120+02:00"'],
    ],
    bad: ['"2024-02-29T12:30:00"', '"2024-02-29"', '0'],
  },
  time: {
    good: [
      ['"12:30:00"', '"12:30:00"'],
      ['"12:30:00.5Z"', '"12:30:00.5Z"'],
    ],
    bad: ['"25:00:00"', '"12:30"'],
  },
  duration: { good: [['"P1Y2M10DT2H30M"', '"P1Y2M10DT2H30M"']], bad: ['"1 day"', '"P"'] },
  anyURI: {
    good: [
      ['"https://example.org/ü?a=b#c"', '"https://example.org/ü?a=b#c"'],
      ['"urn:isbn:1"', '"urn:isbn:1"'],
    ],
    bad: ['"about"', '"http://a b"', '1'],
  },
  langString: {
    good: [
      ['{"en": "Hello", "de": "Hallo"}', '{"en": "Hello", "de": "Hallo"}'],
      ['{"EN-gb": "x"}', '{"en-GB": "x"}'],
      ['{"en": ["x"], "de": null}', '{"en": "x"}'],
    ],
    bad: [
      '"Hello"',
      '{}',
      '{"en": 1}',
      '{"": "x"}',
      '{"e n": "x"}',
      '{"en": "a", "EN": "b"}',
      '{"@none": "x"}',
      '{"en": ["a", "b"]}',
    ],
  },
}

// contract: Datatypes: string, boolean, integer
test('a value of every datatype is stored and read back, alone, as one of many, and after PUT and PATCH', async (t) => {
  assert.deepEqual(Object.keys(VALUES).sort(), DATATYPE_NAMES.toSorted())
  const lists = DATATYPE_NAMES.filter((name) => name !== 'langString')
  const api = `
classes:
  Thing:
    properties:
${DATATYPE_NAMES.map((name) => `      ${name}: ${name}`).join('\n')}
${lists.map((name) => `      ${name}s: { type: ${name}, many: true }`).join('\n')}
`
  const { post, put, patch, get, addAt, values, base } = await serveWriter(t, { api })
  const changed = await addAt('/things', {})
  for (const [name, { good, bad }] of Object.entries(VALUES)) {
    for (const [sent, read] of good) {
      const expected = { [name]: JSON.parse(read) }
      const created = await post('/things', `{"${name}": ${sent}}`)
      assert.equal(created.status, 201, `${name} ${sent} ${created.body}`)
      assert.deepEqual(valuesOf(created), expected, `${name} ${sent}`)
      assert.equal((await get(String(created.headers.location).slice(base.length))).body, created.body)
      assert.deepEqual(valuesOf(await put(changed, `{"${name}": ${sent}}`)), expected, `${name} ${sent}`)
      await put(changed, {})
      assert.deepEqual(valuesOf(await patch(changed, `{"${name}": ${sent}}`)), expected, `${name} ${sent}`)
    }
    for (const sent of bad) {
      for (const response of [
        await post('/things', `{"${name}": ${sent}}`, AS_PROBLEM),
        await put(changed, `{"${name}": ${sent}}`, AS_PROBLEM),
      ]) {
        assert.equal(response.status, 422, `${name} ${sent}`)
        assert.match(codesOf(response), new RegExp(`^${name}: \\w+$`))
      }
    }
  }
  for (const name of lists) {
    const { good, bad } = VALUES[name] as (typeof VALUES)[string]
    const all = valuesOf(await post('/things', `{"${name}s": [${good.map(([sent]) => sent).join()}]}`))
    assert.deepEqual(all, { [`${name}s`]: good.map(([, read]) => JSON.parse(read)) }, name)
    const refused = await post('/things', `{"${name}s": [${good[0]?.[0]}, ${bad[0]}]}`, AS_PROBLEM)
    assert.equal(refused.status, 422)
    assert.match(codesOf(refused), new RegExp(`^${name}s/1: \\w+$`))
  }
  assert.equal(Object.keys(await values(changed)).length, 1)
})

/** A property with one constraint, JSON text on either side of it, and the code. */
const CONSTRAINTS: [property: string, good: string[], bad: string[], codes: string][] = [
  ['{ type: string, required: true }', ['"a"', '""'], ['null', '[]'], 'p: RequiredValue'],
  ['{ type: string, minLength: 2 }', ['"ab"', '"📚📚"'], ['"a"', '"📚"'], 'p: TooShort'],
  ['{ type: string, maxLength: 2 }', ['"ab"', '"📚📚"'], ['"abc"'], 'p: TooLong'],
  ['{ type: string, pattern: "^[0-9X-]+$" }', ['"1-X"'], ['"abc"', '""'], 'p: PatternMismatch'],
  ['{ type: integer, minimum: 1 }', ['1'], ['0', '-5'], 'p: BelowMinimum'],
  ['{ type: integer, maximum: 9 }', ['9'], ['10'], 'p: AboveMaximum'],
  ['{ type: decimal, minimum: 0.5 }', ['0.5', '"0.50"'], ['0.49', '"-1"'], 'p: BelowMinimum'],
  ['{ type: double, maximum: 1.5 }', ['1.5'], ['1.6'], 'p: AboveMaximum'],
  ['{ type: string, enum: [a, b] }', ['"a"'], ['"c"', '"A"'], 'p: NotInEnum'],
  ['{ type: decimal, enum: ["12.5"] }', ['12.50', '"12.5"'], ['12.51'], 'p: NotInEnum'],
  ['{ type: string, many: true, maxLength: 1 }', ['["a", "b"]'], ['["a", "bc"]'], 'p/1: TooLong'],
  ['{ type: string, many: true, required: true }', ['["a"]'], ['[]', 'null'], 'p: RequiredValue'],
]

// contract: ```yaml title: Library
test('every constraint holds for POST, PUT and PATCH', async (t) => {
  const classes = CONSTRAINTS.map(
    ([property], row) =>
      `  Thing${row}:\n    collection: things${row}\n    properties:\n      p: ${property}\n`,
  )
  const writer = await serveWriter(t, { api: `classes:\n${classes.join('')}` })
  for (const [row, [property, good, bad, codes]] of CONSTRAINTS.entries()) {
    const path = await writer.addAt(`/things${row}`, JSON.parse(`{"p": ${good[0]}}`))
    const writes = [
      (body: string) => writer.post(`/things${row}`, body, AS_PROBLEM),
      (body: string) => writer.put(path, body, AS_PROBLEM),
      (body: string) => writer.patch(path, body, AS_PROBLEM),
    ]
    for (const write of writes) {
      for (const sent of good) assert.ok((await write(`{"p": ${sent}}`)).status < 300, `${property} ${sent}`)
      for (const sent of bad) {
        const response = await write(`{"p": ${sent}}`)
        assert.equal(response.status, 422, `${property} ${sent}`)
        assert.equal(codesOf(response), codes, property)
      }
    }
  }
})
