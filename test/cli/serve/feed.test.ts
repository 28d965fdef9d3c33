import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startClient } from '../../support/client.ts'
import { createPostgresServer } from '../../support/postgres-server.ts'
import { inSoak, soakTest } from '../../support/soak.ts'
import { openStream, type StreamEvent } from '../../support/streams.ts'
import { folderWithApi, freePort, serveIn } from '../command.ts'

const API = 'classes: { Note: { properties: { text: string } } }'
const BASE = 'http://test.example/api'
const FLAGS = ['--no-auth', '--base-url', BASE, '--max-user-streams', '1000', '--log-format', 'json']
const [WRITERS, READERS] = inSoak([8, 20], [4, 8])
/** So many writes are acknowledged between two disturbances. */
const SOME = 20

/** A process that is killed and started again on its port. */
async function startHost(t: TestContext, folder: string, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  const serve = () => serveIn(t, folder, [...FLAGS, '--port', String(port)], env)
  let serving = await serve()
  return {
    port,
    async restart() {
      const exited = once(serving.child, 'exit')
      serving.child.kill('SIGKILL')
      await exited
      serving = await serve()
    },
  }
}

type Host = Awaited<ReturnType<typeof startHost>>

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

/** `create /notes/1 "7-…"`: what was acknowledged, or told; a removal has no ETag. */
type Told = string

/** What a writer does to each of its members, one after the other; some are left as they are. */
const STEPS: readonly (readonly [kind: string, method: string, more: object])[] = [
  ['create', 'PUT', { ifNoneMatch: '*', body: { text: '0' } }],
  ...['1', '2', '3'].map((text) => ['update', 'PATCH', { body: { text } }] as const),
  ['delete', 'DELETE', {}],
]

/** The ETags after a step of one or of several members, which is all of it, or nothing; undefined without a good answer. */
async function carryOut(host: Host, paths: readonly string[], [, method, more]: (typeof STEPS)[number]) {
  const client = startClient({ base: BASE, port: host.port })
  const { ifNoneMatch, body } = more as { readonly ifNoneMatch?: string; readonly body?: object }
  const [single = ''] = paths
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { 'Content-Type': type, ...(ifNoneMatch && { 'If-None-Match': ifNoneMatch }) }
  const operation = paths.map((path) => ({ method, target: path.slice(1), ...more }))
  const answer = await (paths.length === 1
    ? client.send(method, single, body ? headers : {}, body && JSON.stringify(body))
    : client.send('POST', '/batch', { 'Content-Type': 'application/json' }, JSON.stringify({ operation }))
  ).catch(() => undefined)
  if (answer === undefined || answer.status === 503) return undefined
  assert.ok(answer.status < 300, answer.body)
  if (paths.length === 1) return [answer.headers.etag ?? '']
  return (answer.json() as { operation: { etag?: string }[] }).operation.map(({ etag = '' }) => etag)
}

/** Writes members of its own until it is told to stop; what got no good answer may have been carried out or not. */
async function write(hosts: readonly Host[], writer: number, isOver: () => boolean, onDone: () => void) {
  const acknowledged = new Map<string, Told[]>()
  const uncertain = new Set<string>()
  const batches: string[][] = []
  // Every other writer writes batches.
  const size = writer % 2 === 0 ? 1 : 3
  for (let round = 0; !isOver(); round += 1) {
    const paths = Array.from({ length: size }, (_, index) => `/notes/${writer}-${round}-${index}`)
    batches.push(paths)
    for (const path of paths) acknowledged.set(path, [])
    for (const step of round % 2 === 0 ? STEPS.slice(0, -1) : STEPS) {
      const etags = await carryOut(oneOf(hosts), paths, step)
      if (etags === undefined) {
        for (const path of paths) uncertain.add(`${step[0]} ${path}`)
        await wait(100)
        break
      }
      for (const [index, path] of paths.entries())
        acknowledged.get(path)?.push(`${step[0]} ${path} ${etags[index]}`)
      onDone()
    }
  }
  return { acknowledged, uncertain, batches }
}

const pathOf = ({ data }: StreamEvent) =>
  (data.object as { '@id': string } | undefined)?.['@id'].slice(BASE.length)

/** Follows the feed through streams that it cuts at any byte, up to `last`. */
async function read(
  hosts: readonly Host[],
  start: string,
  last: string,
  failed: AbortSignal,
): Promise<Told[]> {
  const told: Told[] = []
  let lastId = start
  for (;;) {
    failed.throwIfAborted()
    const served = { base: BASE, port: oneOf(hosts).port }
    const after = 200 + Math.floor(Math.random() * 20_000)
    const stream = openStream(served, '', { 'Last-Event-ID': lastId }, { after })
    const seen = stream.until((events) => events.some((one) => pathOf(one) === last)).catch(() => {})
    // A process that stands still is given up, too.
    await Promise.race([seen, stream.closed, wait(2_000 + Math.random() * 1_000)])
    stream.cut()
    if (stream.refused !== undefined) assert.equal(stream.refused.status, 503, stream.refused.body)
    if (stream.events.length === 0) await wait(100)
    for (const event of stream.events) {
      const path = pathOf(event)
      if (path !== undefined) told.push(`${event.type} ${path} ${event.data.etag ?? ''}`)
      if (path === last) return told
    }
    lastId = stream.lastId ?? lastId
  }
}

