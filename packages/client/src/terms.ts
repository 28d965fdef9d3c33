/** The part of JSON-LD that hypermedia needs: the IRI of a term, from the inline context and well-known prefixes. */
export type JsonRecord = Readonly<Record<string, unknown>>

export const HYDRA = 'http://www.w3.org/ns/hydra/core#'

/**
 * A node, or another value, with the context that gives its terms their meaning. A property is found by its IRI, by the
 * last part of its IRI, or by its key: the vocabularies of a documentation never use one name for two things in one
 * place.
 */
export interface JsonLdNode {
  /** As written in the document. */
  readonly value: unknown
  /** The value of a node, without its context. */
  readonly data: JsonRecord
  /** The IRI of a node; for another value, the value as an IRI. */
  readonly id: string | undefined
  /** The IRIs of its classes. */
  readonly types: readonly string[]
  /** The headers of the response, for the node of a whole document. */
  readonly headers: Headers | undefined
  all(...names: string[]): JsonLdNode[]
  one(name: string): JsonLdNode | undefined
  /** The first value of the first of these properties that has one; otherwise an empty text. */
  text(...names: string[]): string
}

/** The body of a response, and its address. */
export interface JsonLdDocument {
  readonly body: unknown
  readonly url: string
  readonly headers: Headers
}

const WELL_KNOWN: JsonRecord = { '@vocab': HYDRA, hydra: HYDRA, xsd: 'http://www.w3.org/2001/XMLSchema#' }

/** JSON-LD 1.1 §4.1: later contexts add to earlier ones, null starts over. Remote contexts are not fetched. */
const withContext = (outer: JsonRecord, context: unknown): JsonRecord => {
  let terms = outer
  for (const one of [context].flat()) {
    if (one === null) terms = WELL_KNOWN
    if (isJson(one)) terms = { ...terms, ...one }
  }
  return terms
}

/** Contexts may be circular, hence the limit. */
const expand = (term: string, terms: JsonRecord, depth = 9): string => {
  const find = (name: string): unknown => (terms[name] as JsonRecord | undefined)?.['@id'] ?? terms[name]
  const [prefix, ...rest] = term.split(':') as [string, ...string[]]
  const meaning = find(term)
  const start = find(prefix)
  const isText = (one: unknown): one is string => depth > 0 && one !== term && typeof one === 'string'
  if (isText(meaning)) return expand(meaning, terms, depth - 1)
  if (term[0] === '@') return term
  if (!rest.length) return terms['@vocab'] + term
  return isText(start) ? expand(start, terms, depth - 1) + rest.join(':') : term
}

/** Documents write terms and prefixed names instead of IRIs. */
const expandIri = (written: unknown, terms: JsonRecord, url: string): string => {
  const value = `${written}`
  return URL.parse(terms[value] || /:/.test(value) ? expand(value, terms) : value, url)?.href ?? value
}

export const openDocument = (document: JsonLdDocument): JsonLdNode => {
  const { body, url } = document
  // An expanded document is a bare list.
  const json = isJson(body) ? body : { '@graph': body }
  const terms = withContext(WELL_KNOWN, json['@context'])
  // A flat document may describe one node in several places.
  const index = Object.groupBy(list(json['@graph']) as JsonRecord[], (node) =>
    expandIri(node?.['@id'], terms, url),
  )

  const createNode = (value: unknown, outer: JsonRecord, whole?: JsonLdDocument): JsonLdNode => {
    const { '@context': context, ...data }: JsonRecord = isJson(value) ? value : { '@id': value }
    const terms = withContext(outer, context)
    const iri = '@id' in data ? expandIri(data['@id'], terms, url) : ''
    const entries = (index[iri] ?? [data])
      .flatMap(Object.entries<unknown>)
      .map(([key, written]) => [key, written, expand(key, terms)] as const)

    const all = (...names: string[]): JsonLdNode[] =>
      entries.flatMap(([key, written, property]) => {
        if (![key, property, lastName(property)].some((name) => names.includes(name))) return []
        const inner = withContext(terms, (terms[key] as JsonRecord | undefined)?.['@context'])
        return plain(written).map((one) => createNode(one, inner))
      })

    return {
      value,
      data,
      id: iri || whole?.url,
      // A getter, because a class may be an instance of itself.
      get types() {
        // Spelled like ids: an IRI may contain letters that are percent-encoded in a URL.
        return all('@type').map((type) => expandIri(expand(`${type.value}`, terms), terms, url))
      },
      headers: whole?.headers,
      all,
      one: (name) => all(name)[0],
      text(...names) {
        const value = names.flatMap((name) => all(name))[0]?.value
        // If there are texts by language, any of them is better than none.
        return `${(isJson(value) ? Object.values(value)[0] : value) ?? ''}`
      },
    }
  }
  return createNode(json, terms, document)
}

/** Unwraps the values of JSON-LD; some servers write "null" for no value. */
const plain = (value: unknown): unknown[] =>
  list(value).flatMap((one) =>
    isJson(one) ? list(one['@list'] ?? one['@value'] ?? one) : one === 'null' ? [] : one,
  )

export const isJson = (value: unknown): value is JsonRecord =>
  value instanceof Object && !Array.isArray(value)

export const list = (value: unknown): readonly unknown[] => [value ?? []].flat()

export const lastName = (iri: string): string => iri.split(/[:#/]/).pop() as string

/** The target of the first Link header (RFC 8288 §3) with this in its parameters. */
export const linkIn = (headers: Headers | undefined, relation: string): string | undefined =>
  headers
    ?.get('link')
    ?.split('<')
    .map((link) => link.split('>'))
    .find(([, parameters]) => parameters?.includes(relation))?.[0]

/** The text as it is, if it cannot be read. */
export const attempt = <T>(read: (text: string) => T, text: string): T | string => {
  try {
    return read(text)
  } catch {
    return text
  }
}
