import assert from 'node:assert/strict'
import { createApp, createDispatch } from '../../src/app.ts'
import { createClock, type Gate, type Principal } from '../../src/auth/index.ts'
import { readConfig } from '../../src/config/index.ts'
import { BodyMemory, type Request } from '../../src/http/index.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import type { Model } from '../../src/vocabulary/index.ts'
import { emptyDatabase } from '../support/databases.ts'
import type { Ended } from '../support/folders.ts'

export const BASE = 'http://x.example/api'
const SECRET = Buffer.alloc(32, 7)

export interface AppRequest {
  readonly method: string
  /** Below the base: `/books?title=a`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** `text` is everything that was sent: the status, the headers and the body. */
export interface AppAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly text: string
}

/** A whole server without its sockets and its gate, so that thousands of requests take seconds. */
export interface AppOfUsers {
  send(request: AppRequest, by: Principal): Promise<AppAnswer>
  close(): Promise<void>
}

export const user = (number: number, roles: readonly string[] = []): Principal => ({
  userId: number,
  number,
  roles,
  token: undefined,
})

/** Apps of one model have the same secret and the same time: what they send differs only by what they store. */
export async function openApp(
  t: Ended,
  model: Model,
  pageSize = 3,
  newDb: typeof emptyDatabase = emptyDatabase,
): Promise<AppOfUsers & { readonly store: Store }> {
  const shapes = classSchemas(model)
  const store = await openStore(await newDb(t, shapes), shapes, { scanMs: 20_000 })
  const dispatch = createDispatch({
    ...readConfig({ pageSize: String(pageSize), maxPageBytes: '1000000' }, {}),
    base: BASE,
    model,
    store,
    secret: SECRET,
    epoch: 'one',
    clock: createClock(() => 1_000),
    onFault: assert.ifError,
  })
  const gate: Gate = async (request) => ({
    verdict: 'admitted',
    principal: (request as Request & { readonly principal: Principal }).principal,
  })
  const bodies = new BodyMemory(256 * 1024 * 1024)
  const app = createApp({ base: BASE, gate, bodies, onFault: assert.ifError }, dispatch)

  async function send({ method, path, headers = {}, body = '' }: AppRequest, by: Principal) {
    const request: Request & { readonly principal: Principal } = {
      method,
      target: `/api${path}`,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      rawHeaders: [],
      bodyLength: Buffer.byteLength(body),
      address: '127.0.0.1',
      drain: async () => true,
      readBody: async () => Buffer.from(body),
      principal: by,
    }
    const { status, shared, headers: own, body: sent } = await app(request)
    const all = [...shared, ...own]
    const pairs = all.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), all[index + 1] ?? ''] as const] : [],
    )
    return {
      status,
      headers: new Map(pairs),
      body: String(sent ?? ''),
      text: [status, ...all, sent].join('\n'),
    }
  }

  return { send, store, close: () => Promise.resolve(store.close()) }
}