/** `disturb` does so between some writes that are acknowledged. */
async function keepPromise(
  hosts: readonly Host[],
  disturb: (goOn: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = () => startClient({ base: BASE, port: oneOf(hosts).port })
  const { view } = (await client().send('GET', '/events')).json() as { view: { next: string } }
  const start = view.next.split('after=')[1] ?? ''
  const failing = new AbortController()
  const fail = (error: unknown) => {
    failing.abort(error)
    throw error
  }
  let done = 0
  let isOver = false
  const last = '/notes/last'
  const readers = Promise.all(
    Array.from({ length: READERS }, () => read(hosts, start, last, failing.signal)),
  ).catch(fail)
  const writers = Promise.all(
    Array.from({ length: WRITERS }, (_, index) =>
      write(
        hosts,
        index,
        () => isOver || failing.signal.aborted,
        () => {
          done += 1
        },
      ),
    ),
  ).catch(fail)
  const goOn = async () => {
    for (const before = done; done < before + SOME; ) await wait(20)
  }
  await Promise.race([disturb(goOn).catch(fail), readers])
  isOver = true
  const written = await writers
  const create = { 'Content-Type': 'application/json', 'If-None-Match': '*' }
  for (let status = 0; status !== 201 && status !== 412; )
    status = (await client().send('PUT', last, create, '{}')).status
  const all = await readers

  const uncertain = new Set(written.flatMap((one) => [...one.uncertain]))
  const acknowledged = new Map(written.flatMap((one) => [...one.acknowledged]))
  const count = [...acknowledged.values()].flat().length
  assert.ok(count >= SOME, `${count} were acknowledged`)
  const [first = []] = all
  for (const told of all) {
    // Exactly once, and the same to all: no gap, no repeat.
    assert.equal(new Set(told).size, told.length)
    assert.deepEqual(told.toSorted(), first.toSorted())
    const byMember = Map.groupBy(told, (one) => one.split(' ')[1] ?? '')
    for (const [path, expected] of acknowledged) {
      const found = byMember.get(path) ?? []
      assert.deepEqual(found.slice(0, expected.length), expected)
      // Beyond that only what nobody knew the outcome of, and which was carried out.
      for (const more of found.slice(expected.length)) {
        const [kind] = more.split(' ')
        assert.ok(uncertain.has(`${kind} ${path}`), more)
      }
    }
    assert.deepEqual(
      [...byMember.keys()].filter((path) => path !== last && !acknowledged.has(path)),
      [],
    )
  }
  const counts = Map.groupBy(first, (one) => one.split(' ')[1] ?? '')
  const countOf = (path: string) => counts.get(path)?.length ?? 0
  // A batch is all of it, or nothing.
  for (const paths of written.flatMap(({ batches }) => batches))
    assert.equal(new Set(paths.map(countOf)).size, 1, `${paths}`)
  // What was told last of each member is what is stored, unless a write without an answer is still under way.
  const stored = new Map(first.map((one) => [one.split(' ')[1] ?? '', one]))
  const isSettled = (path: string) =>
    countOf(path) > (acknowledged.get(path)?.length ?? 0) ||
    !STEPS.some(([kind]) => uncertain.has(`${kind} ${path}`))
  for (const [path, told] of [...stored].slice(-200)) {
    if (!isSettled(path)) continue
    const { status, headers } = await client().send('GET', path)
    if (told.startsWith('delete')) assert.equal(status, 404, told)
    else assert.equal(headers.etag, told.split(' ')[2], told)
  }
}

// contract: Every committed change after the starting point is sent exactly once
// contract: A stream that is cut at any byte and resumed by its last id has no gap and no repeat
test('nothing is lost or repeated while streams are cut and the server is killed', async (t) => {
  const host = await startHost(t, folderWithApi(t, API), {})
  await keepPromise([host], async (goOn) => {
    for (let kills = 0; kills < inSoak(40, 2); kills += 1) {
      await goOn()
      await host.restart()
    }
  })
})

// contract: Every committed change after the starting point is sent exactly once
soakTest(
  'nothing is lost or repeated on three hosts, one of which is killed, while PostgreSQL is restarted',
  async (t) => {
    const server = await createPostgresServer({ fsync: 'off' })
    t.after(() => server.remove())
    const folder = folderWithApi(t, API)
    const env = { HYDRANT_DB: server.url }
    const hosts = await Promise.all([1, 2, 3].map(() => startHost(t, folder, env)))
    await keepPromise(hosts, async (goOn) => {
      for (let rounds = 0; rounds < inSoak(10, 1); rounds += 1) {
        await goOn()
        await oneOf(hosts).restart()
        await goOn()
        await server.stop()
        await server.start()
        await goOn()
      }
    })
  },
)
