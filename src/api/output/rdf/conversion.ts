import type { Quad, Writer } from 'n3'
import { expand, HYDRA, OWL, RDF, RDFS, SCHEMA, SH, XSD } from '../../../vocabulary/index.ts'
import { quadsOf } from './quads.ts'

export const RDF_TYPES = ['text/turtle', 'application/n-quads'] as const

export type RdfType = (typeof RDF_TYPES)[number]

/** A document of this server, as JSON-LD text whose contexts are inline, and what it is to become. */
export interface Conversion {
  readonly text: string
  readonly mediaType: RdfType
}

/** Prefixes and what they stand for; those that a text does not use are left out of it. */
type Prefixes = readonly (readonly [prefix: string, namespace: string])[]

/** The names that these namespaces usually have. */
const USUAL_PREFIXES: Prefixes = [
  ['hydra', HYDRA],
  ['rdf', RDF],
  ['rdfs', RDFS],
  ['xsd', XSD],
  ['owl', OWL],
  ['sh', SH],
  ['schema', SCHEMA],
  ['schema', 'http://schema.org/'],
]

/** Both libraries are loaded on first use: most services are never asked. */
export async function convert({ text, mediaType }: Conversion, known = USUAL_PREFIXES): Promise<string> {
  const { DataFactory, Writer } = await import('n3')
  const document = JSON.parse(text)
  const { nodes } = await expand(document, { base: '', findContext: () => undefined })
  const quads = quadsOf(nodes, DataFactory)
  if (mediaType === 'application/n-quads') return write(quads, new Writer({ format: mediaType }))
  return write(quads, new Writer({ prefixes: usedPrefixes(quads, known, vocabOf(document)) }))
}

/** Every context here is one object. */
function vocabOf(document: { readonly '@context'?: { readonly '@vocab'?: unknown } }): string | undefined {
  const vocab = document['@context']?.['@vocab']
  return typeof vocab === 'string' ? vocab : undefined
}

function write(quads: readonly Quad[], writer: Writer): string {
  let text = ''
  writer.addQuads([...quads])
  writer.end((_, result: string) => {
    text = result
  })
  return text
}

/** `vocab`: the namespace of the document's own terms, each of whose classes has a namespace of properties below it. */
function usedPrefixes(quads: readonly Quad[], known: Prefixes, vocab: string | undefined) {
  const prefixOf = new Map(known.map(([prefix, namespace]) => [namespace, prefix]))
  if (vocab !== undefined) prefixOf.set(vocab, '')
  const used: Record<string, string> = {}
  const schemes = new Set<string>()
  const seen = new Set<string>()
  for (const iri of irisOf(quads)) {
    schemes.add(iri.slice(0, iri.indexOf(':')))
    // The writer writes an IRI with other letters in full.
    if (/\P{ASCII}/u.test(iri)) continue
    const namespace = iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
    if (seen.has(namespace)) continue
    seen.add(namespace)
    const prefix = prefixOf.get(namespace) ?? classPrefix(namespace, vocab)
    if (prefix !== undefined) used[prefix] ??= namespace
  }
  // The writer takes an IRI that begins like a prefix for a name that has it.
  return Object.fromEntries(Object.entries(used).filter(([prefix]) => !schemes.has(prefix)))
}

/** `Book:` for the properties of Book, `{vocab}Book/`. */
function classPrefix(namespace: string, vocab: string | undefined): string | undefined {
  if (vocab === undefined || !namespace.startsWith(vocab)) return undefined
  return /^([A-Z][A-Za-z0-9]*)\/$/.exec(namespace.slice(vocab.length))?.[1]
}

function* irisOf(quads: readonly Quad[]): Iterable<string> {
  for (const { subject, predicate, object } of quads) {
    if (subject.termType === 'NamedNode') yield subject.value
    // Written as `a`.
    if (predicate.value !== `${RDF}type`) yield predicate.value
    if (object.termType === 'NamedNode') yield object.value
    else if (object.termType === 'Literal') yield object.datatypeString
  }
}
