import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'

// The clock set back or ahead while running: waits keep their length; tokens as authentication.md says.

const HOUR_MS = 3_600_000

const CASES: readonly { readonly name: string; readonly setBy: number }[] = [
  { name: 'A clock that is set back lengthens no wait for a lock, and ends tokens', setBy: -HOUR_MS },
  { name: 'A clock that is set ahead shortens no wait for a lock, and ends tokens', setBy: HOUR_MS },
]

for (const { name, setBy } of CASES) {
  test(name, { timeout: 30_000 }, async (t) => {
    const time = { now: Date.now() }
    const { client, db } = await serve(t, { db: newDatabase(t), time })
    const token = { 'X-Authorization': await client.signIn(), 'Content-Type': 'application/json' }
    const post = () => client.send('POST', '/authors', token, '{"name":"Ada"}')
    const other = new DatabaseSync(db.replace('sqlite:', ''))
    t.after(() => other.close())

    // A run beside it whose clock is left alone.
    other.exec('BEGIN IMMEDIATE')
    const began = performance.now()
    const usual = await post()
    const usually = performance.now() - began

    const locked = post()
    // Until it waits.
    await wait(usually / 4)
    time.now += setBy
    t.mock.method(Date, 'now', () => time.now)
    const { status, headers } = await locked
    const jumped = performance.now() - began - usually
    assert.deepEqual([usual.status, status], [503, 503])
    assert.equal(headers['retry-after'], '1')
    assert.ok(jumped > usually / 2 && jumped < usually * 2, `${jumped} ms instead of ${usually}`)
    other.exec('COMMIT')
    assert.equal((await client.send('GET', '/authors', token)).status, 401)
  })
}
