import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeModel, writeTypes } from '../../src/types/index.ts'
import { modelOf } from '../support/service.ts'

const typesOf = (property: string): string =>
  writeTypes(describeModel(modelOf(`classes: { A: { properties: { p: { ${property} } } } }`)))

test('a text that has one length is described by that length', () => {
  assert.match(typesOf('type: string, minLength: 2, maxLength: 2'), /\bExactly 2 characters/)
  assert.match(typesOf('type: string, minLength: 1, maxLength: 2'), /\bAt least 1 .*; at most 2 /)
})

test('a link from the other side is read-only, and what nobody sends; with access rules it may be missing', () => {
  const linked = (roles: string) =>
    writeTypes(
      describeModel(modelOf(`${roles}classes: { A: { properties: { p: { type: A, reverse: q } } } }`)),
    )
  assert.match(linked(''), /^ {2}readonly q: Reverse<A>$/m)
  assert.match(linked('roles: [editor]\n'), /^ {2}readonly q\?: Reverse<A>$/m)
  const [, input] = /^export interface AInput \{\n([^}]*)\}$/m.exec(linked('')) ?? []
  assert.equal(input, '  p?: Link<A>\n')
})
