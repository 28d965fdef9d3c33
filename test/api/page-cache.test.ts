import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createPageCache } from '../../src/api/page-cache.ts'

/** A state, or why it cannot be told. */
type States = Readonly<Record<string, () => Promise<string> | undefined>>

const storeOf = (states: States) => ({ state: (name: string) => states[name]?.() })
const page = { etag: '"1"', body: '{}', classes: ['Book', 'Author'], state: '1 2' }
const unreachable = () => Promise.reject(new Error('unreachable'))

/** Promises that were rejected and that nothing awaits: the process would end. */
function countUnhandled(t: TestContext): () => Promise<number> {
  let count = 0
  const listeners = process.listeners('unhandledRejection')
  const onRejection = () => {
    count += 1
  }
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', onRejection)
  t.after(() => {
    process.off('unhandledRejection', onRejection)
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
  return async () => {
    await turn()
    return count
  }
}

test('a page is found while its classes are in the same state', async () => {
  const cache = createPageCache()
  cache.add('a', page)
  const same = storeOf({ Book: async () => '1', Author: async () => '2' })
  assert.equal((await cache.find('a', same)).page?.etag, page.etag)
  assert.deepEqual(await cache.find('b', same), {})
  const changed = storeOf({ Book: async () => '1', Author: async () => '3' })
  assert.deepEqual(await cache.find('a', changed), { state: '1 3' })
})

test('where one of the states is not known or cannot be read, those of the others are not left behind', async (t) => {
  const unhandled = countUnhandled(t)
  const cache = createPageCache()
  cache.add('a', page)
  assert.deepEqual(await cache.find('a', storeOf({ Book: unreachable })), { state: undefined })
  const elsewhere = () => {
    throw new Error('migrated elsewhere')
  }
  const asked = async (states: States) => cache.find('a', storeOf(states))
  await assert.rejects(asked({ Book: unreachable, Author: elsewhere }), /migrated elsewhere/)
  await assert.rejects(asked({ Book: unreachable, Author: unreachable }), /unreachable/)
  assert.equal(await unhandled(), 0)
})
