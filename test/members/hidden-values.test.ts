import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHiddenLinkIds } from '../../src/members/index.ts'

test('hidden links get other ids, at any depth, and everything else stays', () => {
  const link = (id: string) => ({ '@id': `/accounts/${id}`, '@type': 'Account' })
  const hidden = (id: string) =>
    JSON.stringify({
      chief: link(id),
      text: '/accounts/3',
      steps: [{ helper: link('4') }, { helpers: [link(id), { '@id': '/accounts/3' }] }],
      '@filled': ['text'],
    })
  const named: string[] = []
  const changed = withHiddenLinkIds(hidden('3'), ({ className, id }) => {
    named.push(`${className} ${id}`)
    return id === '3' ? 'removed-3' : id
  })
  assert.equal(changed, hidden('removed-3'))
  assert.deepEqual(named, ['Account 3', 'Account 4', 'Account 3'])
})
