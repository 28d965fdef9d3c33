import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Store } from '../../src/store/index.ts'
import { holding } from '../support/holding.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, writtenOf } from '../support/shapes.ts'
import { openFor } from '../support/stores.ts'
import { eventually } from './hosts.ts'

// PostgreSQL answers the statements on a connection in order. So there are connections of several kinds (`openPools` in
// src/database/postgres/pools.ts): where one kind waits for a lock that another host holds, the others go on.

const KINDS: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Book', KINDS), shapeOf('Note', KINDS)]
const IDS = Array.from({ length: 12 }, (_, index) => `held${index}`)

type Act = (store: Store, id: string) => unknown

const written = writtenOf(KINDS, { title: 'B' })
const filters = [{ property: 'title', test: 'contains', text: 'B' }] as const

const ACTS = {
  'find a token': ({ auth }) => auth.findToken('none', 0),
  'find a member': ({ members }) => members.find('Book', 'free'),
  'list members': ({ members }, id) => members.list(id === 'free' ? 'Book' : 'Note', select({ limit: 1 })),
  'poll the change log': ({ changes }) => changes.after(0, 10),
  search: ({ members }, id) => members.list(id === 'free' ? 'Book' : 'Note', select({ filters })),
  change: ({ members }, id) => members.change('Book', id, undefined, () => written),
  remove: ({ members }, id) => members.remove('Book', id, undefined),
  'write a batch': ({ members }, id) =>
    members.writeAll([{ kind: 'change', className: 'Book', id, expected: undefined, written }]),
} satisfies Readonly<Record<string, Act>>

const QUICK = ['find a token', 'find a member', 'list members', 'poll the change log'] as const
const TABLE = 'LOCK TABLE members_2 IN ACCESS EXCLUSIVE MODE'
const ROWS = "SELECT FROM members_1 WHERE id LIKE 'held%' FOR UPDATE"

const CASES: readonly {
  readonly waiting: keyof typeof ACTS
  readonly lock: string
  /** How many connections it has. */
  readonly most: number
  readonly goingOn: readonly (keyof typeof ACTS)[]
}[] = [
  { waiting: 'change', lock: ROWS, most: 4, goingOn: [...QUICK, 'search', 'write a batch', 'remove'] },
  { waiting: 'remove', lock: ROWS, most: 2, goingOn: [...QUICK, 'search', 'write a batch', 'change'] },
  { waiting: 'write a batch', lock: ROWS, most: 2, goingOn: [...QUICK, 'search', 'change', 'remove'] },
  { waiting: 'search', lock: TABLE, most: 2, goingOn: [...QUICK, 'write a batch', 'change', 'remove'] },
  {
    waiting: 'list members',
    lock: TABLE,
    most: 2,
    goingOn: ['find a token', 'poll the change log', 'write a batch', 'remove'],
  },
  {
    waiting: 'poll the change log',
    lock: "SELECT pg_advisory_xact_lock(hashtextextended('changes ' || current_schema(), 0))",
    most: 1,
    goingOn: ['find a token', 'find a member', 'list members', 'search', 'change', 'write a batch', 'remove'],
  },
]

test('while another host holds what all connections of one kind wait for', {
  timeout: 120_000,
}, async (t) => {
  const url = `${newPostgres(t)}&application_name=waiting_${randomBytes(8).toString('hex')}`
  // For bulk data, which waits for locks as long as it takes.
  const store = await openFor(t, url, SHAPES, { bulk: true, scanMs: 50_000 })
  for (const { waiting, lock, most, goingOn } of CASES)
    await t.test(`${waiting}: ${goingOn.join(', ')} go on`, async (t) => {
      // What the case before has removed is there again.
      for (const id of [...IDS, 'free']) await store.members.add('Book', memberOf(KINDS, id, { title: 'A' }))
      const release = await holding(t, url, lock)
      let ended = 0
      const waiters = IDS.map(async (id) => {
        await ACTS[waiting](store, id)
        ended += 1
      })
      try {
        await eventually('all its connections wait', async () => (await countWaiting(url)) === most)
        for (const name of goingOn) await ACTS[name](store, 'free')
        assert.equal(ended, 0)
      } finally {
        await release()
      }
      await Promise.all(waiters)
    })
})

/** How many connections of the process wait for a lock. */
async function countWaiting(url: string): Promise<number> {
  const text =
    "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
  const [row] = await onPostgres(url, text, [new URL(url).searchParams.get('application_name') ?? ''])
  return Number(row?.[0])
}
