import { type Json, type SignedIn, serveSignedIn } from '../api/signed-in.ts'

/** Every datatype, every constraint, links single and many, an embedded value and a single resource. */
export const EVERYTHING = `
title: Everything
description: One of each
classes:
  Country:
    collection: countries
    properties:
      name: { type: string, required: true, unique: true, minLength: 2, maxLength: 60 }
  Address:
    collection: false
    properties:
      street: { type: string, required: true }
      since: date
      country: Country
  Person:
    iri: http://schema.org/Person
    collection: people
    title: Person
    description: Somebody
    properties:
      title: { type: string, required: true, pattern: "^[A-Z]", iri: http://schema.org/name }
      description: { type: langString }
      code: { type: string, enum: [red, green], title: Colour, description: Which of the two }
      active: boolean
      children: { type: integer, minimum: 0, maximum: 20 }
      rank: nonNegativeInteger
      level: positiveInteger
      price: decimal
      height: double
      weight: float
      born: date
      seen: dateTime
      wakes: time
      patience: duration
      homepage: anyURI
      nicknames: { type: string, many: true }
      scores: { type: decimal, many: true }
      address: Address
      country: { type: Country, required: true, reverse: people }
      friends: { type: Person, many: true }
      notes: { type: string, filterable: false }
      createdAt: { type: dateTime, writable: false, default: now }
    operations: [list, create, read, update, replace, delete]
  Note:
    properties:
      text: string
    operations: [list, read, create]
  Motto:
    collection: false
    properties:
      text: { type: string, required: true }
    operations: [read, create, replace, update]
`

/** A person with a value for every property that can be written. */
export const PERSON = {
  title: 'Ann "the first" \\ ü\n\u{1f4da}',
  description: { en: 'First', de: 'Erste' },
  code: 'red',
  active: true,
  children: 2,
  rank: 0,
  level: 3,
  price: '12.50',
  height: 1.5,
  weight: 2,
  born: '1970-01-02',
  seen: '2024-02-29T12:00:00+02:00',
  wakes: '06:30:00',
  patience: 'P1DT2H',
  homepage: 'http://example.org/ann',
  nicknames: ['A', 'B'],
  scores: ['1.0', '2'],
  notes: 'none',
}

export interface Everything extends SignedIn {
  /** What is there: addresses below the base. */
  readonly country: string
  readonly ann: string
  readonly ben: string
  put(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Json>
}

type Options = Parameters<typeof serveSignedIn>[1]

/** Ids are chosen, so that what is served is the same on every run. */
export async function serveEverything(
  t: Parameters<typeof serveSignedIn>[0],
  options: Options = {},
): Promise<Everything> {
  const service = await serveSignedIn(t, { api: EVERYTHING, ...options })
  const { base, send } = service
  const put: Everything['put'] = async (path, body, headers = { 'If-None-Match': '*' }) => {
    const response = await send(
      'PUT',
      path,
      { 'Content-Type': 'application/ld+json', ...headers },
      JSON.stringify(body),
    )
    if (response.status >= 300) throw new Error(response.body)
    return response.json()
  }
  const [country, ann, ben] = ['/countries/es', '/people/ann', '/people/ben']
  await put(country, { name: 'Spain' })
  await put(ben, { title: 'Ben', country: base + country })
  await put(ann, {
    ...PERSON,
    country: base + country,
    friends: [base + ben],
    address: { street: 'Long Road 1', since: '2001-02-03', country: base + country },
  })
  await put('/Motto', { text: 'One of each' })
  return { ...service, country, ann, ben, put }
}
