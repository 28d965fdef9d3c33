import { test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { prepareDatabase } from '../support/server-processes.ts'
import { inSoak } from '../support/soak.ts'
import { startFollower } from './observers.ts'
import { startRotation, THIS_BUILD } from './rotation.ts'
import { startWorkload } from './workload.ts'

const FIRST = `
title: Notes
classes:
  Note:
    history: true
    properties:
      text: { type: string, required: true }
      number: integer
      size: { type: integer, filterable: false }
`
/** Each of these changes is compatible with the files before it. */
const CHANGES: readonly ((api: string) => string)[] = [
  (api) => `${api}      remark: string\n`,
  (api) => api.replace('classes:\n', 'classes:\n  Folder: { properties: { name: string } }\n'),
  (api) => api.replace('filterable: false', 'filterable: true'),
  (api) => `${api}      state: { type: string, default: open }\n`,
]
const FILES = [FIRST]
for (const change of CHANGES) FILES.push(change(FILES.at(-1) as string))
const ALL_CHANGED = FILES.at(-1) as string

const BY_SIZE = '/notes?size=1&itemsPerPage=5'

/** Each start costs as much as hundreds of requests: all changes at once, unless there is time. */
const STEPS = inSoak([...FILES.slice(1), ...FILES.slice(0, -1).reverse()], [ALL_CHANGED])
/** So many writes are acknowledged after each host that was replaced. */
const SOME = inSoak(2_000, 10)

// contract: No request that is right under its host's own file
test('the API file is changed host by host under load, in both directions, and a host is killed halfway', {
  timeout: 900_000,
}, async (t) => {
  const follower = await startFollower(t, ['Note'])
  const plan = { build: THIS_BUILD, flags: follower.flags }
  const db = await prepareDatabase(t, newPostgres(t))
  const rotation = await startRotation(
    t,
    db,
    [FIRST, FIRST, FIRST].map((api) => ({ ...plan, api })),
  )
  const token = await rotation.next().client.signIn()
  const pauseMs = inSoak(2, 200)
  const workload = await startWorkload(t, rotation, {
    ...{ token, collection: '/notes', follower, pauseMs },
    more: () => ({ size: 1 }),
    reads: ({ plan: { api } }) => (api.includes('filterable: true') ? [BY_SIZE] : []),
    isExpected: ({ status, body }, path) => path === BY_SIZE && status === 503 && body.includes('size'),
  })
  await workload.goOn(SOME)
  for (const api of STEPS) {
    await rotation.replace(0, { ...plan, api })
    await workload.goOn(SOME)
    if (api === ALL_CHANGED) await rotation.kill(1)
    for (const place of inSoak([1, 2], [1])) {
      await rotation.replace(place, { ...plan, api })
      await workload.goOn(SOME)
    }
  }
  await rotation.replace(0, { ...plan, api: FIRST })
  await workload.goOn(SOME)
  await workload.end({ mayBeCut: true })
  t.diagnostic(JSON.stringify(workload.counts()))
})
