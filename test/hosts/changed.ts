import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Json, pathOf, type SignedIn, serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'

// Hosts with different API files on one PostgreSQL.

/** One host for each file, started one after the other; `between` is called after the first one. */
export async function serveFiles(
  t: TestContext,
  files: readonly [string, ...string[]],
  between?: (first: SignedIn) => Promise<void>,
): Promise<[SignedIn, SignedIn, ...SignedIn[]]> {
  const db = newPostgres(t)
  const [api, ...others] = files
  const first = await serveSignedIn(t, { db, api })
  await between?.(first)
  const hosts: SignedIn[] = [first]
  for (const one of others)
    hosts.push(await serveSignedIn(t, { db, api: one, flags: { baseUrl: first.base } }))
  return hosts as [SignedIn, SignedIn, ...SignedIn[]]
}

/** Adds a member and returns its path. */
export const addAt = async (host: SignedIn, collection: string, values: object): Promise<string> =>
  pathOf(host.base, (await host.add(collection, values))['@id'])

export async function patch(host: SignedIn, path: string, values: object): Promise<void> {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const response = await host.send('PATCH', path, headers, JSON.stringify(values))
  assert.equal(response.status, 200, response.body)
}

export async function put(host: SignedIn, path: string, values: object): Promise<void> {
  const headers = { 'Content-Type': 'application/ld+json' }
  const response = await host.send('PUT', path, headers, JSON.stringify(values))
  assert.equal(response.status, 200, response.body)
}

/** The value of a property of a member; undefined if it has none. */
export async function valueAt(host: SignedIn, path: string, property: string): Promise<unknown> {
  const response = await host.get(path)
  assert.equal(response.status, 200, response.body)
  return (response.json() as Json)[property]
}

/** The paths of the members that a list shows. */
export async function listed(host: SignedIn, path: string): Promise<readonly string[]> {
  const response = await host.get(path)
  assert.equal(response.status, 200, `${path}: ${response.body}`)
  return (response.json().member as Json[]).map((one) => pathOf(host.base, one['@id']))
}
