import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveOffice } from './office.ts'

const namesOf = (account: Json) => Object.keys(account).filter((name) => !name.startsWith('@'))

// contract: An account: `@id` `{base}/accounts/{id}`
// contract: `view`: who may see the accounts of others
// contract: Everybody sees their own.
// contract: Who sees only the own account gets a list of one.
// contract: In the API file (or the `--access` file): `accounts
test('everybody sees the own account, staff the names of all, and who manages everything', async (t) => {
  const { as, base } = await serveOffice(t)
  const list = async (who: keyof typeof as, query = '') => {
    const { member, totalItems } = (await as[who].send('GET', `/accounts${query}`)).json() as {
      member: Json[]
      totalItems: number
    }
    return { member, totalItems }
  }
  const own = await list('tom')
  assert.equal(own.totalItems, 1)
  assert.equal(own.member[0]?.['@id'], `${base}/accounts/34`)
  const whole = ['userId', 'createdAt', 'signedInAt', 'tokens']
  assert.deepEqual(namesOf(own.member[0] as Json), whole)
  const ofStaff = await list('sue')
  assert.equal(ofStaff.totalItems, 6)
  const shown = new Map(ofStaff.member.map((one) => [one.userId, namesOf(one)]))
  assert.deepEqual(shown.get(34), ['userId'])
  assert.deepEqual(shown.get(33), ['userId', 'roles', 'createdAt', 'signedInAt', 'tokens'])
  const ofBoss = await list('boss', '?roles=staff')
  assert.deepEqual(
    ofBoss.member.map(({ userId, tokens }) => [userId, tokens]),
    [[33, 1]],
  )
  assert.equal((await as.tom.send('GET', '/accounts/33')).status, 404)
  assert.equal((await as.sue.send('GET', '/accounts?roles=staff', undefined, AS_PROBLEM)).status, 400)
})

// contract: Linked from the entry point for who may see more than their own
test('the entry point links to the accounts for who sees more than one, and the session to the own', async (t) => {
  const { as, base } = await serveOffice(t)
  const linked = async (who: keyof typeof as) => (await as[who].send('GET', '/')).json().accounts
  assert.deepEqual([await linked('boss'), await linked('sue')], Array(2).fill(`${base}/accounts`))
  assert.equal(await linked('tom'), undefined)
  assert.equal((await as.tom.send('GET', '/session')).json().account, `${base}/accounts/34`)
})

// contract: Without a `paraphrase` five words are made and shown in this answer alone
// contract: `POST` `{"userId"?, "name"?
// contract: Without a `userId` the lowest free one
test('a new account gets the next free id and a paraphrase that is shown once', async (t) => {
  const { as, base, client, logged } = await serveOffice(t)
  const added = await as.boss.send('POST', '/accounts', { name: 'anna@studio.example', roles: ['staff'] })
  const { paraphrase, userId } = added.json() as { paraphrase: string; userId: number }
  assert.deepEqual([added.status, userId, added.headers.location], [201, 36, `${base}/accounts/36`])
  assert.equal(added.headers['cache-control'], 'no-store')
  assert.equal(paraphrase.split(' ').length, 5)
  const read = await as.boss.send('GET', '/accounts/36')
  assert.deepEqual([read.json().name, read.json().paraphrase], ['anna@studio.example', undefined])
  assert.equal(logged.join().includes(paraphrase), false)
  assert.ok(await client.exchange('ANNA@studio.example' as never, paraphrase))
  const chosen = await as.boss.send('POST', '/accounts', { userId: 99, paraphrase: 'her own words' })
  assert.deepEqual([chosen.status, chosen.json().paraphrase], [201, undefined])
  assert.ok(await client.exchange(99, 'her own words'))
  assert.equal((await as.boss.send('POST', '/accounts', {})).json().userId, 100)
})

// contract: The rules for paraphrases are those of the command line
test('what is wrong with a new account is said at its property', async (t) => {
  const { as } = await serveOffice(t)
  const refused = async (body: object) => {
    const response = await as.boss.send('POST', '/accounts', body, AS_PROBLEM)
    return [response.status, codesOf(response)]
  }
  assert.deepEqual(await refused({ name: '12', roles: ['chief'] }), [
    422,
    'name: NameOnlyDigits, roles: UnknownRole',
  ])
  assert.deepEqual(await refused({ userId: 34 }), [422, 'userId: NotUnique'])
  assert.deepEqual(await refused({ name: 'a:b' }), [422, 'name: NameCharacters'])
  assert.deepEqual(await refused({ paraphrase: '' }), [422, 'paraphrase: ParaphraseEmpty'])
  assert.deepEqual(await refused({ revision: 3 }), [422, 'revision: UnknownProperty'])
  assert.deepEqual(await refused({ tokens: 3 }), [422, 'tokens: ReadOnly'])
  const forbidden = await as.sue.send('POST', '/accounts', {}, AS_PROBLEM)
  assert.deepEqual([forbidden.status, codesOf(forbidden)], [403, 'Forbidden'])
})

// contract: Without a `userId` the lowest free one above all that were ever used.
test('behind the largest userId a new account must name a free one', async (t) => {
  const { as } = await serveOffice(t)
  const add = (body: object) => as.boss.send('POST', '/accounts', body, AS_PROBLEM)
  const largest = Number.MAX_SAFE_INTEGER
  assert.equal((await add({ userId: largest })).status, 201)
  for (const isThere of [true, false]) {
    if (!isThere) assert.equal((await as.boss.send('DELETE', `/accounts/${largest}`)).status, 204)
    const refused = await add({})
    assert.deepEqual([refused.status, codesOf(refused)], [422, 'userId: NoNextUserId'])
  }
  assert.equal((await add({ userId: 50 })).status, 201)
})

// contract: Not there (404) with authentication off.
test('there are no accounts without authentication', async (t) => {
  const { client } = await serveOffice(t, {
    api: 'classes: { Task: { properties: { title: string, assignee: Account } } }',
    flags: { auth: false },
  }).catch(() => assert.fail())
  assert.equal((await client.send('GET', '/accounts')).status, 404)
})

// contract: Accounts are not in the feed, not in `batch`, not in `export`.
test('accounts are neither in the feed nor in a batch', async (t) => {
  const { as } = await serveOffice(t)
  await as.boss.send('POST', '/accounts', {})
  assert.deepEqual((await as.boss.send('GET', '/events')).json().member, [])
  const asked = await as.boss.send('GET', '/events?collection=accounts', undefined, AS_PROBLEM)
  assert.equal(asked.status, 400)
  const operation = [{ method: 'DELETE', target: 'accounts/34' }]
  assert.equal((await as.boss.send('POST', '/batch', { operation })).status >= 400, true)
})
