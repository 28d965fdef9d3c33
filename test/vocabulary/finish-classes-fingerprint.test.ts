import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { modelOf, withProperties } from './api-files.ts'

describe('the fingerprint of a class', () => {
  const fingerprint = (text: string) => modelOf(text).classes[0]?.fingerprint ?? assert.fail()
  const original = fingerprint(withProperties('a: string', 'b: integer'))

  it('is a number of at most 48 bits', () => {
    assert.ok(Number.isSafeInteger(original) && original >= 0 && original < 2 ** 48)
  })

  it('stays where the stored text stays', () => {
    assert.equal(
      fingerprint(withProperties('a: { type: string, required: true, title: A }', 'b: integer')),
      original,
    )
    const linked = (keys: string) => fingerprint(withProperties(`a: { type: Book${keys} }`))
    assert.equal(linked(', reverse: books'), linked(''))
  })

  const changes: [what: string, ...lines: string[]][] = [
    ['order', 'b: integer', 'a: string'],
    ['type', 'a: string', 'b: decimal'],
    ['number of values', 'a: { type: string, many: true }', 'b: integer'],
    ['properties', 'a: string'],
    ['range', 'a: Book', 'b: integer'],
    ['unique values', 'a: { type: string, unique: true }', 'b: integer'],
    ['keys', 'a: { type: string, filterable: false }', 'b: integer'],
    ['former names', 'a: { type: string, was: c }', 'b: integer'],
  ]
  for (const [what, ...lines] of changes) {
    it(`changes with the ${what}`, () => assert.notEqual(fingerprint(withProperties(...lines)), original))
  }

  it('changes with the collection of a link', () => {
    const linked = (collection: string) =>
      `${withProperties('a: Other')}  Other: { collection: ${collection} }`
    assert.notEqual(fingerprint(linked('x')), fingerprint(linked('y')))
  })

  it('changes with an embedded value, however deep', () => {
    const embedding = (street: string) =>
      `${withProperties('a: Address')}  Address: { collection: false, properties: { street: Street } }
  Street: { collection: false, properties: { name: ${street} } }`
    assert.notEqual(fingerprint(embedding('string')), fingerprint(embedding('integer')))
    assert.equal(fingerprint(embedding('string')), fingerprint(embedding('{ type: string, required: true }')))
  })

  it('changes with the name of the class', () => {
    const named = (name: string) => fingerprint(`classes: { ${name}: { properties: { a: string } } }`)
    assert.notEqual(named('A'), named('B'))
  })
})
