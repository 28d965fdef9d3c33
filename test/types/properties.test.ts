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
