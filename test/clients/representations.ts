import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { quadsOf } from '../api/rdf.ts'
import { serveSignedIn } from '../api/signed-in.ts'

const API = `
title: Library
description: Books and the people who write them
classes:
  Author:
    properties:
      name: { type: string, required: true, unique: true }
  Publisher:
    collection: false
    properties:
      name: { type: string, required: true, minLength: 1 }
      founded: date
      founder: Author
  Book:
    iri: http://schema.org/Book
    description: Something to read
    properties:
      title: { type: string, required: true, maxLength: 200, iri: http://schema.org/name }
      description: langString
      view: { type: string, enum: [front, back] }
      pages: { type: integer, minimum: 1 }
      price: decimal
      weight: double
      available: boolean
      genres: { type: string, many: true, pattern: "^[a-z]+$" }
      author: { type: Author, required: true }
      translators: { type: Author, many: true }
      publisher: Publisher
      createdAt: { type: dateTime, writable: false, default: now }
  Motto:
    collection: false
    properties:
      text: { type: string, required: true }
    operations: [read, create, replace]
`

const LD = { 'Content-Type': 'application/ld+json' }
const PROBLEM = { ...LD, Accept: 'application/problem+json, application/ld+json' }

type Kind = readonly [name: string, path: string, invalid?: object]

/** One of each kind of response; `invalid` is what a POST is refused for. */
const KINDS: readonly Kind[] = [
  ['entry-point', '/'],
  ['documentation', '/vocab'],
  ['collection', '/books'],
  ['collection-empty', '/books?title=None'],
  ['collection-filtered', '/books?author=http://example.org/api/authors/ann&price%5Blt%5D=20'],
  ['collection-page', '/books?page=2&itemsPerPage=1'],
  ['member', '/authors/ann'],
  ['member-with-everything', '/books/first'],
  ['single-resource', '/Motto'],
  ['session', '/session'],
  ['problem', '/books', { title: 7, pages: 0, author: 'http://example.org/api/authors/none' }],
]

/** Cursors are sealed with the secret of the database, which is random. */
const SEALED_CURSOR = /(?<=[?&](?:after|before)=)[\w-]+/g

/** The RDF of each kind of response, by name: its address, its clock and its ids are always the same, and cursors are cut. */
export async function representedKinds(t: TestContext): Promise<Map<string, string[]>> {
  const { send, get, post, base } = await serveSignedIn(t, {
    api: API,
    flags: { baseUrl: 'http://example.org/api', pageSize: '1' },
    time: { now: Date.UTC(2026, 0, 2, 3, 4, 5) },
  })
  assert.equal(base, 'http://example.org/api')
  const put = async (path: string, body: object) => {
    const response = await send('PUT', path, { ...LD, 'If-None-Match': '*' }, JSON.stringify(body))
    assert.equal(response.status, 201, response.body)
  }
  const [ann, ben] = [`${base}/authors/ann`, `${base}/authors/ben`]
  await put('/authors/ann', { name: 'Ann' })
  await put('/authors/ben', { name: 'Ben' })
  await put('/books/first', {
    title: 'The "first" \\ of all\n\u{1f4da}',
    description: { en: 'First', de: 'Erste' },
    view: 'front',
    pages: 12,
    price: '12.50',
    weight: 0.25,
    available: true,
    genres: ['novel', 'poem'],
    author: ann,
    translators: [ann, ben],
    publisher: { name: 'House', founded: '1900-01-01', founder: ben },
  })
  await put('/books/second', { title: 'Second', author: ben, price: '7' })
  await put('/Motto', { text: 'Read' })

  const quads = new Map<string, string[]>()
  for (const [name, path, invalid] of KINDS) {
    const response = invalid === undefined ? await get(path) : await post(path, invalid, PROBLEM)
    assert.equal(response.status, invalid === undefined ? 200 : 422, `${name}: ${response.body}`)
    // The kinds of errors have a test of their own (test/api/problems/documents.test.ts).
    const { possibleStatus, ...document } = response.json()
    const lines = await quadsOf(document)
    quads.set(
      name,
      lines.map((line) => line.replaceAll(SEALED_CURSOR, 'cursor')),
    )
  }
  return quads
}
