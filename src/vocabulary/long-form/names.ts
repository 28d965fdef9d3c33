import { isClassName } from '../names.ts'
import { HYDRA, OWL, RDF, RDFS, SH, XSD } from '../namespaces.ts'
import type { Node } from './graph.ts'

/** The last part of an IRI, as a name: `http://example.org/vocab#Drone/speed` → `speed`. */
export function lastPart(iri: string): string {
  let end = iri.length
  while (iri[end - 1] === '#' || iri[end - 1] === '/') end--
  const part =
    iri
      .slice(0, end)
      .split(/[#/:?]/)
      .at(-1) ?? ''
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}

/** Whether it names this term of Hydra; some documents forget that `@id` is not looked up in their vocabulary. */
export const isHydraTerm = (iri: string, term: string, known: (iri: string) => boolean): boolean =>
  iri === HYDRA + term || (lastPart(iri) === term && !known(iri))

/** Of the names that a document gives, the first that can be a class's: letters and digits, a capital first. */
export function classNameOf(candidates: readonly (string | undefined)[]): string | undefined {
  for (const candidate of candidates) {
    const words = candidate?.normalize('NFC').split(/[_-]+/) ?? []
    const name = words.map((word) => word.replace(/^\p{CWT}/u, (first) => first.toUpperCase())).join('')
    if (/^\p{L}/u.test(words[0] ?? '') && isClassName(name)) return name
  }
  return undefined
}

/** What a document without types for its terms writes as a plain string. */
const PREFIXES = new Map([
  ['xsd', XSD],
  ['xmls', XSD],
  ['rdf', RDF],
  ['rdfs', RDFS],
  ['owl', OWL],
  ['hydra', HYDRA],
  ['sh', SH],
  ['schema', 'http://schema.org/'],
])

/** The IRIs that are values of a property, by node or (where its term has no `@type`) by a plain string. */
export function irisOf(node: Node, ...properties: string[]): string[] {
  const named = node.nodes(...properties).map(({ id }) => id)
  const written = node.literals(...properties).map(({ value }) => absolute(String(value)))
  return [...named, ...written].filter((iri) => lastPart(iri) !== 'null')
}

function absolute(text: string): string {
  const [, prefix = '', rest = ''] = /^([a-z]+):(?!\/\/)(.*)$/.exec(text) ?? []
  const namespace = PREFIXES.get(prefix)
  return namespace === undefined ? text : namespace + rest
}

/** A text, where there is one: some servers write `"null"` for nothing. */
export function textOf(node: Node, ...properties: string[]): string | undefined {
  const text = node.text(...properties)
  return text === undefined || text === '' || text === 'null' ? undefined : text
}

/** True or false, also as a string, which older servers write. */
export function flagOf(node: Node, property: string): boolean | undefined {
  const text = node.text(property)?.toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}
