import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { serveOffice } from '../api/accounts/office.ts'
import { PARAPHRASE } from '../support/client.ts'

/** The clients of who manages accounts, of who sees them, and of who sees only the own one. */
async function open(t: TestContext) {
  const { base } = await serveOffice(t)
  const clientOf = (id: number | string, paraphrase = PARAPHRASE) =>
    createClient({ base, credentials: { id, paraphrase } })
  const [boss, sue, tom] = [clientOf(31), clientOf(33), clientOf(34)]
  return { clientOf, boss, sue, tom, accounts: await boss.accounts() }
}

test('Who manages accounts adds, finds, changes and removes them', async (t) => {
  const { accounts, clientOf } = await open(t)
  const anna = await accounts.create({ name: 'anna@studio.example', roles: ['staff'] })
  const { userId, paraphrase = '' } = anna.data
  assert.equal(paraphrase.split(' ').length, 5)
  assert.equal((await accounts.get(`${userId}`)).data.paraphrase, undefined)
  assert.equal((await clientOf('anna@studio.example', paraphrase).account()).data.userId, userId)

  const names = async (query: Parameters<typeof accounts.page>[0]) =>
    (await accounts.page(query)).members.map(({ data }) => data.userId)
  assert.deepEqual(await names({ name: 'anna@studio.example' }), [userId])
  assert.deepEqual(await names({ q: 'anna' }), [userId])
  assert.deepEqual(await names({ userId: 33 }), [33])
  assert.deepEqual(await names({ roles: 'staff', 'order[userId]': 'asc' }), [33, userId])

  const renamed = await (await accounts.get(`${userId}`)).update({ name: 'Anna', roles: null })
  assert.deepEqual([renamed.data.name, renamed.data.roles ?? []], ['Anna', []])
  await renamed.remove()
  await assert.rejects(accounts.get(`${userId}`), { kind: 'not-found' })
})

test('The last account that may manage cannot be removed, nor lose its role', async (t) => {
  const { boss } = await open(t)
  const own = await boss.account()
  const refused = { status: 409, code: 'LastManager' }
  await assert.rejects(own.update({ roles: [] }), refused)
  await assert.rejects(own.remove(), refused)
})

test('A user changes the own paraphrase, and the client signs in with the new one', async (t) => {
  const { tom, clientOf } = await open(t)
  const other = clientOf(34)
  await other.signIn()
  const own = await tom.account()
  assert.deepEqual([own.data.userId, own.data.tokens], [34, 3])
  await assert.rejects(own.changeParaphrase('wrong', 'seven new words'), { kind: 'invalid', status: 422 })
  await own.changeParaphrase(PARAPHRASE, 'seven new words')
  assert.equal((await tom.account()).data.tokens, 1)
  await assert.rejects(other.get(own.iri), { kind: 'credentials', code: 'credentials-wrong' })
  // The token of this client ends, too: it exchanges the new paraphrase.
  await (await tom.account()).endTokens()
  assert.equal((await tom.account()).data.tokens, 1)
})

test('Who manages accounts ends the tokens of others, and nobody else does', async (t) => {
  const { accounts, sue, tom, clientOf } = await open(t)
  await tom.account()
  await assert.rejects((await sue.accounts()).endTokens(34), { status: 403 })
  const tokensOf = async () => [
    (await accounts.get('34')).data.tokens,
    (await accounts.page({ userId: 34 })).members[0]?.data.tokens,
  ]
  // Compressed responses, too, are of now: the version of an account does not count its tokens.
  assert.deepEqual(await tokensOf(), [2, 2])
  await accounts.endTokens(34)
  assert.deepEqual(await tokensOf(), [0, 0])
  await assert.rejects(createClient({ base: clientOf(1).base }).account(), {
    kind: 'credentials',
    code: 'credentials-missing',
  })
})
