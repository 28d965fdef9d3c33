import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { previousBuild } from '../support/previous-build.ts'
import { prepareDatabase } from '../support/server-processes.ts'
import { inSoak } from '../support/soak.ts'
import { newSqlite } from '../support/stores.ts'
import { startFollower } from './observers.ts'
import { type HostPlan, startRotation, THIS_BUILD } from './rotation.ts'
import { startWorkload } from './workload.ts'

const API = `
title: Notes
classes:
  Note:
    history: true
    properties:
      text: { type: string, required: true }
      number: integer
`

/** Each start costs as much as hundreds of requests. */
const PUT_BACK = inSoak([0, 1, 2], [0])
/** So many writes are acknowledged after each host that was replaced. */
const SOME = inSoak(300, 10)

// contract: Hosts of this version and of the one before run side by side on one database
// contract: The database has the oldest version that may open it
test('the previous version is replaced host by host under load, and put back', {
  timeout: 600_000,
}, async (t) => {
  const follower = await startFollower(t, ['Note'])
  const present = { build: THIS_BUILD, api: API, flags: follower.flags }
  const former = { ...present, build: await previousBuild() }
  const db = await prepareDatabase(t, newPostgres(t))
  const rotation = await startRotation(t, db, [former, former, former])
  const token = await rotation.next().client.signIn()
  const workload = await startWorkload(t, rotation, {
    token,
    collection: '/notes',
    follower,
    pauseMs: inSoak(10, 200),
  })
  await workload.goOn(SOME)
  const roll = async (places: readonly number[], plan: HostPlan) => {
    for (const place of places) {
      await rotation.replace(place, plan)
      await workload.goOn(SOME)
    }
  }
  await roll([0, 1, 2], present)
  await roll(PUT_BACK, former)
  await workload.end()
  t.diagnostic(JSON.stringify(workload.counts()))
})

test('on SQLite, the process of the previous version is replaced by one of this version, and put back', async (t) => {
  const present = { build: THIS_BUILD, api: API }
  const former = { ...present, build: await previousBuild() }
  const rotation = await startRotation(t, await prepareDatabase(t, newSqlite(t)), [former])
  const headers = {
    'X-Authorization': await rotation.next().client.signIn(),
    'Content-Type': 'application/json',
  }
  const send = (method: string, path: string, body?: object, condition = {}) =>
    rotation.next().client.send(method, path, { ...headers, ...condition }, body && JSON.stringify(body))
  const texts: string[] = []
  for (const plan of [former, present, former]) {
    if (texts.length > 0) await rotation.replace(0, plan)
    texts.push(`text ${texts.length}`)
    const number = texts.length
    const note = { text: texts.at(-1), number }
    assert.equal((await send('PUT', `/notes/${number}`, note, { 'If-None-Match': '*' })).status, 201)
    assert.equal((await send('PATCH', '/notes/1', { number: number + 1 })).status, 200)
    const { member } = (await send('GET', '/notes?sort=number')).json() as { member: { text: string }[] }
    assert.deepEqual(member.map(({ text }) => text).toSorted(), texts)
    const history = (await send('GET', '/notes/1/history')).json() as { member: unknown[] }
    assert.equal(history.member.length, number + 1)
  }
  const events = (await send('GET', '/events')).json() as { member: unknown[] }
  assert.equal(events.member.length, 6)
})
