import assert from 'node:assert/strict'
import { createReadQuery, type ParsedQuery } from '../../src/api/query/query.ts'
import { createTextCipher } from '../../src/seal.ts'
import {
  type CollectionClass,
  hasCollection,
  type Model,
  type ReverseLink,
} from '../../src/vocabulary/index.ts'
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

/** Classes that paths lead through: links, embedded values with one value and with many, and a cycle. */
export const ORDERS = `
classes:
  Customer:
    label: [name, partner, born]
    properties:
      name: string
      born: integer
      joined: dateTime
      partner: Customer
      friends: { type: Customer, many: true }
      address: Address
      ne: string
      notes: { type: string, filterable: false }
      secret: { type: Vault, filterable: false }
  Vault: { properties: { size: integer } }
  Address: { collection: false, properties: { city: string, country: Country } }
  Country: { properties: { name: string, kinds: { type: string, many: true } } }
  Product: { properties: { name: string, maker: Customer, price: decimal } }
  Part: { collection: false, properties: { size: integer, code: string } }
  Line:
    collection: false
    properties:
      amount: integer
      note: string
      product: Product
      parts: { type: Part, many: true }
  Order:
    properties:
      number: integer
      state: { type: string, enum: [new, paid] }
      customer: Customer
      others: { type: Customer, many: true }
      address: Address
      lines: { type: Line, many: true }
      vault: Vault
`

/** The model of an API whose customers have their orders, and whose products have the orders of them. */
export const ordersModel = (): Model => {
  const reverse = (name: string, property: string) => ({
    ...{ name, property },
    ...{ className: 'Order', collection: 'orders' },
  })
  const links: Readonly<Record<string, readonly ReverseLink[]>> = {
    Customer: [reverse('orders', 'customer'), reverse('assists', 'others')],
    Product: [reverse('orders', 'lines.product')],
  }
  const model = modelOf(ORDERS)
  const classes = model.classes.map((cls) => ({ ...cls, reverseLinks: links[cls.name] ?? [] }))
  return { ...model, classes }
}

export const SEAL = createTextCipher(Buffer.alloc(32, 1), 'cursors')

export const BASE = 'http://localhost:8080/api'

export const classOf = (api: string, name: string): CollectionClass => classIn(modelOf(api), name)

export function classIn({ classes }: Model, name: string): CollectionClass {
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
