import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestResponse } from '../support/client.ts'
import { newPostgres } from '../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { serve } from '../support/service.ts'

/** Longer than every limit there is: whatever was under way has been given up. */
const FROZEN_MS = 6_000
const KINDS = ['create', 'update', 'delete'] as const

type Kind = (typeof KINDS)[number]

interface Write {
  readonly kind: Kind
  /** Of the member that it changes or removes. */
  readonly path: string
  /** What a create or an update writes. */
  readonly name: string
  readonly answer: TestResponse
}

/** One of our own: nobody else's tests are to stand still. */
let server: PostgresServer
before(async () => {
  server = await createPostgresServer()
})
after(() => server.remove())

async function serveWriters(t: TestContext) {
  const { client } = await serve(t, { db: newPostgres(t, server.url), flags: { auth: false } })
  const json = { 'Content-Type': 'application/json' }
  const put = (path: string, name: string) =>
    client.send('PUT', path, { ...json, 'If-None-Match': '*' }, JSON.stringify({ name }))
  const post = (name: string) => client.send('POST', '/authors', json, JSON.stringify({ name }))
  const patch = (path: string, name: string) =>
    client.send('PATCH', path, { 'Content-Type': 'application/merge-patch+json' }, JSON.stringify({ name }))
  const pathOf = (kind: Kind, n: number) => `/authors/${kind}-${n}`
  return {
    client,
    async prepare(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        for (const kind of ['update', 'delete'] as const) {
          assert.equal((await put(pathOf(kind, n), 'before')).status, 201)
        }
      }
    },
    async write(kind: Kind, n: number): Promise<Write> {
      const [path, name] = [pathOf(kind, n), `${kind}-${n}`]
      const act = {
        create: () => post(name),
        update: () => patch(path, name),
        delete: () => client.send('DELETE', path),
      }
      return { kind, path, name, answer: await act[kind]() }
    },
    async hasHappened({ kind, path, name }: Write): Promise<boolean> {
      const { status, body } = await client.send('GET', kind === 'create' ? `/authors?name=${name}` : path)
      assert.ok([200, 404].includes(status), body)
      return kind === 'delete' ? status === 404 : body.includes(`"name":"${name}"`)
    },
    /** Until it answers, and what lay in the sockets has been carried out, or not. */
    async recovered(): Promise<void> {
      while ((await client.send('GET', '/authors')).status !== 200) await wait(50)
      await wait(1_000)
    },
  }
}

/** While `meanwhile` goes on, which is answered by then. */
async function frozen<T>(meanwhile: () => Promise<T>): Promise<T> {
  server.freeze()
  try {
    const [answers] = await Promise.all([meanwhile(), wait(FROZEN_MS)])
    return answers
  } finally {
    server.thaw()
  }
}

const saysMaybe = ({ answer }: Write): boolean => /may have been carried out; look/.test(answer.body)

const saidOf = ({ kind, path, answer }: Write): string => `${kind} ${path} ${answer.status} ${answer.body}`

describe('a PostgreSQL that stands still for 6 s and goes on', { timeout: 120_000 }, () => {
  test('has done nothing afterwards that was to be tried again; of what it may have done, the answer says so', async (t) => {
    const { client, prepare, write, hasHappened, recovered } = await serveWriters(t)
    await prepare(90)
    const writes: Promise<Write>[] = []
    const writeAll = async (to: number, pauseMs: number) => {
      for (let n = writes.length / KINDS.length; n < to; n += 1) {
        for (const kind of KINDS) writes.push(write(kind, n))
        if (pauseMs > 0) await wait(pauseMs)
      }
    }
    // Whatever they are doing when it stops; others come while it stands still.
    await writeAll(60, 2)
    await writeAll(70, 0)
    const reads = await frozen(async () => {
      const answers = Promise.all(['/authors', '/authors/update-0'].map((path) => client.send('GET', path)))
      await writeAll(90, 100)
      await Promise.all(writes)
      return answers
    })
    await recovered()

    for (const { status, headers } of reads) assert.deepEqual([status, headers['retry-after']], [503, '2'])
    const answered = await Promise.all(writes)
    assert.ok(answered.some(saysMaybe))
    for (const one of answered) {
      const { status, headers } = one.answer
      if (status < 300) assert.ok(await hasHappened(one), saidOf(one))
      else {
        assert.equal(status, 503, saidOf(one))
        assert.equal(headers['retry-after'] === undefined, saysMaybe(one), saidOf(one))
        assert.ok(saysMaybe(one) || !(await hasHappened(one)), saidOf(one))
      }
    }
  })

  test('does nothing of what was sent to it while it stood still', async (t) => {
    const { prepare, write, hasHappened, recovered } = await serveWriters(t)
    await prepare(5)
    const answered = await frozen(() =>
      Promise.all(KINDS.flatMap((kind) => Array.from({ length: 5 }, (_, n) => write(kind, n)))),
    )
    await recovered()
    for (const one of answered) {
      assert.equal(one.answer.status, 503, saidOf(one))
      assert.ok(!(await hasHappened(one)), saidOf(one))
    }
  })
})
