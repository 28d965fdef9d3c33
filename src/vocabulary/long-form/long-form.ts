import { basename, extname } from 'node:path'
import { JsonError, readJson } from '../../json.ts'
import { accountClass } from '../accounts.ts'
import { findConflicts } from '../conflicts.ts'
import { type ApiFileResult, Findings } from '../findings.ts'
import { finishClasses } from '../finish-classes.ts'
import { type Dropped, type ExpandedNode, expand, findBundledContext, LinkedDataError } from '../json-ld.ts'
import { ACCOUNT, ACCOUNTS, type Class, linkedNames, type Model, type Property, pathOf } from '../model.ts'
import { HYDRA, OWN_TERMS, type OwnTerm } from '../names.ts'
import { isHistoryLink, type MemberClass, sortClasses } from './classes.ts'
import {
  type ApiDocument,
  classPath,
  type DocumentNode,
  type Graph,
  graphOf,
  lastPart,
  propertyPath,
} from './graph.ts'
import { createShapeFinder, readOwnOperation, readProperties } from './property.ts'
import { readResources } from './resources.ts'
import { findReverses } from './reverse-links.ts'

/** Reads the long form of an API file (hypermedia.md, The API file): any Hydra ApiDocumentation. */
export async function readLongForm(
  text: string,
  fileName: string,
  used: readonly unknown[] = [],
): Promise<ApiFileResult> {
  const findings = new Findings()
  const fileTitle = basename(fileName, extname(fileName))
  const model = (await readModel(text, fileTitle, findings, used))?.model
  if (model === undefined) return findings.result(undefined)
  if (model.classes.length === 0 && !findings.hasProblems) findings.problem('NoServedClass')
  // The short form names a collection with a key, a document with the link to it.
  for (const { className, property, problem } of findConflicts(model, 'link')) {
    const path = property === undefined ? classPath(className) : propertyPath(className, property)
    findings.at(path).add(problem)
  }
  return findings.result(model)
}

/** The API that an ApiDocumentation describes, whether or not it can be served here; undefined for other documents. */
export async function readApiDocumentation(text: string, fallbackTitle: string) {
  const findings = new Findings()
  const read = await readModel(text, fallbackTitle, findings)
  return read && { ...read, problems: findings.problems }
}

/** `used`: classes that custom operations of a program expect or return; undefined to use those of the document. */
async function readModel(text: string, fallbackTitle: string, findings: Findings, used?: readonly unknown[]) {
  const document = await openDocument(text, findings)
  if (document === undefined) return undefined
  const { documentation } = document
  const title = documentation.text('hydra:title', 'rdfs:label')
  if (title === undefined) findings.note('NoDocumentTitle', { title: fallbackTitle })
  const model: Model = {
    title: title ?? fallbackTitle,
    description: documentation.text('hydra:description', 'rdfs:comment') ?? '',
    classes: readClasses(document, findings, used),
  }
  return { model, entryPoint: documentation.iris('hydra:entrypoint')[0] }
}

/** Whether it is the class of accounts in a documentation of Hydrant, which every API has by itself. */
const isOwnAccount = ({ name, supported }: MemberClass): boolean =>
  name === ACCOUNT && supported.some(({ called }) => called === 'userId')

