import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { violationSentence } from '../../src/api/problems/values.ts'
import { compileValidator } from '../../src/vocabulary/validation.ts'
import { classIn, modelOf } from './api-files.ts'

function validatorOf(properties: string) {
  const value = 'Value: { collection: false, operations: [read], properties: { s: string } }'
  return compileValidator(
    classIn(modelOf(`classes: { Thing: { properties: { ${properties} } }, ${value} }`), 'Thing'),
  )
}

describe('the validator', () => {
  const cases: [declared: string, value: unknown, message: string | undefined][] = [
    ['{ type: string, required: true }', undefined, 'is required.'],
    [
      '{ type: string, required: true }',
      '',
      'is required: it must have a character that is not white space.',
    ],
    [
      '{ type: string, required: true }',
      ' \u00a0\t',
      'is required: it must have a character that is not white space.',
    ],
    ['{ type: string, required: true }', ' a', undefined],
    ['string', '', undefined],
    ['{ type: decimal, scale: 2 }', '12.50', undefined],
    ['{ type: decimal, scale: 2 }', '12.5000', undefined],
    ['{ type: decimal, scale: 2 }', '12.505', 'must have at most 2 digits after the point.'],
    ['{ type: decimal, scale: 0 }', '12.0', undefined],
    ['{ type: decimal, scale: 0 }', '12.01', 'must have no digits after the point.'],
    ['{ type: string, required: true, many: true }', [], 'is required.'],
    ['string', undefined, undefined],
    ['string', 5, 'must be a string.'],
    ['{ type: string, minLength: 2 }', 'a', 'must have at least 2 characters.'],
    ['{ type: string, minLength: 2 }', '😀', 'must have at least 2 characters.'],
    ['{ type: string, maxLength: 1 }', '😀', undefined],
    ['{ type: string, maxLength: 1 }', 'ab', 'must have at most 1 character.'],
    ['{ type: string, pattern: "^[0-9X-]+$" }', '978-0', undefined],
    ['{ type: string, pattern: "^[0-9X-]+$" }', 'abc', 'must match the pattern "^[0-9X-]+$".'],
    ['{ type: string, pattern: "^.$" }', '😀', undefined],
    // Would take longer than anyone lives in an engine that goes back.
    ['{ type: string, pattern: "^(a+)+$" }', `${'a'.repeat(60)}!`, 'must match the pattern "^(a+)+$".'],
    ['{ type: string, maxLength: 20, pattern: "^a+$" }', 'ab', 'must match the pattern "^a+$".'],
    ['{ type: string, enum: [a, b] }', 'b', undefined],
    ['{ type: string, enum: [a, b] }', 'c', 'must be one of "a", "b".'],
    ['{ type: integer, minimum: 1 }', 1, undefined],
    ['{ type: integer, minimum: 1 }', 0, 'must be at least 1.'],
    ['{ type: double, maximum: 1.5 }', 1.6, 'must be at most 1.5.'],
    ['{ type: integer, enum: [1, 2] }', 3, 'must be one of 1, 2.'],
    ['{ type: decimal, minimum: 0.1 }', '0.10', undefined],
    ['{ type: decimal, minimum: 0.1 }', '.1', undefined],
    ['{ type: decimal, minimum: 0.1 }', '0.09999999999999999999999', 'must be at least 0.1.'],
    ['{ type: decimal, minimum: 9 }', '10', undefined],
    ['{ type: decimal, maximum: 9 }', '9.00000000000000000000001', 'must be at most 9.'],
    ['{ type: decimal, maximum: -1 }', '-0.5', 'must be at most -1.'],
    ['{ type: decimal, enum: [12.50] }', '12.5', undefined],
    ['{ type: decimal, enum: [12.50] }', '12.51', 'must be one of "12.50".'],
    ['{ type: dateTime, enum: ["2024-01-01T00:00:00Z"] }', '2024-01-01T01:00:00+01:00', undefined],
    ['Thing', '/things/1', undefined],
    ['{ type: string, many: true }', Array(1000).fill('a'), undefined],
    ['{ type: string, many: true }', Array(1001).fill('a'), 'must have at most 1000 values.'],
    ['{ type: Thing, many: true }', Array(1001).fill('a'), 'must have at most 1000 values.'],
    ['boolean', true, undefined],
    ['langString', { en: 'a' }, undefined],
    ['langString', 'a', 'must be an object.'],
    ['{ type: langString, required: true }', undefined, 'is required.'],
    ['Value', { s: 'a' }, undefined],
    ['Value', 'a', 'must be an object.'],
    ['{ type: Value, many: true }', [{}, {}], undefined],
    ['{ type: Value, many: true }', {}, 'must be a list.'],
    ['{ type: Value, required: true, many: true }', [], 'is required.'],
  ]
  for (const [declared, value, message] of cases) {
    const shown = JSON.stringify(value)?.slice(0, 40)
    it(`${message === undefined ? 'takes' : 'refuses'} ${shown} as ${declared}`, () => {
      const violations = validatorOf(`p: ${declared}`)(value === undefined ? {} : { p: value })
      assert.deepEqual(
        violations.map((one) => `${one.at.property} ${violationSentence(one)}`),
        message === undefined ? [] : [`p ${message}`],
      )
    })
  }

  it('names the place among many values', () => {
    const validate = validatorOf('genres: { type: string, many: true, maxLength: 3 }')
    assert.deepEqual(validate({ genres: ['a', 'b', 'long'] }), [
      { code: 'TooLong', at: { property: 'genres/2' }, values: { maxLength: 3 } },
    ])
  })

  it('finds all violations, in the order of the properties', () => {
    const validate = validatorOf(
      'a: { type: string, required: true }, b: { type: string, minLength: 3, pattern: x }',
    )
    assert.deepEqual(
      validate({ b: 'y' }).map(({ at, code }) => `${at.property}: ${code}`),
      ['a: RequiredValue', 'b: TooShort', 'b: PatternMismatch'],
    )
  })

  it('takes names of Object.prototype for ordinary names', () => {
    const validate = validatorOf(
      'valueOf: { type: string, required: true }, constructor: { type: string, required: true }, toString: integer',
    )
    assert.equal(validate({}).length, 2)
    assert.deepEqual(validate({ valueOf: 'a', constructor: 'b', toString: 1 }), [])
  })
})
