import { parentPort, workerData } from 'node:worker_threads'
import type { BlankNode, DataFactory, Literal, NamedNode, Quad } from 'n3'
import type { ThreadReply, ThreadRequest } from '../../../channel.ts'
import {
  type ExpandedNode,
  expand,
  HYDRA,
  OWL,
  RDF,
  RDFS,
  SCHEMA,
  SH,
  XSD,
} from '../../../vocabulary/index.ts'
import type { RdfType } from '../../request.ts'

type Prefixes = readonly (readonly [prefix: string, namespace: string])[]

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

/** Converts JSON-LD of this server to another RDF syntax. No context is ever fetched. */
export type ToRdf = (text: string, mediaType: RdfType) => Promise<string>

/** Both libraries are loaded on first use, since most services never serve RDF. */
export async function convert(text: string, mediaType: RdfType, known = USUAL_PREFIXES): Promise<string> {
  const { DataFactory, Writer } = await import('n3')
  const document = JSON.parse(text)
  const { nodes } = await expand(document, { base: '', findContext: () => undefined })
  const quads = quadsOf(nodes, DataFactory)
  const isTurtle = mediaType === 'text/turtle'
  // Every context here is one object.
  const vocab: string | undefined = document['@context']?.['@vocab']
  const writer = new Writer(
    isTurtle ? { prefixes: usedPrefixes(quads, known, vocab) } : { format: mediaType },
  )
  writer.addQuads(quads)
  let written = ''
  writer.end((_, result: string) => {
    written = result
  })
  return written
}

/**
 * The prefixes that the text uses. `vocab`: the namespace of the document's own terms, below which each class has a
 * namespace for its properties.
 */
function usedPrefixes(quads: readonly Quad[], known: Prefixes, vocab: string | undefined) {
  const prefixOf = new Map(known.map(([prefix, namespace]) => [namespace, prefix]))
  if (vocab !== undefined) prefixOf.set(vocab, '')
  const used: Record<string, string> = {}
  const schemes = new Set<string>()
  const seen = new Set<string>()
  for (const iri of irisOf(quads)) {
    schemes.add(iri.slice(0, iri.indexOf(':')))
    // The writer does not abbreviate an IRI with characters beyond ASCII.
    if (/\P{ASCII}/u.test(iri)) continue
    const namespace = iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
    if (seen.has(namespace)) continue
    seen.add(namespace)
    const prefix = prefixOf.get(namespace) ?? classPrefix(namespace, vocab)
    if (prefix !== undefined) used[prefix] ??= namespace
  }
  // If a prefix had the name of the scheme of an IRI, the writer would take that IRI for an abbreviated name.
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
    // The writer abbreviates rdf:type to `a`.
    if (predicate.value !== `${RDF}type`) yield predicate.value
    if (object.termType === 'NamedNode') yield object.value
    else if (object.termType === 'Literal') yield object.datatypeString
  }
}

type Terms = typeof DataFactory

/**
 * The triples of expanded JSON-LD (JSON-LD 1.1 API §8.1), each once, by subject, in the order of the document. The
 * processor's own conversion is not used: it compares every value of a property with every other one, so that a page of
 * 100 members with 1,000 values each takes seconds, and it writes small numbers such as 1e-7 as 0.
 */
function quadsOf(nodes: readonly ExpandedNode[], terms: Terms): Quad[] {
  const bySubject = new Map<string, Map<string, Quad>>()
  let blanks = 0
  const newBlank = () => terms.blankNode(`b${blanks++}`)
  const iri = (name: string) => terms.namedNode(name)

  function say(
    subject: NamedNode | BlankNode,
    predicate: NamedNode,
    object: NamedNode | BlankNode | Literal,
  ) {
    about(subject).set(`${predicate.id} ${object.id}`, terms.quad(subject, predicate, object))
  }

  function about({ id }: NamedNode | BlankNode): Map<string, Quad> {
    const known = bySubject.get(id)
    if (known !== undefined) return known
    const quads = new Map<string, Quad>()
    bySubject.set(id, quads)
    return quads
  }

  function describe(node: ExpandedNode): NamedNode | BlankNode {
    const id = node['@id']
    const subject = typeof id === 'string' ? iri(id) : newBlank()
    about(subject)
    for (const type of listOf<string>(node['@type'])) say(subject, iri(`${RDF}type`), iri(type))
    for (const [property, values] of Object.entries(node)) {
      if (property.startsWith('@')) continue
      const predicate = iri(property)
      for (const value of listOf<ExpandedNode>(values)) say(subject, predicate, objectOf(value))
    }
    for (const [property, values] of Object.entries(node['@reverse'] ?? {}))
      for (const value of listOf<ExpandedNode>(values)) say(describe(value), iri(property), subject)
    for (const included of listOf<ExpandedNode>(node['@included'])) describe(included)
    return subject
  }

  function objectOf(value: ExpandedNode): NamedNode | BlankNode | Literal {
    if ('@value' in value) return literalOf(value, terms)
    return '@list' in value ? chain(listOf<ExpandedNode>(value['@list'])) : describe(value)
  }

  function chain(values: readonly ExpandedNode[]): NamedNode | BlankNode {
    return values.reduceRight<NamedNode | BlankNode>(
      (rest, value) => {
        const cell = newBlank()
        say(cell, iri(`${RDF}first`), objectOf(value))
        say(cell, iri(`${RDF}rest`), rest)
        return cell
      },
      iri(`${RDF}nil`),
    )
  }

  for (const node of nodes) describe(node)
  return [...bySubject.values()].flatMap((quads) => [...quads.values()])
}

const listOf = <T>(values: unknown): readonly T[] => (Array.isArray(values) ? values : [])

/**
 * JSON-LD 1.1 API §8.2.2: a JSON number with a fraction, of 10²¹ or more, or of type double, is a canonical double
 * (XSD 1.1 part 2 §3.3.5.1), with as many digits as tell it from every other double. The 16 of that section do not.
 */
function literalOf(value: ExpandedNode, terms: Terms): Literal {
  const { '@value': native, '@type': type, '@language': language } = value
  if (type === '@json') return terms.literal(canonicalJson(native), terms.namedNode(`${RDF}JSON`))
  if (typeof language === 'string') return terms.literal(String(native), language)
  const typed = (text: string, usual: string) =>
    terms.literal(text, terms.namedNode(typeof type === 'string' ? type : `${XSD}${usual}`))
  if (typeof native === 'boolean') return typed(String(native), 'boolean')
  if (typeof native !== 'number') return typed(String(native), 'string')
  if (Number.isInteger(native) && Math.abs(native) < 1e21 && type !== `${XSD}double`)
    return typed(native.toFixed(0), 'integer')
  const [digits = '', exponent] = native.toExponential().split(/e\+?/)
  return typed(`${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`, 'double')
}

/** RFC 8785, which JSON-LD 1.1 API §8.2.2 asks for: without blanks, and with names in the order of their code units. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join()}}`
}

/** The worker data by which a thread knows that it runs this file. */
export const THREAD = 'hydrant RDF'

/** A conversion on that thread. */
export interface Task extends ThreadRequest {
  readonly of: Parameters<ToRdf>
}

if (workerData === THREAD)
  parentPort?.on('message', (tasks: Task[]) => {
    for (const { id, of } of tasks)
      convert(...of)
        .then(
          (value): ThreadReply => ({ id, value }),
          (failure: Error): ThreadReply => ({ id, failure }),
        )
        .then((answer) => parentPort?.postMessage([answer]))
  })
