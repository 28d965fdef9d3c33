import { RDFS } from '../../vocabulary/index.ts'
import type { DocumentNode } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import {
  assertionHolders,
  collectionNode,
  entryPointNode,
  isLog,
  isSameAddress,
  withParents,
} from '../reading.ts'
import { places, rule } from '../rule.ts'
import { datatypeProblem } from '../values.ts'

interface CollectionFact {
  readonly url: string
  readonly node: DocumentNode
  readonly members: readonly DocumentNode[]
}

function* collectionsIn({ collections }: ApiFacts): Generator<CollectionFact> {
  for (const { first } of collections) {
    const node = first.unreadable === undefined ? collectionNode(first) : undefined
    if (node === undefined) continue
    const members = node.nodes('hydra:member').map((one) => first.graph.get(one.id) ?? one)
    yield { url: first.url, node, members }
  }
}

const inCollections = (facts: ApiFacts, isBroken: (one: CollectionFact) => boolean): string[] =>
  [...collectionsIn(facts)].filter(isBroken).map(({ url }) => url)

/** The members that were fetched by themselves. */
function* membersIn({ collections }: ApiFacts): Generator<{ url: string; node: DocumentNode }> {
  for (const { member } of collections) {
    const node = member?.graph.get(member.url)
    if (member !== undefined && node !== undefined) yield { url: member.url, node }
  }
}

/** The documented properties of a member's classes; undefined if none of its classes is documented. */
function documentedFor(node: DocumentNode, { properties, documentation, classes }: ApiFacts) {
  const types = new Set([...node.types].flatMap((type) => [...withParents(type, documentation?.graph)]))
  if (!classes.some(({ id }) => types.has(id))) return undefined
  return new Map(
    properties.flatMap(({ cls, property }) =>
      types.has(cls.id) && property !== undefined ? [[property.id, property]] : [],
    ),
  )
}

const isOfHydra = (iri: string): boolean => iri.startsWith('http://www.w3.org/ns/hydra/core#')

export const COLLECTION_RULES = {
  EntryPointNotDescribed: places('missing', 'hydra:supportedClass', (facts) => {
    const { entryPoint, classes, root } = facts
    const node = entryPointNode(entryPoint.graph, entryPoint.url)
    if (node === undefined || root === undefined) return []
    return classes.some(({ id }) => node.types.has(id)) ? [] : [entryPoint.url]
  }),
  OtherSubject: places('wrong', '@id', function* ({ entryPoint, collections }) {
    const asked = [entryPoint, ...collections.flatMap(({ first, member }) => [first, member ?? []].flat())]
    for (const { url, graph, unreadable } of asked) {
      const isThere = [...graph.values()].some(({ id }) => isSameAddress(id, url))
      if (unreadable === undefined && !isThere) yield url
    }
  }),
  NoCollection: places('missing', 'hydra:collection', ({ entryPoint, collections }) =>
    entryPoint.unreadable === undefined && collections.length === 0 ? [entryPoint.url] : [],
  ),
  CollectionsNotListed: places('practice', 'hydra:collection', ({ entryPoint, collections }) => {
    const node = entryPointNode(entryPoint.graph, entryPoint.url)
    return node !== undefined && collections.length > 0 && !node.has('hydra:collection')
      ? [entryPoint.url]
      : []
  }),
  NotACollection: places('wrong', 'hydra:Collection', (facts) =>
    facts.collections
      .map(({ first }) => first)
      .filter(({ unreadable }) => unreadable === undefined)
      .filter((first) => !collectionNode(first)?.isA('hydra:Collection', 'hydra:PagedCollection'))
      .map(({ url }) => url),
  ),
  NoTotal: places('practice', 'hydra:totalItems', (facts) =>
    inCollections(
      facts,
      ({ node }) => !node.has('hydra:totalItems') && !isLog(node, facts.documentation?.graph),
    ),
  ),
  TotalTooSmall: places('wrong', 'hydra:totalItems', (facts) =>
    inCollections(facts, ({ node, members }) => Number(node.text('hydra:totalItems')) < members.length),
  ),
  MembersNotShown: places('wrong', 'hydra:member', (facts) =>
    inCollections(
      facts,
      ({ node, members }) => Number(node.text('hydra:totalItems')) > 0 && members.length === 0,
    ),
  ),
  MemberWithoutAddress: places('wrong', 'hydra:member', (facts) =>
    inCollections(facts, ({ members }) => members.some(({ isBlank }) => isBlank)),
  ),
  MemberWithoutType: places('missing', 'rdf:type', (facts) =>
    inCollections(facts, ({ members }) => members.some(({ types }) => types.size === 0)),
  ),
  MembersNotSaid: places('missing', 'hydra:memberAssertion', (facts) =>
    inCollections(facts, ({ node }) => {
      const holders = assertionHolders(node, facts.documentation?.graph)
      return !holders.some((one) => one.has('hydra:memberAssertion', 'hydra:manages'))
    }),
  ),
  MemberClassNotDescribed: places('missing', 'hydra:supportedClass', function* (facts) {
    if (facts.root === undefined) return
    for (const { url, node } of membersIn(facts))
      if (node.types.size > 0 && documentedFor(node, facts) === undefined) yield url
  }),
  PropertyNotDocumented: rule<{ iri: string }>('missing', 'hydra:supportedProperty', function* (facts) {
    for (const { url, node } of membersIn(facts)) {
      const known = documentedFor(node, facts)
      for (const iri of node.keys())
        if (known !== undefined && !known.has(iri) && !isOfHydra(iri)) yield { at: url, values: { iri } }
    }
  }),
  OtherDatatype: rule<{ iri: string; range: string }>('wrong', 'rdfs:range', (facts) =>
    datatypesIn(facts, 'other'),
  ),
  ValueWithoutDatatype: rule<{ iri: string; range: string }>('missing', 'rdfs:range', (facts) =>
    datatypesIn(facts, 'none'),
  ),
  FilteredIsTheSame: places('wrong', '@id', ({ collections }) =>
    collections.flatMap(({ first, filtered }) => {
      if (filtered === undefined || filtered.unreadable !== undefined) return []
      const [whole, part] = [collectionNode(first), collectionNode(filtered)]
      const isOther = whole?.text('hydra:totalItems') !== part?.text('hydra:totalItems')
      return isOther && part?.has('hydra:totalItems') && whole?.id === part.id ? [filtered.url] : []
    }),
  ),
  FilterWithoutEffect: places('missing', 'hydra:search', ({ collections }) =>
    collections.flatMap(({ filtered }) => {
      if (filtered === undefined || filtered.unreadable !== undefined) return []
      return collectionNode(filtered)?.has('hydra:member') ? [filtered.url] : []
    }),
  ),
}

function* datatypesIn(facts: ApiFacts, kind: 'other' | 'none') {
  for (const { url, node } of membersIn(facts))
    for (const [iri, property] of documentedFor(node, facts) ?? []) {
      const range = property.nodes(`${RDFS}range`)[0]?.id ?? ''
      const problems = node.literals(iri).map((literal) => datatypeProblem(literal, range))
      if (problems.includes(kind)) yield { at: url, values: { iri, range } }
    }
}
