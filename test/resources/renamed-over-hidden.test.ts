import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { serveSignedIn } from './signed-in.ts'
import { put } from './walks.ts'

/** Serves the same database under one API file after the other; what each is asked for in between. */
async function under(
  t: TestContext,
  db: string | undefined,
  classes: string,
  work: (service: Awaited<ReturnType<typeof serveSignedIn>>) => Promise<unknown>,
): Promise<string> {
  const service = await serveSignedIn(t, { api: `classes: { ${classes} }`, ...(db !== undefined && { db }) })
  await work(service)
  await service.close()
  return service.db
}

test('a property that is renamed to the name of one that was removed before shows its own values', async (t) => {
  const both = 'Note: { properties: { title: string, name: string } }'
  const db = await under(t, undefined, both, async (service) => {
    await put(service, '/notes/1', { title: 'removed', name: 'kept' })
    await put(service, '/notes/2', { name: 'kept too' })
  })
  await under(t, db, 'Note: { properties: { name: string } }', async ({ get }) => {
    assert.equal((await get('/notes/1')).json().title, undefined)
  })
  await under(t, db, 'Note: { properties: { title: { type: string, was: name } } }', async (service) => {
    assert.equal((await service.get('/notes/1')).json().title, 'kept')
    assert.equal((await service.get('/notes/2')).json().title, 'kept too')
    await service.send(
      'PATCH',
      '/notes/2',
      { 'Content-Type': 'application/merge-patch+json' },
      '{"title": "changed"}',
    )
  })
  await under(t, db, 'Note: { properties: { title: string } }', async ({ get }) => {
    assert.equal((await get('/notes/1')).json().title, 'kept')
    assert.equal((await get('/notes/2')).json().title, 'changed')
  })
})

test('a class that is renamed to the name of one that was removed, with members of both, stops the start', async (t) => {
  const db = await under(
    t,
    undefined,
    'A: { properties: { n: string } }, B: { properties: { n: string } }',
    async (service) => {
      await put(service, '/as/1', { n: 'a' })
      await put(service, '/bs/9', { n: 'b' })
    },
  )
  await under(t, db, 'A: { properties: { n: string } }', async () => {})
  await assert.rejects(
    serveSignedIn(t, { api: 'classes: { B: { was: A, properties: { n: string } } }', db }),
    /members of B and of A, and the API file says that B was A/,
  )
  await under(t, db, 'A: { properties: { n: string } }', async ({ get }) => {
    assert.equal((await get('/as/1')).status, 200)
  })
})
