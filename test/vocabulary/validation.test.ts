import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileValidator } from '../../src/vocabulary/validation.ts'
import { inShort } from '../support/problems.ts'
import { classIn, modelOf } from './api-files.ts'

function validatorOf(properties: string) {
  const value = 'Value: { collection: false, operations: [read], properties: { s: string } }'
  return compileValidator(
    classIn(modelOf(`classes: { Thing: { properties: { ${properties} } }, ${value} }`), 'Thing'),
  )
}

describe('the validator', () => {
  const cases: [declared: string, value: unknown, problem: string | undefined][] = [
    ['{ type: string, required: true }', undefined, 'p RequiredValue'],
    ['{ type: string, required: true }', '', 'p BlankText'],
    ['{ type: string, required: true }', ' \u00a0\t', 'p BlankText'],
    ['{ type: string, required: true }', ' a', undefined],
    ['string', '', undefined],
    ['{ type: decimal, scale: 2 }', '12.50', undefined],
    ['{ type: decimal, scale: 2 }', '12.5000', undefined],
    ['{ type: decimal, scale: 2 }', '12.505', 'p TooFine(2)'],
    ['{ type: decimal, scale: 0 }', '12.0', undefined],
    ['{ type: decimal, scale: 0 }', '12.01', 'p TooFine(0)'],
    ['{ type: string, required: true, many: true }', [], 'p RequiredValue'],
    ['string', undefined, undefined],
    ['string', 5, 'p WrongJsonType(string)'],
    ['{ type: string, minLength: 2 }', 'a', 'p TooShort(2)'],
    ['{ type: string, minLength: 2 }', '😀', 'p TooShort(2)'],
    ['{ type: string, maxLength: 1 }', '😀', undefined],
    ['{ type: string, maxLength: 1 }', 'ab', 'p TooLong(1)'],
    ['{ type: string, pattern: "^[0-9X-]+$" }', '978-0', undefined],
    ['{ type: string, pattern: "^[0-9X-]+$" }', 'abc', 'p PatternMismatch(^[0-9X-]+$)'],
    ['{ type: string, pattern: "^.$" }', '😀', undefined],
    // Would take longer than anyone lives in an engine that goes back.
    ['{ type: string, pattern: "^(a+)+$" }', `${'a'.repeat(60)}!`, 'p PatternMismatch(^(a+)+$)'],
    ['{ type: string, maxLength: 20, pattern: "^a+$" }', 'ab', 'p PatternMismatch(^a+$)'],
    ['{ type: string, enum: [a, b] }', 'b', undefined],
    ['{ type: string, enum: [a, b] }', 'c', 'p NotInEnum(a b, false)'],
    ['{ type: integer, minimum: 1 }', 1, undefined],
    ['{ type: integer, minimum: 1 }', 0, 'p BelowMinimum(1)'],
    ['{ type: double, maximum: 1.5 }', 1.6, 'p AboveMaximum(1.5)'],
    ['{ type: integer, enum: [1, 2] }', 3, 'p NotInEnum(1 2, false)'],
    ['{ type: decimal, minimum: 0.1 }', '0.10', undefined],
    ['{ type: decimal, minimum: 0.1 }', '.1', undefined],
    ['{ type: decimal, minimum: 0.1 }', '0.09999999999999999999999', 'p BelowMinimum(0.1)'],
    ['{ type: decimal, minimum: 9 }', '10', undefined],
    ['{ type: decimal, maximum: 9 }', '9.00000000000000000000001', 'p AboveMaximum(9)'],
    ['{ type: decimal, maximum: -1 }', '-0.5', 'p AboveMaximum(-1)'],
    ['{ type: decimal, enum: [12.50] }', '12.5', undefined],
    ['{ type: decimal, enum: [12.50] }', '12.51', 'p NotInEnum(12.50, false)'],
    ['{ type: dateTime, enum: ["2024-01-01T00:00:00Z"] }', '2024-01-01T01:00:00+01:00', undefined],
    ['Thing', '/things/1', undefined],
    ['{ type: string, many: true }', Array(1000).fill('a'), undefined],
    ['{ type: string, many: true }', Array(1001).fill('a'), 'p TooManyValues(1000)'],
    ['{ type: Thing, many: true }', Array(1001).fill('a'), 'p TooManyValues(1000)'],
    ['boolean', true, undefined],
    ['langString', { en: 'a' }, undefined],
    ['langString', 'a', 'p WrongJsonType(object)'],
    ['{ type: langString, required: true }', undefined, 'p RequiredValue'],
    ['Value', { s: 'a' }, undefined],
    ['Value', 'a', 'p WrongJsonType(object)'],
    ['{ type: Value, many: true }', [{}, {}], undefined],
    ['{ type: Value, many: true }', {}, 'p NotAList'],
    ['{ type: Value, required: true, many: true }', [], 'p RequiredValue'],
  ]
  for (const [declared, value, problem] of cases) {
    const shown = JSON.stringify(value)?.slice(0, 40)
    it(`${problem === undefined ? 'takes' : 'refuses'} ${shown} as ${declared}`, () => {
      const violations = validatorOf(`p: ${declared}`)(value === undefined ? {} : { p: value })
      assert.deepEqual(violations.map(inShort), problem === undefined ? [] : [problem])
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
