import assert from 'node:assert/strict'
import type { ApiFileResult } from '../../../src/vocabulary/findings.ts'
import type { Class, Model } from '../../../src/vocabulary/index.ts'
import { readLongForm } from '../../../src/vocabulary/long-form/long-form.ts'
import { inShort } from '../../support/problems.ts'

export type Json = { readonly [key: string]: unknown }

export const HYDRA_CONTEXT = 'http://www.w3.org/ns/hydra/context.jsonld'

/** A documentation of these classes in Hydra's own terms; `Book` is `http://example.org/vocab#Book`. */
export const documentOf = (supportedClass: unknown, more: Json = {}): Json => ({
  '@context': [HYDRA_CONTEXT, { '@vocab': 'http://example.org/vocab#', sh: 'http://www.w3.org/ns/shacl#' }],
  '@id': 'http://example.org/vocab',
  '@type': 'ApiDocumentation',
  title: 'Example',
  supportedClass,
  ...more,
})

export const operations = (...methods: string[]): Json[] =>
  methods.map((method) => ({ '@type': 'Operation', method, title: method, returns: 'owl:Nothing' }))

/** The title is the name; `range` may be left out. */
export const supported = (title: string, range?: unknown, more: Json = {}, about: Json = {}): Json => ({
  '@type': 'SupportedProperty',
  title,
  property: {
    '@id': `http://example.org/vocab#${title}`,
    '@type': 'rdf:Property',
    ...(range === undefined ? {} : { range }),
    ...about,
  },
  ...more,
})

export const classOf = (
  name: string,
  supportedProperty: unknown,
  supportedOperation: unknown = [],
): Json => ({
  '@id': `http://example.org/vocab#${name}`,
  '@type': 'Class',
  title: name,
  supportedProperty,
  supportedOperation,
})

/** The collection of a class, as a class of its own. */
export const collectionOf = (
  name: string,
  supportedOperation: unknown = operations('GET', 'POST'),
): Json => ({
  '@id': `http://example.org/vocab#${name}Collection`,
  '@type': 'Class',
  title: `${name} collection`,
  subClassOf: 'hydra:Collection',
  memberAssertion: { property: 'rdf:type', object: name },
  supportedOperation,
})

/** An entry point with a link to the collection of each class. */
export const entryPointTo = (links: Readonly<Record<string, string>>): Json => ({
  '@id': 'http://example.org/vocab#EntryPoint',
  '@type': 'Class',
  title: 'EntryPoint',
  supportedProperty: Object.entries(links).map(([path, name]) => ({
    title: path,
    property: {
      '@id': `http://example.org/vocab#EntryPoint/${path}`,
      '@type': 'Link',
      range: `${name}Collection`,
    },
  })),
})

/** A document that serves one class with everything around it, so that a test changes one thing. */
export const bookDocument = (properties: unknown, more: readonly Json[] = [], methods = operations('GET')) =>
  documentOf([
    entryPointTo({ books: 'Book' }),
    collectionOf('Book'),
    classOf('Book', properties, methods),
    ...more,
  ])

export const read = (document: Json): Promise<ApiFileResult> =>
  readLongForm(JSON.stringify(document), 'example.jsonld')

export async function modelOf(document: Json): Promise<Model> {
  const found = await read(document)
  assert.ok('model' in found, JSON.stringify(found))
  return found.model
}

export async function classesOf(document: Json): Promise<Map<string, Class>> {
  return new Map((await modelOf(document)).classes.map((cls) => [cls.name, cls]))
}

export async function notesOf(document: Json): Promise<readonly string[]> {
  const found = await read(document)
  assert.ok('notes' in found, JSON.stringify(found))
  return found.notes.map((note) => `${note.kind === 'ignored' ? 'ignored ' : ''}${inShort(note)}`)
}

export async function problemsOf(document: Json | string): Promise<string[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const found = await readLongForm(text, 'example.jsonld')
  assert.ok('problems' in found, 'it was accepted')
  return found.problems.map(inShort)
}
