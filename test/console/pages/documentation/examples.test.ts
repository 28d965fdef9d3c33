import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, type ExampleSources, exampleOf } from '../../../../console/pages/documentation/examples.ts'
import { serve } from '../../../support/service.ts'
import { clientOf, THEATRE } from './theatre.ts'

test('the example of an operation is accepted by the API', async (t) => {
  const client = clientOf((await serve(t, { api: THEATRE.replace('motto: langString', EVERY_KIND) })).base)
  const [documentation, collections] = [await client.documentation(), await client.collections()]
  const known: string[] = []
  const api: ExampleSources = { documentation, collections, known, isProtected: true }
  for (const { iri, memberClass } of collections) {
    assert.ok(memberClass)
    const member = await client.collectionAt(iri).create(bodyOf(memberClass, api))
    known.push(member.iri)
    await member.update(bodyOf(memberClass, api, true))
  }
  const play = collections.find(({ name }) => name === 'plays')
  const create = play?.operations.find(({ method }) => method === 'POST')
  assert.ok(play && create)
  assert.deepEqual(exampleOf(create, play.iri, api), {
    method: 'POST',
    url: play.iri,
    requestHeaders: { 'X-Authorization': '', 'Content-Type': 'application/ld+json' },
    requestBody: `{\n  "title": "Example title",\n  "director": "${known[0]}"\n}`,
  })
})

const EVERY_KIND = `motto: langString
      code: { type: string, pattern: "^[A-Z]{9}$" }
      word: { type: string, minLength: 30, maxLength: 31 }
      short: { type: string, maxLength: 3 }
      state: { type: string, enum: [on, off] }
      size: { type: integer, maximum: -3 }
      count: positiveInteger
      price: { type: decimal, minimum: 0.25 }
      ratio: double
      yes: { type: boolean, many: true }
      day: date
      seen: dateTime
      clock: time
      walk: duration
      site: anyURI
      near: { type: anyURI, maxLength: 12 }
      far: { type: anyURI, minLength: 40 }
      smile: { type: string, title: 😀😀, maxLength: 9 }
      wide: { type: string, title: 😀😀, minLength: 12 }
      former: { type: Address, many: true }`
