import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { PROBLEM_TYPES } from '../../../src/api/problems/index.ts'
import { fingerprintOf, propertiesWithin } from '../../../src/vocabulary/finish-classes.ts'
import type { Class, Model, Property } from '../../../src/vocabulary/index.ts'
import { createDocumentation } from '../../../src/vocabulary/index.ts'
import { isFilterable } from '../../../src/vocabulary/keys.ts'
import { readLongForm } from '../../../src/vocabulary/long-form/long-form.ts'
import { ANY_SCRIPT } from '../../clients/scripts.ts'
import { ROOT } from '../../support/markdown.ts'
import { modelOf } from '../../support/service.ts'

/** The documentation of a model, read back as an API file. */
async function readBack(model: Model, base = 'http://localhost:8080/api'): Promise<Model> {
  const documentation = createDocumentation(model, base, { session: true, problemTypes: PROBLEM_TYPES })
  const found = await readLongForm(JSON.stringify(documentation), 'vocab.jsonld')
  assert.ok('model' in found, JSON.stringify(found))
  return found.model
}

/**
 * What the documentation can say. It is silent on what is no concern of clients (whether a property is filterable or
 * was renamed), and has no word for some defaults: a property that only such a default fills in is
 * taken for one that nothing fills in, which cannot be required.
 */
function sayable(model: Model): Model {
  return { ...model, classes: model.classes.map(sayableClass) }
}

function sayableClass(cls: Class): Class {
  const properties = cls.properties.map((property): Property => {
    const { range } = property
    const known = property.default?.kind === 'value' && !property.many ? property.default : undefined
    return {
      ...property,
      range: range.kind === 'embedded' ? { ...range, cls: sayableClass(range.cls) } : range,
      required:
        property.required && (property.writable || known !== undefined || property.always !== undefined),
      filterable: isFilterable(property),
      default: known,
      formerName: undefined,
    }
  })
  const within = propertiesWithin(properties)
  const fingerprint = fingerprintOf({ ...cls, properties }, within)
  return { ...cls, properties, within, fingerprint, formerName: undefined }
}

test('The documentation of the library is read back as the same model', async () => {
  const model = modelOf(await readFile(`${ROOT}/examples/library.yaml`, 'utf8'))
  assert.deepEqual(await readBack(model), sayable(model))
})

// contract: **Long form**
test('The documentation of everything that the short form can say is read back as the same model', async () => {
  const model = modelOf(EVERYTHING)
  assert.deepEqual(await readBack(model), sayable(model))
})

test('The documentation of names of any script is read back as the same model', async () => {
  const model = modelOf(ANY_SCRIPT)
  assert.deepEqual(await readBack(model), sayable(model))
})

test('The address that the documentation was served at does not matter', async () => {
  const model = modelOf(EVERYTHING)
  assert.deepEqual(await readBack(model, 'https://api.example.org'), await readBack(model))
})

// contract: The older vocabulary is understood as far as
test('Methods of others survive', async () => {
  const model = modelOf('classes:\n  Book: { properties: { name: string } }\n')
  const methods = { create: ['POST', 'PUT'], replace: ['POST'] } as const
  const classes = model.classes.map((cls): Class => ({ ...cls, methods }))
  const [book] = (await readBack({ ...model, classes })).classes
  assert.deepEqual(book?.methods, methods)
})

const EVERYTHING = `
title: Everything
description: Every kind of class and property
classes:
  Country:
    collection: lands
    operations: [list, read]
    properties:
      names: langString
  Club:
    history: true
    properties:
      history: string
      seat: { type: Country, iri: http://schema.org/location, reverse: clubs }
  Address:
    collection: false
    title: Postal address
    properties:
      street: { type: string, required: true, maxLength: 80 }
      country: { type: Country, required: true }
      position: Position
  Position:
    collection: false
    description: Where something is
    properties:
      latitude: { type: double, minimum: -90, maximum: 90 }
  Settings:
    collection: false
    operations: [read, create, replace, update, delete]
    properties:
      theme: { type: string, enum: [light, dark] }
      contact: Address
  DropBox:
    history: true
    operations: [create]
    properties:
      message: { type: string, required: true }
  Person:
    iri: http://schema.org/Person
    title: A person
    description: Somebody
    label: [nick, name]
    plural: folks
    unique: [[name, boss], [born, age]]
    properties:
      name: { type: string, required: true, iri: http://schema.org/name, title: Full name }
      nick: { type: string, minLength: 2, maxLength: 20, pattern: "^[a-z]+$", unique: true }
      age: { type: nonNegativeInteger, maximum: 150 }
      rank: { type: positiveInteger, enum: [1, 2, 3] }
      score: { type: integer, minimum: -5 }
      height: { type: decimal, minimum: 0.1, maximum: 2.75 }
      grade: { type: decimal, enum: ["1.0", "1.3"] }
      ratio: { type: float, minimum: 0.5 }
      active: { type: boolean, default: true }
      born: { type: date, default: 2000-01-01 }
      visits: { type: integer, writable: false, required: true, default: 0 }
      wage: { type: decimal, default: "12.50" }
      weight: { type: double, default: 70.5 }
      motto: { type: string, default: none }
      colours: { type: string, many: true, default: [red] }
      changedAt: { type: dateTime, always: now, required: true }
      changedBy: { type: integer, always: user }
      rate: { type: decimal, scale: 2, unit: EUR, example: "12.50" }
      partner: { type: Person, onDelete: unset }
      guardian: { type: Person, onDelete: delete, required: true }
      seen: { type: dateTime, writable: false, default: now, required: true }
      wakes: { type: time, unique: true }
      sleeps: duration
      homepage: { type: anyURI, maxLength: 200 }
      tags: { type: string, many: true, enum: [a, b] }
      address: { type: Address, required: true }
      formerAddresses: { type: Address, many: true }
      boss: { type: Person, unique: true, reverse: reports }
      friends: { type: Person, many: true, description: Not only close ones, reverse: Person }
      countries: { type: Country, many: true, iri: http://schema.org/location, reverse: people }
      notes: { type: string, filterable: false, multiline: true }
      title: string
      description: string
      member: string
      id: string
      type: string
`
