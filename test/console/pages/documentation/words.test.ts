import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PropertyConstraints } from 'hydrant-client'
import { isMany, rulesOf, typeInWords } from '../../../../console/pages/documentation/words.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema#'

test('types are described in words', () => {
  const table: readonly (readonly [string | undefined, boolean, string])[] = [
    [`${XSD}string`, false, 'text'],
    [`${XSD}integer`, false, 'whole number'],
    [`${XSD}boolean`, false, 'yes or no'],
    [`${XSD}dateTime`, false, 'date and time'],
    [`${XSD}hexBinary`, false, 'hexBinary'],
    ['http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', false, 'text by language'],
    ['http://schema.org/Person', true, 'link to Person'],
    [undefined, true, 'link'],
    [undefined, false, 'anything'],
  ]
  for (const [range, isLink, words] of table) assert.equal(typeInWords({ range, isLink }, []), words)
  assert.equal(isMany({ many: true, range: `${XSD}string` }), true)
  assert.equal(isMany({ many: true, range: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' }), false)
})

test('constraints are described in words', () => {
  const table: readonly (readonly [PropertyConstraints, string])[] = [
    [{}, ''],
    [{ minLength: 1, maxLength: 200 }, '1 to 200 characters'],
    [{ maxLength: 1 }, 'at most 1 character'],
    [{ minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
    [{ minimum: 0 }, 'at least 0'],
    [{ minimum: 0, maximum: 5 }, '0 to 5'],
    [{ pattern: '^a+$' }, 'matches ^a+$'],
    [{ values: ['a', 2] }, 'one of a 2'],
    [{ default: false }, 'default false'],
    [{ unique: true, maxLength: 1 }, 'unique; at most 1 character'],
    [{ maximum: 9, default: 'x' }, 'at most 9; default x'],
    [{ scale: 2 }, 'at most 2 digits after the point'],
  ]
  const said = (described: Parameters<typeof rulesOf>[0]): string =>
    rulesOf(described)
      .map(({ text, codes = [] }) => [text, ...codes].join(' '))
      .join('; ')
  for (const [constraints, words] of table) assert.equal(said({ constraints }), words)
  const priced = { constraints: {}, unit: 'EUR', example: '85.00', onDelete: 'unset' } as const
  assert.equal(said(priced), 'in EUR; for example 85.00; taken out when the linked member is deleted')
  assert.equal(
    said({ constraints: {}, writable: false, always: 'now' }),
    'read-only; set to the time at every write',
  )
})
