import { HttpError } from '../../errors.ts'
import { readJson } from '../../json.ts'
import { nearest } from '../../text.ts'
import { EMPTY_FILE, type Findings } from '../findings.ts'
import { type Dropped, type ExpandedNode, expand, findBundledContext, LinkedDataError } from '../json-ld.ts'
import { HYDRA } from '../names.ts'
import { type Graph, graphOf, lastPart, type Node, quoted } from './graph.ts'

type Json = { readonly [key: string]: unknown }

/** An ApiDocumentation, whatever its spelling was. */
export interface Document {
  readonly graph: Graph
  readonly documentation: Node
  /** Whether a term is one of the document's own, and not of a public vocabulary. */
  readonly isOwn: (iri: string) => boolean
}

/** Far more than any API needs; expanding takes a second for each MiB. */
const MAX_SIZE = 16 * 1024 * 1024

/** The base of a document without an address: RFC 6761 §6.4, a name that will never exist. */
const NOWHERE = 'http://document.invalid/'

/** Reads JSON-LD in any spelling: prefixes, nesting and `@graph` are gone afterwards. */
export async function openDocument(text: string, findings: Findings): Promise<Document | undefined> {
  if (text.trim() === '') return findings.problem(EMPTY_FILE)
  if (text.length > MAX_SIZE) return findings.problem('an ApiDocumentation can have 16 MiB at most')
  const json = parse(text, findings)
  if (json === undefined) return undefined
  const base = baseOf(json)
  const nodes = await expandNodes(json, base, findings)
  if (nodes === undefined) return undefined
  const graph = graphOf(nodes)
  const documentation = findDocumentation(graph, findings)
  if (documentation === undefined) return undefined
  const addresses = [base, NOWHERE, vocabOf(json), documentation.id, entryPointNamespace(graph)]
  return { graph, documentation, isOwn: owning(addresses) }
}

function parse(text: string, findings: Findings): Json | undefined {
  try {
    // A byte-order mark is no part of JSON (RFC 8259 §8.1), but editors write it.
    const source = text.replace(/^\uFEFF/, '')
    readJson(source)
    // Numbers here are bounds and status codes: they need no more digits than a double has.
    const json: unknown = JSON.parse(source)
    if (typeof json === 'object' && json !== null) return json as Json
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [, line = 0, column = 0] = /line (\d+), column (\d+)/.exec(error.message) ?? []
    return findings.at({ line: Number(line), column: Number(column), path: '' }).problem(error.message)
  }
  return findings.problem('this must be a JSON object with "@context", "@type": "ApiDocumentation" and so on')
}

async function expandNodes(json: Json, base: string, findings: Findings) {
  try {
    const { nodes, dropped } = await expand(json, { base, findContext: findBundledContext })
    noteDropped(dropped, findings)
    noteUnknownTerms(nodes, findings)
    return nodes
  } catch (error) {
    if (!(error instanceof LinkedDataError)) throw error
    return findings.problem(error.message)
  }
}

/** Relative IRIs such as `#Book` are relative to the `@id` of the document, or to the namespace of its vocabulary. */
function baseOf(json: Json): string {
  const id = json['@id']
  const context = vocabOf(json) ?? NOWHERE
  return (typeof id === 'string' && URL.parse(id, context)?.href) || context
}

const vocabOf = (json: Json): string | undefined =>
  [json['@context']]
    .flat()
    .map((context) => (context as Json | null | undefined)?.['@vocab'])
    .filter((vocab) => typeof vocab === 'string')
    .find((vocab) => /^https?:/.test(vocab) && !isPublic(vocab))

