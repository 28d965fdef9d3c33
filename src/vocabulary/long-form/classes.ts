import type { Findings } from '../findings.ts'
import type { Class, Operation, WriteMethod } from '../model.ts'
import {
  CHANGED,
  HISTORIES,
  HYDRA,
  isAbsoluteIri,
  isClassName,
  SERVER_RESOURCES,
  SUMMARIES,
  SUMMARY,
} from '../names.ts'
import { type ApiDocument, classPath, DocumentNode, lastPart, operationsOf } from './graph.ts'

/** A class of the document that has members. */
export interface MemberClass extends Pick<Class, 'name' | 'iri' | 'title' | 'description'> {
  readonly node: DocumentNode
  readonly supported: readonly Supported[]
  readonly served: StatedService
}

/** What a document says about how the members of a class are served; each part of the document may add to it. */
export interface StatedService {
  /** Candidates for the path of the collection, the best first. */
  readonly paths: string[]
  readonly operations: Set<Operation>
  readonly methods: Readonly<Record<'create' | 'replace', Set<WriteMethod>>>
  isMember?: boolean
  /** Whether the entry point links to the collection. */
  isEntered?: boolean
  hasCollectionClass?: boolean
  /** Whether the entry point links to it as a single resource. */
  isLinkedAlone?: boolean
}

/** A property as a class supports it. */
export interface Supported {
  readonly node: DocumentNode
  readonly property: DocumentNode
  /** Its name in the document: its title, else the end of its IRI. */
  readonly called: string
}

/** The classes of a document, by their purpose. */
export interface DocumentClasses {
  readonly entryPoint: DocumentNode | undefined
  /** Classes of collections, which may have any name. */
  readonly collections: readonly DocumentNode[]
  readonly memberClasses: readonly MemberClass[]
  /** Finds a class by its IRI, or by its name in the document's own vocabulary, as newer servers write `expects`. */
  readonly find: (iri: string) => MemberClass | undefined
  /** Whether the document describes a class of this IRI, for any purpose. */
  readonly isKnown: (iri: string) => boolean
}

/** Classes that most servers describe: they count only if something in the document uses them. */
const USUAL = ['Status', 'Error', 'Resource', 'Collection', 'ConstraintViolation', 'ConstraintViolationList']

export function sortClasses(document: ApiDocument, findings: Findings): DocumentClasses {
  const nodes = classNodes(document, findings).filter((node) => !isServersCollection(node))
  const known = new Set(nodes.map(({ id }) => id))
  const isKnown = (iri: string) => known.has(iri)
  const entryPoint = nodes.find((node) => isEntryPoint(node, document))
  const others = nodes.filter((node) => !isEntryPoint(node, document))
  const ofCollections = findSubclasses(document, (iri) => isCollectionTerm(iri, isKnown))
  const collections = others.filter((node) => ofCollections.has(node.id) || isCollection(node, isKnown))
  const holding = new Set(collections)
  const nameByCollection = namesByCollections(collections.filter(({ id }) => document.isOwn(id)))
  const memberClasses = others
    .filter((node) => !holding.has(node) && !isServers(node, others, isKnown))
    .flatMap((node) => describe(node, nameByCollection.get(node.id), document, findings) ?? [])
  const byIri = new Map(memberClasses.map((one) => [one.node.id, one]))
  const byName = new Map(memberClasses.map((one) => [one.name, one]))
  const find = (iri: string) =>
    byIri.get(iri) ?? (document.isOwn(iri) ? byName.get(lastPart(iri)) : undefined)
  return { entryPoint, collections, memberClasses, find, isKnown }
}

/** The classes in `supportedClass`, and those that are described without being listed. */
function classNodes({ graph, documentation }: ApiDocument, findings: Findings): DocumentNode[] {
  const listed = new Set(documentation.iris('hydra:supportedClass'))
  const others = [...graph.values()].filter((node) => {
    const isClass = node.isA('hydra:Class', 'rdfs:Class')
    return isClass && !listed.has(node.id) && node.has('hydra:supportedProperty')
  })
  for (const { id } of others) findings.at(classPath(lastPart(id))).note('UnlistedClass')
  return [...[...listed].flatMap((iri) => graph.get(iri) ?? []), ...others]
}

