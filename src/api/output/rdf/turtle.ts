import type { Quad, Writer } from 'n3'

const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

/** Prefixes and what they stand for; those that a text does not use are left out of it. */
export type Prefixes = readonly (readonly [prefix: string, namespace: string])[]

/** `vocab`: the namespace of the document's own terms, each of whose classes has a namespace of properties below it. */
export function writeTurtle(
  quads: readonly Quad[],
  createWriter: typeof Writer,
  known: Prefixes,
  vocab: string | undefined,
): string {
  const prefixes = usedPrefixes(quads, vocab === undefined ? known : [...known, ['', vocab]], vocab)
  return write(quads, new createWriter({ prefixes }))
}

export const writeQuads = (quads: readonly Quad[], createWriter: typeof Writer): string =>
  write(quads, new createWriter({ format: 'application/n-quads' }))

function write(quads: readonly Quad[], writer: Writer): string {
  let text = ''
  writer.addQuads([...quads])
  writer.end((_, result: string) => {
    text = result
  })
  return text
}

function usedPrefixes(quads: readonly Quad[], known: Prefixes, vocab: string | undefined) {
  const prefixOf = new Map(known.map(([prefix, namespace]) => [namespace, prefix]))
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
    if (predicate.value !== RDF_TYPE) yield predicate.value
    if (object.termType === 'NamedNode') yield object.value
    else if (object.termType === 'Literal') yield object.datatypeString
  }
}
