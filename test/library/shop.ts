import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { hashParaphrase } from '../../src/auth/index.ts'
import { createHydrant, type Hydrant, type HydrantOptions, type Log } from '../../src/library/index.ts'
import { openStore } from '../../src/store/open.ts'
import { newDatabase, ownDatabase } from '../support/databases.ts'

/** Orders whose total only the program writes, and a class without hooks. */
export const SHOP = {
  title: 'Shop',
  classes: {
    Order: {
      properties: {
        customer: { type: 'string', maxLength: 20 },
        amounts: { type: 'integer', many: true },
        total: { type: 'integer', writable: false, maximum: 1000 },
        placedAt: { type: 'dateTime', writable: false, default: 'now' },
      },
    },
    Note: { properties: { text: { type: 'string', required: true } } },
    Settings: { collection: false, operations: ['read', 'replace'], properties: { open: 'boolean' } },
  },
}

export interface Shop extends Hydrant {
  /** Every line that was logged, as text. */
  readonly logged: string[]
  /** A request without HTTP: its status, its body read as JSON, and its headers. */
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
type Answer = [status: number, body: any, headers: Headers]

/** A shop in this process, without a port and without authentication unless the options say otherwise. */
export async function openShop(t: TestContext, options: Partial<HydrantOptions> = {}): Promise<Shop> {
  const logged: string[] = []
  const at = (level: string) => (details: object, message: string) => {
    const { err } = details as { err?: unknown }
    logged.push(`${level} ${message} ${err === undefined ? JSON.stringify(details) : String(err)}`)
  }
  const log: Log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
  const db = options.db ?? ownDatabase(t)
  const hydrant = await createHydrant({ api: SHOP, auth: false, log, ...options, db })
  t.after(hydrant.close)
  return {
    ...hydrant,
    logged,
    async ask(method, path, body, headers = {}) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const response = await hydrant.handle(
        new Request(`${hydrant.base}/${path}`, {
          method,
          headers: { accept: 'application/json, application/problem+json', 'content-type': type, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      const text = await response.text()
      return [response.status, text === '' ? undefined : JSON.parse(text), response.headers]
    },
  }
}

/** Until it holds. */
export async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

export const idOf = (member: { readonly '@id': string }): string => member['@id'].split('/').at(-1) ?? ''

export const PARAPHRASE = 'correct horse battery staple'

/** Users 1, a clerk, and 2, who has no role. */
export async function withUsers(t: TestContext): Promise<string> {
  const db = newDatabase(t)
  const store = await openStore(db)
  const hash = await hashParaphrase(PARAPHRASE)
  await store.auth.addUser({ id: 1, paraphraseHash: hash, roles: ['clerk'] }, 0)
  await store.auth.addUser({ id: 2, paraphraseHash: hash, roles: [] }, 0)
  await store.close()
  return db
}

export type Handle = (path: string, init?: RequestInit) => Promise<Response>

/** Steps A and B. */
export async function signIn(handle: Handle, userId: number): Promise<string> {
  const challenge = await handle('/orders')
  assert.equal(challenge.status, 401)
  const nonce = challenge.headers.get('x-authentication') ?? ''
  const authorization = `Basic ${btoa(`${userId}:${PARAPHRASE}`)}`
  const exchange = await handle('/orders', { headers: { authorization, 'x-authentication': nonce } })
  assert.equal(exchange.status, 200)
  return exchange.headers.get('x-authorization') ?? ''
}

export const handleOf =
  ({ handle, base }: Hydrant, address?: string): Handle =>
  (path, init) =>
    handle(new Request(base + path, init), { address })
