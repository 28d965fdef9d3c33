/** Every datatype, alone and many times, with all that can be said of a property. */
export const EVERY_DATATYPE = `
title: every datatype, 2nd edition
description: |
  All of them.
  And how they are sent.
classes:
  Thing:
    title: A thing
    properties:
      string: { type: string, required: true, title: A text, description: As it is, minLength: 1, maxLength: 9 }
      boolean: { type: boolean, default: true }
      integer: { type: integer, minimum: -5, maximum: 5 }
      nonNegativeInteger: nonNegativeInteger
      positiveInteger: positiveInteger
      decimal: { type: decimal, required: true }
      double: { type: double, required: true, default: 1.5 }
      float: float
      date: { type: date, writable: false, default: now }
      dateTime: dateTime
      time: time
      duration: duration
      anyURI: anyURI
      langString: langString
      texts: { type: string, many: true, required: true }
      decimals: { type: decimal, many: true }
      flags: { type: boolean, many: true }
      other: { type: Thing, title: Another }
      others: { type: Thing, many: true, reverse: other-side }
      hidden: { type: string, filterable: false }
`

/** Values that can be chosen: only those with one spelling can be named by a type. */
export const CHOICES = `
title: Choices
classes:
  Choice:
    properties:
      word: { type: string, enum: [rock, "don't", 'a "quoted" one', 'back\\slash'], required: true }
      words: { type: string, enum: [a, b], many: true }
      number: { type: integer, enum: [-1, 0, 30] }
      ratio: { type: double, enum: [0.5, 1.0e+25] }
      price: { type: decimal, enum: [1.50, 2] }
      day: { type: date, enum: ["2026-11-15"] }
      page: { type: anyURI, enum: ["https://example.org/"] }
`

/** Values within members, and a single resource that is a value elsewhere as well. */
export const EMBEDDED = `
title: People
classes:
  Person:
    properties:
      name: { type: string, required: true }
      home: { type: Address, required: true }
      former: { type: Address, many: true }
      stamp: { type: Stamp, writable: false }
      taste: Taste
  Address:
    collection: false
    description: Where somebody lives
    properties:
      street: string
      town: { type: string, required: true }
      country: Country
      since: { type: date, writable: false, required: true, default: now }
  Stamp:
    collection: false
    properties:
      by: string
  Country:
    operations: [list, read, update]
    properties:
      name: string
  Secret:
    operations: [create, read]
    properties:
      word: { type: string, required: true }
  Log:
    collection: logbook
    operations: [list, create]
    properties: {}
  Taste:
    collection: false
    operations: [create, read, update]
    properties:
      dish: { type: string, required: true }
`

/** Names that mean something to TypeScript, to each other, or that are no identifiers. */
export const NAMES = `
title: Book
classes:
  Book:
    properties:
      Book: string
      link: Link
  BookInput:
    properties:
      constructor: { type: string, required: true }
      default: { type: string, writable: false, default: x }
      readonly: { type: string, writable: false, required: true, default: x }
      new: string
      toString: string
      valueOf: { type: string, many: true }
      get: string
      page: integer
      order: string
      q: boolean
      a-b: { type: string, required: true }
      _id: string
  BookQuery:
    collection: book-queries
    properties: { name: string }
  BookApi:
    collection: 0.b~c
    properties: { name: string }
  Link:
    properties: { to: Link, record: Record }
  Record:
    properties: { a: string }
  RecordMember:
    collection: new
    properties: { a: string }
`

/** Text that would like to be code. */
export const BREAKING_OUT = `
title: "*/ }\\nexport const escaped = 1 //\\u2028export const escapedToo = 2"
description: "@ts-expect-error"
classes:
  Trap:
    title: "*/ export const fromTitle = 1 /*"
    properties:
      plain: { type: string, description: "@ts-expect-error" }
      starred: { type: string, description: "*@ts-expect-error" }
      blank: { type: string, description: "* @ts-expect-error" }
      slash: { type: string, description: "/*/ @ts-expect-error" }
      last: { type: string, description: "one\\n@ts-expect-error" }
      ended: { type: string, description: "*/ } export const fromDescription = 1; interface X { /*" }
      hiddenEnd: { type: string, description: "*\\u200b/ } export const fromHidden = 1; interface X { /*" }
      lines: { type: string, description: "one\\r\\n*/\\u2028two\\u2029 @deprecated\\n\\n/**" }
      turned: { type: string, description: "right\\u202e left" }
      pattern: { type: string, pattern: "[*/]*/[*]/" }
      word:
        type: string
        enum: ["'", "\\\\", "\\\\'", "\\n", "\\u2028", "*/", "\${1}", "\`", "' | string", "\\u202e", "\\U0001F600"]
`

/** Operations of a program: on classes with and without an address, and with a class that takes the name of a type. */
/** Members that remember what they were; one has a property in the place of the link to that. */
export const REMEMBERING = `
title: Archive
history: true
classes:
  Book: { properties: { title: { type: string, required: true }, pages: integer } }
  Diary: { properties: { history: integer, deletion: string } }
  Plain: { history: false, properties: { text: string } }
`

export const OPERATED = `
title: Shop
classes:
  Order:
    properties:
      text: { type: string, required: true }
  Shipment:
    collection: false
    properties:
      carrier: { type: string, required: true }
  Receipt:
    collection: false
    properties:
      total: { type: decimal, required: true }
  Call:
    properties:
      number: string
`

const handle = () => undefined

export const OPERATIONS = {
  Order: {
    ship: { title: 'Ship the order', expects: 'Shipment', returns: 'Order', handle },
    'pay-for': { returns: 'Receipt', handle },
    touch: { handle },
  },
}
