import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetUnsaved, holdUnsaved, unsavedPage } from '../../../../console/shared/controls/unsaved.ts'

test('a page has unsaved changes while a form says so, or until the user discards them', () => {
  assert.equal(unsavedPage(), undefined)
  const [one, other] = [holdUnsaved('#/create/books'), holdUnsaved('#/create/books')]
  one()
  one()
  assert.equal(unsavedPage(), '#/create/books')
  other()
  assert.equal(unsavedPage(), undefined)
  const late = holdUnsaved('#/create/books')
  forgetUnsaved()
  late()
  assert.equal(unsavedPage(), undefined)
})