/** The namespace of the entry point is always the API's own. */
const entryPointNamespace = (graph: Graph): string | undefined =>
  [...graph.keys()]
    .find((iri) => /[#/]entrypoint$/i.test(iri) && !iri.startsWith('_:'))
    ?.slice(0, -'entrypoint'.length)

const isPublic = (iri: string) => /^https?:\/\/(?:www\.w3\.org|schema\.org|purl\.org|xmlns\.com)\//.test(iri)

function owning(addresses: readonly (string | undefined)[]): (iri: string) => boolean {
  const namespaces = addresses.flatMap((address) => {
    if (address === undefined || isPublic(address) || !address.includes(':')) return []
    const [document = ''] = address.split('#', 1)
    return document.endsWith('/') ? [document] : [`${document}#`, `${document}/`]
  })
  return (iri) => iri.startsWith('_:') || namespaces.some((namespace) => iri.startsWith(namespace))
}

function findDocumentation(graph: Graph, findings: Findings): Node | undefined {
  const nodes = [...graph.values()]
  const typed = nodes.filter(({ types }) => types.has(`${HYDRA}ApiDocumentation`))
  if (typed.length > 1)
    return findings.problem(`there are ${typed.length} ApiDocumentations in this file; an API has one`)
  if (typed.length === 1) return typed[0]
  const untyped = nodes.find((node) => node.values(`${HYDRA}supportedClass`).length > 0)
  if (untyped === undefined) {
    const right = `it must have a node of the type ${HYDRA}ApiDocumentation with "supportedClass"`
    return findings.problem(`this is not a Hydra ApiDocumentation: ${right}`)
  }
  findings.note('the type "ApiDocumentation" is missing; the node with "supportedClass" is taken for it')
  return untyped
}

const MAX_NAMED = 10

function noteDropped(dropped: readonly Dropped[], findings: Findings): void {
  const keys = new Set(dropped.filter(({ code }) => code === 'invalid property').map(({ what }) => what))
  if (keys.size === 0) return
  const named = [...keys].slice(0, MAX_NAMED).map(quoted).join(', ')
  const more = keys.size > MAX_NAMED ? ` and ${keys.size - MAX_NAMED} more` : ''
  findings.ignored(`keys without a meaning in the context of the document: ${named}${more}`)
}

/** Every term of Hydra, those of older drafts included. */
const TERMS = Object.entries(findBundledContext(HYDRA) ?? {})
  .filter(([, definition]) => JSON.stringify(definition).includes('"hydra:'))
  .map(([term]) => term)

/** Of the oldest drafts: servers still send them, but they are not suggested. */
const OUTDATED = ['firstPage', 'itemsPerPage', 'lastPage', 'nextPage', 'previousPage', 'statusCodes']

/** Reports each misspelt term of Hydra at its first use: it would be lost silently. */
function noteUnknownTerms(nodes: readonly ExpandedNode[], findings: Findings): void {
  const known = new Set([...TERMS, ...OUTDATED].map((term) => HYDRA + term))
  visit(nodes, '')

  function visit(values: unknown, within: string): void {
    for (const value of [values].flat()) {
      if (typeof value !== 'object' || value === null || Object.hasOwn(value, '@value')) continue
      const where = nameOf(value as ExpandedNode) ?? within
      for (const [key, inner] of Object.entries(value)) {
        for (const iri of key === '@type' ? [inner].flat().map(String) : [key]) {
          if (!iri.startsWith(HYDRA) || known.has(iri)) continue
          known.add(iri)
          findings.ignored(unknownTerm(iri, where))
        }
        if (key !== '@type') visit(inner, where)
      }
    }
  }
}

function unknownTerm(iri: string, where: string): string {
  const term = iri.slice(HYDRA.length)
  const isClass = (one: string) => /^[A-Z]/.test(one)
  const candidates = TERMS.filter((one) => isClass(one) === isClass(term))
  const meant = nearest(term, candidates)
  const right = meant === undefined ? 'see the Hydra Core Vocabulary' : `did you mean "hydra:${meant}"?`
  const mentioned = where === '' ? '' : ` in ${quoted(where)}`
  return `${quoted(`hydra:${term}`)}${mentioned} is not a term of Hydra; ${right}`
}

function nameOf(node: ExpandedNode): string | undefined {
  const [title] = [node[`${HYDRA}title`] ?? []].flat() as { readonly '@value'?: unknown }[]
  if (typeof title?.['@value'] === 'string') return title['@value']
  return typeof node['@id'] === 'string' ? lastPart(node['@id']) : undefined
}
