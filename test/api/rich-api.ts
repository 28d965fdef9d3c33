import type { OperationCall, Program } from '../../src/api/index.ts'
import { modelOf } from '../support/service.ts'

/** Every datatype, constraint, rule and kind of class; defaults in lists; and names that OpenAPI's keys may not have. */
export const RICH = `
title: Everything
description: One of each
roles: [editor]
classes:
  Thing:
    description: Has it all
    access: { update: [editor, owner], delete: owner }
    properties:
      label: { type: string, required: true, minLength: 2, maxLength: 9, unique: true }
      code: { type: string, pattern: "^[A-Z]+$" }
      size: { type: string, enum: [small, large], default: small }
      stock: { type: integer, default: 0 }
      count: { type: integer, minimum: 3, maximum: 5 }
      natural: { type: nonNegativeInteger, minimum: -5 }
      positive: positiveInteger
      price: { type: decimal, minimum: 1 }
      step: { type: decimal, enum: [0.50, 1] }
      weight: double
      ratio: float
      day: date
      at: dateTime
      slot: { type: dateTime, enum: ["2026-01-31T12:00:00Z"] }
      clock: time
      long: duration
      page: anyURI
      name: langString
      open: boolean
      tags: { type: string, many: true }
      next: { type: Thing, reverse: former }
      all: { type: Thing, many: true }
      hidden: Secret
      place: Place
      lines: { type: Line, many: true }
      madeAt: { type: dateTime, writable: false, default: now }
      constructor: string
      größe: integer
  Place: { collection: false, properties: { street: { type: string, required: true }, of: Größe, floor: { type: integer, default: 0 } } }
  Line:
    collection: false
    properties: { product: { type: string, required: true }, count: { type: integer, default: 1 }, of: Größe }
  Größe: { collection: größen, operations: [list, read], properties: { a: string } }
  書: { collection: 本, access: { view: everyone, create: everyone, replace: editor }, properties: { 題: string, thing: { type: Thing, reverse: 書々 } } }
  本: { collection: other, properties: { 題: string, operation: { type: string }, thing: string, 書: 書 } }
  Secret: { access: { all: nobody }, properties: { text: string } }
  Settings:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { motto: string, place: Place }
`

/** Operations of a program: with a body and without, which return a member, a value without an address, or nothing. */
export const OPERATIONS = {
  Thing: {
    weigh: {
      expects: 'Line',
      returns: 'Thing',
      access: 'everyone',
      handle: () => ({ label: 'value', stock: 3 }),
    },
    show: { returns: 'Thing', access: 'everyone', handle: ({ member }: OperationCall) => member },
    'change-place': { expects: 'Place', returns: 'Place', access: 'owner', handle: () => undefined },
  },
  書: { follow: { access: 'editor', handle: () => undefined } },
  Settings: { reset: { returns: 'Settings', access: 'everyone', handle: () => ({ motto: 'again' }) } },
}

export const PROGRAM = { operations: OPERATIONS } as unknown as Program

export const richModel = () => modelOf(RICH, OPERATIONS)
