import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Headers, TestResponse } from '../support/client.ts'
import type { ServiceOptions } from '../support/service.ts'
import { type Json, pathOf, type SignedIn, serveSignedIn, withoutContext } from './signed-in.ts'

export const MERGE_PATCH = 'application/merge-patch+json'

/** A service as someone sees it who has a token and writes. Strings are sent as they are, anything else as JSON. */
export interface Writer extends SignedIn {
  put(path: string, body: unknown, headers?: Headers): Promise<TestResponse>
  patch(path: string, body: unknown, headers?: Headers): Promise<TestResponse>
  remove(path: string, headers?: Headers): Promise<TestResponse>
  /** Adds a member that must be accepted, and returns the path of its address. */
  addAt(path: string, body: object): Promise<string>
  /** A representation without its context, `@id` and `@type`. */
  values(path: string): Promise<Json>
  etag(path: string): Promise<string>
}

export async function serveWriter(t: TestContext, options: ServiceOptions = {}): Promise<Writer> {
  const service = await serveSignedIn(t, options)
  const { send, get, add, base } = service
  const write =
    (method: string, type: string) =>
    (path: string, body: unknown, headers: Headers = {}) =>
      send(
        method,
        path,
        { 'Content-Type': type, ...headers },
        typeof body === 'string' ? body : JSON.stringify(body),
      )
  return {
    ...service,
    put: write('PUT', 'application/ld+json'),
    patch: write('PATCH', MERGE_PATCH),
    remove: (path, headers) => send('DELETE', path, headers),
    addAt: async (path, body) => pathOf(base, (await add(path, body))['@id']),
    values: async (path) => valuesOf(await get(path)),
    etag: async (path) => (await get(path)).headers.etag ?? '',
  }
}

/** What a successful response says of a member beside its context, address and class. */
export function valuesOf(response: TestResponse): Json {
  assert.ok(response.status < 300, `${response.status} ${response.body.slice(0, 500)}`)
  const { '@id': id, '@type': type, ...values } = withoutContext(response.json())
  assert.deepEqual([typeof id, typeof type], ['string', 'string'])
  return values
}

/** Lines that say that something nobody expected has happened. */
export const faultsIn = ({ logged }: SignedIn): string[] =>
  logged.filter((line) => line.includes('"level":"error"'))
