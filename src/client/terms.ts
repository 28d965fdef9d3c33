/** JSON-LD as far as hypermedia needs it: which IRI a term stands for, by the inline context and well-known prefixes. */
export type Json = Readonly<Record<string, unknown>>

export const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const PREFIXES: Json = { '@vocab': HYDRA, hydra: HYDRA, xsd: 'http://www.w3.org/2001/XMLSchema#' }

/**
 * A node, or another value, together with what its terms mean there. Properties are asked for by the last
 * part of their IRIs: no two vocabularies of a documentation give one name two meanings in the same place.
 */
export interface Node {
  /** As written. */
  readonly value: unknown
  /** The same of a node, without its context. */
  readonly data: Json
  /** Of a node, or what the value says where it is an IRI. */
  readonly id: string | undefined
  /** The IRIs of its classes. */
  readonly types: readonly string[]
  /** Of the answer, where this is all of it. */
  readonly headers: Headers | undefined
  all(...names: string[]): Node[]
  one(name: string): Node | undefined
  /** The first value of the first of the properties that has one; otherwise nothing. */
  text(...names: string[]): string
}

/** What was answered, and at which address. */
export interface Document {
  readonly body: unknown
  readonly url: string
  readonly headers: Headers
}

/** The nodes of a flat document, by their IRIs: what is said of one in several places belongs together. */
type Index = Readonly<Record<string, Json[]>>

export function openDocument(document: Document): Node {
  const { body, url } = document
  // An expanded document is a bare list.
  const json = isJson(body) ? body : { '@graph': body }
  const terms = withContext(PREFIXES, json['@context'])
  const graph = list(json['@graph']) as Json[]
  const index = Object.groupBy(graph, (node) => expandIri(node?.['@id'], terms, url)) as Index
  return createNode(json, PREFIXES, index, url, document)
}

function createNode(value: unknown, outer: Json, index: Index, url: string, document?: Document): Node {
  const { '@context': context, ...data }: Json = isJson(value) ? value : { '@id': value }
  const terms = withContext(outer, context)
  const id = '@id' in data ? expandIri(data['@id'], terms, url) : document?.url
  const entries = (index[id ?? ''] ?? [data]).flatMap(Object.entries<unknown>)

  const all = (...names: string[]): Node[] =>
    entries.flatMap(([key, written]) => {
      if (!names.includes(lastName(expandTerm(key, terms)))) return []
      const definition = terms[key]
      const inner = isJson(definition) ? withContext(terms, definition['@context']) : terms
      return plain(written).map((one) => createNode(one, inner, index, url))
    })

  return {
    value,
    data,
    id,
    types: all('@type').map((type) => expandTerm(`${type.value}`, terms)),
    headers: document?.headers,
    all,
    one: (name) => all(name)[0],
    text(...names) {
      const value = names.flatMap((name) => all(name))[0]?.value
      // Texts by language: any of them is better than none.
      return `${(isJson(value) ? Object.values(value)[0] : value) ?? ''}`
    },
  }
}

/** JSON-LD 1.1 §4.1: later contexts add to earlier ones, null begins anew. Those that would have to be fetched are not. */
function withContext(outer: Json, context: unknown): Json {
  let terms = outer
  for (const one of [context].flat()) {
    if (one === null) terms = PREFIXES
    if (isJson(one)) terms = { ...terms, ...one }
  }
  return terms
}

function expandTerm(term: string, terms: Json): string {
  const find = (name: string): unknown => (terms[name] as Json | undefined)?.['@id'] ?? terms[name]
  const meaning = find(term)
  if (typeof meaning === 'string' && meaning !== term) return expandTerm(meaning, terms)
  if (term[0] === '@') return term
  const [prefix = '', ...rest] = term.split(':')
  if (!rest.length) return terms['@vocab'] + term
  const start = find(prefix)
  return typeof start === 'string' ? expandTerm(start, terms) + rest.join(':') : term
}

/** Documents write terms, and names with a prefix, where an IRI is meant. */
function expandIri(written: unknown, terms: Json, url: string): string {
  const value = `${written}`
  return (
    URL.parse(value in terms || value.includes(':') ? expandTerm(value, terms) : value, url)?.href ?? value
  )
}

/** Values as they are, out of what JSON-LD may wrap around them; some servers write "null" for nothing. */
const plain = (value: unknown): unknown[] =>
  list(value).flatMap((one) =>
    isJson(one) ? list(one['@list'] ?? one['@value'] ?? one) : one === 'null' ? [] : one,
  )

export const isJson = (value: unknown): value is Json => value instanceof Object && !Array.isArray(value)

export const list = (value: unknown): readonly unknown[] => [value ?? []].flat()

export const lastName = (iri: string): string => iri.replace(/.*[:#/]/, '')
