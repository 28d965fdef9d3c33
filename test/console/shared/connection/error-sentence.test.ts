import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { isForbidden, sentenceOf } from '../../../../console/shared/connection/error-sentence.ts'

test('the sentence about a redirection says what to try, unlike that about any other refusal', () => {
  const refused = (status: number) => new ApiError('refused', 'http://api.test/ said no.', { status })
  for (const status of [301, 302, 308])
    assert.match(sentenceOf(refused(status)), /redirects this address.*slash at the end/)
  for (const status of [200, 400, 403]) assert.equal(sentenceOf(refused(status)), 'http://api.test/ said no.')
})

test('a 403 is a refusal that trying again would not change', () => {
  assert.equal(isForbidden(new ApiError('refused', 'Only an editor may.', { status: 403 })), true)
  assert.equal(isForbidden(new ApiError('not-found', 'There is nothing.', { status: 404 })), false)
})