function isEntryPoint(node: DocumentNode, { graph, documentation }: ApiDocument): boolean {
  if (lastPart(node.id).toLowerCase() === 'entrypoint') return true
  const [address = ''] = documentation.iris('hydra:entrypoint')
  return graph.get(address)?.types.has(node.id) ?? false
}

function isCollection(node: DocumentNode, isKnown: (iri: string) => boolean): boolean {
  if (node.id.startsWith(HYDRA)) return false
  if (node.isA('hydra:Collection', 'hydra:PagedCollection')) return true
  if (node.has('hydra:manages', 'hydra:memberAssertion')) return true
  if (node.nodes('rdfs:subClassOf', 'owl:equivalentClass').some(isRestrictionOnMember)) return true
  // A class with the name of a collection, whose operations are about another class.
  const operations = operationsOf(node)
  const about = operations.flatMap((operation) => operation.iris('hydra:expects'))
  return /.Collection$/.test(lastPart(node.id)) && about.some((iri) => iri !== node.id && isKnown(iri))
}

export const isCollectionTerm = (iri: string, isKnown: (iri: string) => boolean): boolean =>
  isHydraTerm(iri, ['Collection', 'PagedCollection'], isKnown)

/** Whether it names a term of Hydra; some documents forget that `@id` is not looked up in their vocabulary. */
const isHydraTerm = (iri: string, terms: readonly string[], isKnown: (iri: string) => boolean): boolean =>
  terms.includes(lastPart(iri)) && (iri.startsWith(HYDRA) || !isKnown(iri))

/** `owl:onProperty` is `hydra:member`: the restriction that API Platform uses to say what a collection holds. */
export const isRestrictionOnMember = (node: DocumentNode): boolean =>
  node.iris('owl:onProperty').some((iri) => lastPart(iri) === 'member')

