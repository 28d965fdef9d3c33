import type { BlankNode, DataFactory, Literal, NamedNode, Quad } from 'n3'
import { type ExpandedNode, RDF, XSD } from '../../../vocabulary/index.ts'

type Terms = typeof DataFactory

/**
 * The triples of expanded JSON-LD (JSON-LD 1.1 API §8.1), each once, by subject, in the order of the document. Not by
 * the processor's own conversion: it compares every value of a property with every other one, so that a page of 100
 * members with 1,000 values each takes seconds, and it writes small numbers such as 1e-7 as 0.
 */
export function quadsOf(nodes: readonly ExpandedNode[], terms: Terms): Quad[] {
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
    const subject = typeof node['@id'] === 'string' ? iri(node['@id']) : newBlank()
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
