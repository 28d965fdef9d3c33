import { test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { previousBuild } from '../support/previous-build.ts'
import { prepareDatabase } from '../support/server-processes.ts'
import { inSoak } from '../support/soak.ts'
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
const SOME = inSoak(2_000, 10)

test('the previous version is replaced host by host under load, and put back', {
  timeout: 600_000,
}, async (t) => {
  const follower = await startFollower(t, ['Note'])
  const present = { build: THIS_BUILD, api: API, flags: follower.flags }
  const former = { ...present, build: await previousBuild() }
  const db = await prepareDatabase(t, newPostgres(t))
  const rotation = await startRotation(t, db, [former, former, former])
  const token = await rotation.next().client.signIn()
  const workload = await startWorkload(rotation, {
    token,
    collection: '/notes',
    follower,
    pauseMs: inSoak(2, 200),
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
