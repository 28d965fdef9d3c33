import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datatypeProblem } from '../../src/conform/values.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema#'
const LANG = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'

test('a value is of its range, says another datatype, or says none', () => {
  for (const [value, datatype, range, problem] of [
    ['a', undefined, `${XSD}string`, undefined],
    ['2026-01-01', `${XSD}date`, `${XSD}date`, undefined],
    ['2026-01-01', undefined, `${XSD}date`, 'none'],
    ['2026-01-01', `${XSD}dateTime`, `${XSD}date`, 'other'],
    [3, undefined, `${XSD}integer`, undefined],
    [3, undefined, `${XSD}decimal`, undefined],
    [3, undefined, `${XSD}string`, 'other'],
    [3.5, undefined, `${XSD}integer`, 'other'],
    [3.5, undefined, `${XSD}double`, undefined],
    ['3', `${XSD}positiveInteger`, `${XSD}integer`, undefined],
    ['9.99', `${XSD}decimal`, `${XSD}integer`, 'other'],
    [true, undefined, `${XSD}boolean`, undefined],
    [true, undefined, `${XSD}integer`, 'other'],
    ['a', undefined, LANG, 'none'],
    ['a', undefined, 'http://api.test/vocab#Colour', undefined],
  ] as const)
    assert.equal(
      datatypeProblem({ value, datatype, language: undefined }, range),
      problem,
      `${value} ${range}`,
    )
  assert.equal(datatypeProblem({ value: 'a', datatype: undefined, language: 'en' }, LANG), undefined)
  assert.equal(datatypeProblem({ value: 'a', datatype: undefined, language: 'en' }, `${XSD}date`), 'other')
})
