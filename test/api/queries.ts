import assert from 'node:assert/strict'
import { createReadQuery, type ParsedQuery } from '../../src/api/query/query.ts'
import { createTextCipher } from '../../src/seal.ts'
import { type CollectionClass, hasCollection, type Model } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'

/** A property of each kind that a query may name, and of each that it may not. */
export const KINDS = `
classes:
  Author: { properties: { name: string } }
  Address: { collection: false, properties: { street: string } }
  Kind:
    properties:
      text: string
      iri: anyURI
      whole: integer
      natural: nonNegativeInteger
      positive: positiveInteger
      price: decimal
      size: double
      small: float
      day: date
      instant: dateTime
      flag: boolean
      author: Author
      tags: { type: string, many: true }
      scores: { type: integer, many: true }
      authors: { type: Author, many: true }
      noon: time
      span: duration
      spoken: langString
      address: Address
      notes: { type: string, filterable: false }
`

export const SEAL = createTextCipher(Buffer.alloc(32, 1), 'cursors')

export const BASE = 'http://localhost:8080/api'

export const classOf = (api: string, name: string): CollectionClass => classIn(modelOf(api), name)

function classIn({ classes }: Model, name: string): CollectionClass {
  const cls = classes.find((candidate) => candidate.name === name)
  assert.ok(cls !== undefined && hasCollection(cls))
  return cls
}

/** What the collection of a class understands of a query. */
export function readerOf(api: string, name: string): (query: string) => ParsedQuery {
  return readerIn(modelOf(api), name)
}

export function readerIn(model: Model, name: string): (query: string) => ParsedQuery {
  const pageSizes = { standard: 20, maximum: 100, bytes: 1_000_000 }
  const read = createReadQuery({ cls: classIn(model, name), model, base: BASE, pageSizes, seal: SEAL })
  return (query) => read(query, 'bounded')
}