/** The classes of a model, in the order of the document. */
function readClasses(
  document: ApiDocument,
  findings: Findings,
  used: readonly unknown[] | undefined,
): Class[] {
  const classes = sortClasses(document, findings)
  const shared = {
    document,
    classes,
    findShape: createShapeFinder(document),
    reverses: findReverses(classes, document),
    saysCardinality: classes.memberClasses
      .flatMap(({ supported }) => supported)
      .some(({ property }) => property.has('owl:maxCardinality')),
    findings,
  }
  const resources = readResources(classes, findings).map((one) =>
    used !== undefined && isOwnAccount(one) ? { ...one, collection: ACCOUNTS, isBuiltIn: true } : one,
  )
  const read = finishClasses(resources, (owner, rangeTo) => {
    if ('isBuiltIn' in owner) return accountClass()
    const { node, supported, served, ...about } = owner
    const programs = supported.flatMap((one) => readOwnOperation(one, classes) ?? [])
    const customOperations = used === undefined && programs.length > 0 ? { customOperations: programs } : {}
    const properties = readProperties({ ...shared, owner, rangeTo })
    const own = readOwnTerms(owner, properties, document)
    // The document does not say how long entries are kept.
    const history = supported.some(isHistoryLink) ? { history: { ageMs: undefined } } : {}
    return { ...about, ...customOperations, properties, formerName: undefined, ...own, ...history }
  })
  const isSent = (name: string) =>
    used?.includes(name) ??
    read.some((cls) => cls.customOperations?.some((one) => one.expects === name || one.returns === name))
  const kept = new Set(read.filter((cls) => pathOf(cls) !== undefined || isSent(cls.name)))
  // A class that is added while the set is iterated is visited too.
  for (const { properties } of kept)
    for (const { range } of properties) if (range.kind === 'embedded') kept.add(range.cls)
  const linked = linkedNames(read)
  return read.filter((cls) => {
    if (cls.isBuiltIn) return linked.has(cls.name)
    if (kept.has(cls)) return true
    return findings.at(classPath(cls.name)).ignored('UnusedClassIgnored')
  })
}

/** What a class says in our own terms (model.md). */
function readOwnTerms(
  { node, supported }: MemberClass,
  properties: readonly Property[],
  { ownTerms }: ApiDocument,
) {
  const term = (name: OwnTerm) => ownTerms.get(name) ?? ''
  const names = (from: DocumentNode, property: string) =>
    from.iris(property).flatMap((iri) => {
      const called = supported.find((one) => one.property.id === iri)?.called
      return properties.find(({ name }) => name === called)?.name ?? []
    })
  const label = names(node, term('labelProperty'))
  return {
    plural: node.text(term('plural')),
    label: label.length > 0 ? label : undefined,
    uniqueTogether: node.nodes(term('uniqueTogether')).map((one) => names(one, 'hydra:property')),
  }
}

type JsonDocument = { readonly [key: string]: unknown }

/** Far more than any API needs; expanding takes a second for each MiB. */
const MAX_MEBIBYTES = 16

/** The base of a document without an address: RFC 6761 §6.4, a name that will never exist. */
const NOWHERE = 'http://document.invalid/'

/** Reads JSON-LD of any shape: prefixes, nesting and `@graph` are gone afterwards. */
async function openDocument(text: string, findings: Findings): Promise<ApiDocument | undefined> {
  if (text.trim() === '') return findings.problem('EmptyApiFile')
  if (text.length > MAX_MEBIBYTES * 1024 * 1024)
    return findings.problem('DocumentTooLong', { maxMebibytes: MAX_MEBIBYTES })
  const json = parse(text, findings)
  if (json === undefined) return undefined
  const base = baseOf(json)
  const nodes = await expandNodes(json, base, findings)
  if (nodes === undefined) return undefined
  const graph = graphOf(nodes)
  const documentation = findDocumentation([...graph.values()], findings)
  if (documentation === undefined) return undefined
  const addresses = [base, NOWHERE, vocabOf(json), documentation.id, entryPointNamespace(graph.keys())]
  const isOwn = owning(addresses)
  return { graph, documentation, isOwn, ownTerms: findOwnTerms(graph, isOwn) }
}

/** The IRIs that the document has for our terms: in the namespace of its vocabulary. */
function findOwnTerms(graph: Graph, isOwn: (iri: string) => boolean): ApiDocument['ownTerms'] {
  const iris = new Set([...graph.values()].flatMap((node) => [...node.keys()]))
  return new Map(
    [...iris].filter(isOwn).flatMap((iri) => {
      const name = lastPart(iri)
      return Object.hasOwn(OWN_TERMS, name) ? [[name as OwnTerm, iri]] : []
    }),
  )
}

function parse(text: string, findings: Findings): JsonDocument | undefined {
  try {
    // A byte order mark is not part of JSON (RFC 8259 §8.1), but editors write it.
    const source = text.replace(/^\uFEFF/, '')
    readJson(source)
    // Numbers here are bounds and status codes: they need no more digits than a double has.
    const json: unknown = JSON.parse(source)
    if (typeof json === 'object' && json !== null) return json as JsonDocument
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return findings.at({ ...error.at, path: '' }).add(error)
  }
  return findings.problem('NotADocument')
}

