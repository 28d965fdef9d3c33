import { type Client, createClient } from 'hydrant-client'
import { PARAPHRASE, USER } from '../../../support/client.ts'

export const THEATRE = `
title: Theatre
classes:
  Person:
    properties:
      name: { type: string, required: true }
      home: { type: Address, required: true }
      friends: { type: Person, many: true }
      motto: langString
  Address:
    collection: false
    properties:
      town: string
  Play:
    properties:
      title: string
      director: { type: Person, required: true }
  Settings:
    collection: false
    operations: [read, update]
    properties:
      hours: string
`

export const clientOf = (base: string): Client =>
  createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
