import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardinality, shown } from '../../../../../console/pages/documentation/picture/sizes.ts'

test('cardinality is one, optional or many', () => {
  assert.equal(cardinality({ many: false, required: true }), '(one)')
  assert.equal(cardinality({ many: false, required: false }), '(optional)')
  assert.equal(cardinality({ many: true, required: true }), '(many)')
})

test('names of up to 24 letters are shown whole', () => {
  assert.equal(shown('a'.repeat(24), 'name'), 'a'.repeat(24))
  assert.equal(shown('a'.repeat(25), 'name'), `${'a'.repeat(23)}…`)
})