async function expandNodes(json: JsonDocument, base: string, findings: Findings) {
  try {
    const { nodes, dropped } = await expand(json, { base, findContext: findBundledContext })
    noteDropped(dropped, findings)
    noteUnknownTerms(nodes, findings)
    return nodes
  } catch (error) {
    if (!(error instanceof LinkedDataError)) throw error
    return findings.add(error)
  }
}

/** Relative IRIs such as `#Book` are relative to the `@id` of the document, or to the namespace of its vocabulary. */
function baseOf(json: JsonDocument): string {
  const id = json['@id']
  const context = vocabOf(json) ?? NOWHERE
  return (typeof id === 'string' && URL.parse(id, context)?.href) || context
}

const vocabOf = (json: JsonDocument): string | undefined =>
  [json['@context']]
    .flat()
    .map((context) => (context as JsonDocument | null | undefined)?.['@vocab'])
    .filter((vocab) => typeof vocab === 'string')
    .find((vocab) => /^https?:/.test(vocab) && !isPublic(vocab))

/** The namespace of the entry point is always the API's own. */
const entryPointNamespace = (iris: Iterable<string>): string | undefined =>
  [...iris]
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

function findDocumentation(nodes: readonly DocumentNode[], findings: Findings): DocumentNode | undefined {
  const typed = nodes.filter((node) => node.isA('hydra:ApiDocumentation'))
  if (typed.length > 1) return findings.problem('SeveralDocumentations', { count: typed.length })
  if (typed.length === 1) return typed[0]
  const untyped = nodes.find((node) => node.has('hydra:supportedClass'))
  if (untyped === undefined) return findings.problem('NoDocumentation')
  findings.note('UntypedDocumentation')
  return untyped
}

const MAX_NAMED = 10

function noteDropped(dropped: readonly Dropped[], findings: Findings): void {
  const keys = new Set(dropped.filter(({ code }) => code === 'invalid property').map(({ what }) => what))
  if (keys.size === 0) return
  const names = [...keys].slice(0, MAX_NAMED)
  findings.ignored('UnknownTerms', { names, more: keys.size - names.length })
}

/** Every term of Hydra, those of older drafts included. */
const TERMS = Object.entries(findBundledContext(HYDRA) ?? {})
  .filter(([, definition]) => JSON.stringify(definition).includes('"hydra:'))
  .map(([term]) => term)

/** Terms of the oldest drafts: servers still send them, but they are not suggested. */
const OUTDATED = ['firstPage', 'itemsPerPage', 'lastPage', 'nextPage', 'previousPage', 'statusCodes']

/** Reports each misspelt term of Hydra at its first use, since it would be lost silently. */
function noteUnknownTerms(nodes: readonly ExpandedNode[], findings: Findings): void {
  const known = new Set([...TERMS, ...OUTDATED].map((term) => HYDRA + term))
  visit(nodes, undefined)

  function visit(values: unknown, within: string | undefined): void {
    for (const value of [values].flat()) {
      if (typeof value !== 'object' || value === null || Object.hasOwn(value, '@value')) continue
      const where = nameOf(value as ExpandedNode) ?? within
      for (const [key, inner] of Object.entries(value)) {
        for (const iri of key === '@type' ? [inner].flat().map(String) : [key]) {
          if (!iri.startsWith(HYDRA) || known.has(iri)) continue
          known.add(iri)
          const term = iri.slice(HYDRA.length)
          findings.ignored('UnknownHydraTerm', { term, where, known: termsLike(term) })
        }
        if (key !== '@type') visit(inner, where)
      }
    }
  }
}

/** Terms of the same kind: classes for a class, properties for a property. */
function termsLike(term: string): readonly string[] {
  const isClass = (one: string) => /^[A-Z]/.test(one)
  return TERMS.filter((one) => isClass(one) === isClass(term))
}

function nameOf(node: ExpandedNode): string | undefined {
  const [title] = [node[`${HYDRA}title`] ?? []].flat() as { readonly '@value'?: unknown }[]
  if (typeof title?.['@value'] === 'string') return title['@value']
  return typeof node['@id'] === 'string' ? lastPart(node['@id']) : undefined
}
