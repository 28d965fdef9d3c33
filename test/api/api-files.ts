/** The datatypes, the constraints and the links, each in one property. */
export const EVERYTHING = `
classes:
  Author:
    properties:
      name: { type: string, required: true }
  Publisher:
    properties:
      name: string
  Book:
    properties:
      title: { type: string, required: true, maxLength: 5 }
      isbn: { type: string, pattern: "^[0-9X-]+$", unique: true }
      code: { type: decimal, unique: true }
      pages: { type: integer, minimum: 1 }
      rank: positiveInteger
      stock: nonNegativeInteger
      price: { type: decimal, minimum: 0 }
      weight: double
      ratio: float
      published: date
      printedAt: dateTime
      opens: time
      length: duration
      page: anyURI
      available: boolean
      genres: { type: string, many: true, minLength: 1 }
      author: Author
      editors: { type: Author, many: true }
      createdAt: { type: dateTime, writable: false, default: now }
      language: { type: string, default: en }
`

/** Links, lists and plain values, for what is stored of them. */
export const SHELF = `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      title: string
      author: Author
      notes: string
      editors: { type: Author, many: true }
      genre: string
      tags: { type: string, many: true }
      pages: integer
      shelves: { type: string, many: true, default: [] }
`