/** All subclasses of such classes, except for Hydra's own. A class that is added while the set is iterated is visited too. */
function findSubclasses({ graph }: ApiDocument, isAbove: (iri: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  const below = new Map<string, string[]>()
  for (const node of graph.values())
    for (const above of node.id.startsWith(HYDRA) ? [] : node.iris('rdfs:subClassOf')) {
      if (isAbove(above)) found.add(node.id)
      const known = below.get(above)
      if (known === undefined) below.set(above, [node.id])
      else known.push(node.id)
    }
  for (const iri of found) for (const one of below.get(iri) ?? []) found.add(one)
  return found
}

/** Whether it is the class of a collection that this server has by itself. */
const isServersCollection = (node: DocumentNode): boolean =>
  SERVER_RESOURCES.some(
    ({ memberClass }) =>
      memberClass !== undefined &&
      node.nodes('hydra:memberAssertion').some((one) => one.iris('hydra:object').includes(memberClass)),
  )

/** Hydra's own classes, errors, and classes that this server adds by itself. */
function isServers(
  node: DocumentNode,
  others: readonly DocumentNode[],
  isKnown: (iri: string) => boolean,
): boolean {
  if (node.id.startsWith(HYDRA)) return true
  const parents = node.iris('rdfs:subClassOf')
  if (isServed(node) || parents.some((iri) => isHydraTerm(iri, ['Error', 'Status'], isKnown))) return true
  if (!USUAL.includes(lastPart(node.id))) return false
  return operationsOf(node).length === 0 && !isUsed(node, others)
}

/** Whether a property is the link of a member to its history, which is not stored (history.md). */
export const isHistoryLink = ({ property }: Supported): boolean =>
  property.iris('rdfs:range').some((iri) => iri.endsWith(`#${HISTORIES}`))

function isUsed(node: DocumentNode, others: readonly DocumentNode[]): boolean {
  const users = others.filter((other) => other !== node && !USUAL.includes(lastPart(other.id)))
  const properties = users.flatMap((user) => user.nodes('hydra:supportedProperty'))
  return properties
    .flatMap((supported) => supported.nodes('hydra:property'))
    .some((property) => property.id === node.id || property.iris('rdfs:range').includes(node.id))
}

/** Whether a class is one that this server documents; sessions of older versions have no roles. */
function isServed(node: DocumentNode): boolean {
  if ([SUMMARIES, SUMMARY, HISTORIES].some((name) => node.id.endsWith(`#${name}`))) return true
  if (supportedBy(node).some(({ property }) => property.id.endsWith(`#${CHANGED}`))) return true
  const name = lastPart(node.id)
  const titles = node.nodes('hydra:supportedProperty').map((property) => property.text('hydra:title'))
  const known = new Set(titles.filter((title) => title !== 'roles'))
  const resource = SERVER_RESOURCES.find(({ className }) => className === name)
  const { roles, ...served } = resource?.properties ?? {}
  const names = Object.keys(served)
  return resource !== undefined && names.length === known.size && names.every((one) => known.has(one))
}

function describe(
  node: DocumentNode,
  byCollection: string | undefined,
  { isOwn }: ApiDocument,
  findings: Findings,
): MemberClass | undefined {
  const given = node.text('hydra:title', 'rdfs:label')
  const own = isOwn(node.id)
  const part = node.isBlank ? undefined : lastPart(node.id)
  const name = classNameOf(own ? [part, given] : [byCollection, given, part])
  if (name === undefined) return findings.at(classPath(given ?? node.id)).problem('UnnamableClass')
  const report = findings.at(classPath(name))
  if (!own && !isAbsoluteIri(node.id)) return report.problem('RelativeClassIri', { iri: node.id })
  if (own && part !== undefined && part !== name) report.note('ServedUnderName', { written: part, name })
  if (given === undefined) report.note('NoClassTitle', { name })
  for (const iri of node.iris('rdfs:subClassOf'))
    if (!iri.startsWith('_:') && !iri.startsWith(HYDRA)) report.ignored('Inheritance', { iri })
  return {
    node,
    supported: supportedBy(node),
    served: { paths: [], operations: new Set(), methods: { create: new Set(), replace: new Set() } },
    name,
    iri: own ? undefined : node.id,
    title: given ?? name,
    description: node.text('hydra:description', 'rdfs:comment') ?? '',
  }
}

/** The first candidate that can be the name of a class: letters and digits, a capital first. */
function classNameOf(candidates: readonly (string | undefined)[]): string | undefined {
  for (const candidate of candidates) {
    const words = candidate?.normalize('NFC').split(/[_-]+/) ?? []
    const name = words.map((word) => word.replace(/^\p{CWT}/u, (first) => first.toUpperCase())).join('')
    if (/^\p{L}/u.test(words[0] ?? '') && isClassName(name)) return name
  }
  return undefined
}

/** Names by the IRIs of classes: the class of a collection may have a better one than a term of a public vocabulary. */
function namesByCollections(collections: readonly DocumentNode[]): Map<string, string | undefined> {
  const names = collections.flatMap((collection) => {
    const [, name] = /^(.+)Collection$/.exec(lastPart(collection.id)) ?? []
    const usable = name !== undefined && isClassName(name) ? name : undefined
    return assertedBy(collection).map((iri) => [iri, usable] as const)
  })
  // If a class has several collections, the first one counts.
  return new Map(names.toReversed())
}

/** The class of every member, by `memberAssertion`, or `manages` as older drafts call it. */
export const assertedBy = (node: DocumentNode): string[] =>
  node.nodes('hydra:memberAssertion', 'hydra:manages').flatMap((one) => one.iris('hydra:object'))

/** The properties in the order of the document; a duplicate (from a nested class that is repeated) counts once. */
export function supportedBy(cls: DocumentNode): Supported[] {
  const found = new Map<string, Supported>()
  for (const node of cls.nodes('hydra:supportedProperty')) {
    // A plain string, if its term has no `@type` in the document.
    const [written = ''] = node.iris('hydra:property')
    const property = node.nodes('hydra:property')[0] ?? new DocumentNode(written)
    if (property.id === '') continue
    const called = node.text('hydra:title')?.normalize('NFC') ?? lastPart(property.id)
    const key = JSON.stringify([property.isBlank ? '' : property.id, called])
    if (!found.has(key)) found.set(key, { node, property, called })
  }
  return [...found.values()]
}
