import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Client, ConflictError, type Member } from 'hydrant-client'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { ROOT } from '../support/markdown.ts'
import { type ServiceOptions, serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

export const PEOPLE = `
title: People
classes:
  Person:
    collection: people
    properties:
      name: { type: string, required: true }
      nick: string
      home: Place
      since: { type: dateTime, writable: false, default: now }
  Place:
    collection: false
    properties: { town: string, street: string }
`

export async function servePeople(t: TestContext, options: ServiceOptions = {}) {
  const { base } = await serve(t, { api: PEOPLE, flags: { auth: false }, ...options })
  return { ...recordClient(base), base }
}

export const addPerson = (client: Client, body: object = {}): Promise<Member> =>
  client.collection('people').create({ name: 'Ann', home: { town: 'Bath', street: 'Gay Street' }, ...body })

/** The person that a page shows, which has no ETag. */
export async function fromPage(client: Client): Promise<Member> {
  const [member] = (await client.collection('people').page()).members
  assert.ok(member)
  assert.equal(member.etag, undefined)
  return member
}

export async function conflictOf(writing: Promise<unknown>): Promise<ConflictError<Member['data'], Member>> {
  const error = await writing.then(
    () => 'written',
    (reason) => reason,
  )
  assert.ok(error instanceof ConflictError, String(error))
  assert.equal(error.kind, 'conflict')
  assert.equal(error.status, 412)
  assert.equal(error.name, 'ConflictError')
  return error as ConflictError<Member['data'], Member>
}

/** A document of an older server: PUT adds a member, POST replaces it, and nothing is patched. */
export async function serveDrones(t: TestContext) {
  const { model } = await readApiFile(join(ROOT, 'test/documents/hydrus.jsonld'))
  const { base } = await serve(t, { model })
  return recordClient(base)
}
