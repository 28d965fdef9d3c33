import assert from 'node:assert/strict'
import type { Json, SignedIn } from './signed-in.ts'

export interface Described extends Json {
  readonly '@id': string
  readonly supportedClass: readonly Described[]
  readonly supportedProperty: readonly Described[]
  readonly supportedOperation: readonly Described[]
  readonly property: Described
  readonly linkedBy: Described
  readonly shapes: readonly Described[]
}

/** An API whose documentation has a bit of everything. */
export const LIBRARY = `
title: Library
description: Books and the people who write them
classes:
  Author:
    properties:
      name: { type: string, required: true, title: Full name, description: As on the cover }
  Book:
    iri: http://schema.org/Book
    operations: [list, read]
    properties:
      title: { type: string, required: true, iri: http://schema.org/name }
      price: decimal
      author: { type: Author, required: true }
      sequels: { type: Book, many: true }
      createdAt: { type: dateTime, writable: false, default: now }
`

/** Single resources, and a value that is embedded in one of them. */
export const PARTS = `
  Settings:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { office: { type: Address, required: true }, welcome: langString }
  Motto: { collection: false, operations: [read], properties: { text: string } }
  Address: { collection: false, properties: { street: { type: string, maxLength: 100 } } }
`

export async function readDocumentation({ get }: SignedIn): Promise<Described> {
  const response = await get('/vocab')
  assert.equal(response.status, 200)
  return response.json() as Described
}
