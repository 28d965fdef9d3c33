import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountFormClass, isAccountClass } from '../../../../console/shared/connection/accounts.ts'
import { cls, property } from '../../descriptions.ts'

const ACCOUNT = cls(
  'Account',
  property('userId', 'positiveInteger'),
  property('name', 'string'),
  property('paraphrase', 'string'),
)

test('a form gives the number of an account once, and not the own paraphrase', () => {
  const fields = (purpose: Parameters<typeof accountFormClass>[1]) =>
    accountFormClass(ACCOUNT, purpose)
      .properties.filter(({ writable }) => writable)
      .map(({ name }) => name)
  assert.deepEqual(fields('new'), ['userId', 'name', 'paraphrase'])
  assert.deepEqual(fields('other'), ['name', 'paraphrase'])
  assert.deepEqual(fields('own'), ['name'])
})

test('only a server with our feed has our accounts', () => {
  const iri = 'http://api.example/vocab'
  const documentation = { iri, title: '', description: '', classes: [ACCOUNT], links: [] }
  const events = {
    iri: `${iri}#EntryPoint/events`,
    name: 'events',
    description: '',
    operations: [],
    isCollection: false,
    memberClass: undefined,
    range: `${iri}#events`,
  }
  assert.equal(isAccountClass({ documentation }, ACCOUNT), false)
  const ours = { documentation: { ...documentation, links: [events] } }
  assert.equal(isAccountClass(ours, ACCOUNT), true)
  assert.equal(isAccountClass(ours, cls('Book')), false)
  assert.equal(isAccountClass(ours, undefined), false)
})
