import { RDFS } from '../../vocabulary/index.ts'
import type { DocumentNode } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import { isCollectionClass, withParents } from '../reading.ts'
import { places } from '../rule.ts'

const INCLUDES = ['http://schema.org/', 'https://schema.org/']
const rangesOf = (property: DocumentNode): DocumentNode[] =>
  property.nodes(`${RDFS}range`, ...INCLUDES.map((schema) => `${schema}rangeIncludes`))

/** Properties as they are, each once: several classes may support one. */
const described = ({ properties }: ApiFacts): DocumentNode[] => [
  ...new Map(
    properties.flatMap(({ property }) => (property === undefined ? [] : [[property.id, property]])),
  ).values(),
]

/** The properties of members that were served as nothing but an address. */
function linksInMembers({ collections }: ApiFacts): Set<string> {
  const found = new Set<string>()
  for (const { member } of collections) {
    const node = member?.graph.get(member.url)
    for (const iri of node?.keys() ?? [])
      for (const value of node?.nodes(iri) ?? [])
        if (!value.isBlank && value.types.size === 0 && [...value.keys()].length === 0) found.add(iri)
  }
  return found
}

/** The supported properties of the class of the entry point. */
function ofEntryPoint({ entryPoint, documentation, properties }: ApiFacts) {
  const types = [...entryPoint.graph.values()].find(({ types }) => types.size > 0)?.types ?? []
  const classes = new Set([...types].flatMap((type) => [...withParents(type, documentation?.graph)]))
  return properties.filter(({ cls }) => classes.has(cls.id))
}

/** Whether the values of a property are collections, each of which says itself what its members are. */
const isOfCollections = (
  { property }: ApiFacts['properties'][number],
  { documentation }: ApiFacts,
): boolean =>
  property?.nodes(`${RDFS}range`).some((one) => isCollectionClass(one, documentation?.graph)) ?? false

export const PROPERTY_RULES = {
  SupportedWithoutProperty: places('wrong', 'hydra:property', ({ properties }) =>
    properties.filter(({ property }) => property === undefined).map(({ at }) => at),
  ),
  PropertyWithoutAddress: places('wrong', 'hydra:property', ({ properties }) =>
    properties.filter(({ property }) => property?.isBlank).map(({ at }) => at),
  ),
  SupportedWithoutTitle: places('missing', 'hydra:title', ({ properties }) =>
    properties
      .filter(({ supported, property }) => property !== undefined && !supported.has('hydra:title'))
      .map(({ at }) => at),
  ),
  PropertyNotDescribed: places('wrong', 'hydra:property', ({ properties, isOwn, isDocumented }) =>
    properties
      .filter(
        ({ property }) => property && !property.isBlank && isOwn(property.id) && !isDocumented(property.id),
      )
      .map(({ at }) => at),
  ),
  PropertyWithoutRange: places('missing', 'rdfs:range', (facts) =>
    described(facts)
      .filter(({ id }) => facts.isDocumented(id))
      .filter((property) => rangesOf(property).length === 0)
      .map(facts.placeOf),
  ),
  NotSaidWritable: places('missing', 'hydra:writable', ({ properties }) =>
    properties
      .filter(({ supported }) => !supported.has('hydra:writable', 'hydra:writeable', 'hydra:readonly'))
      .map(({ at }) => at),
  ),
  NotSaidWriteable: places('practice', 'hydra:writeable', ({ properties }) =>
    properties
      .filter(({ supported }) => supported.has('hydra:writable') && !supported.has('hydra:writeable'))
      .map(({ at }) => at),
  ),
  NotSaidRequired: places('practice', 'hydra:required', ({ properties }) =>
    properties.filter(({ supported }) => !supported.has('hydra:required')).map(({ at }) => at),
  ),
  SeveralDomains: places('wrong', 'schema:domainIncludes', (facts) =>
    described(facts)
      .filter((property) => new Set(property.nodes(`${RDFS}domain`).map(({ id }) => id)).size > 1)
      .map(facts.placeOf),
  ),
  ForeignDomain: places('missing', 'schema:domainIncludes', (facts) =>
    described(facts)
      .filter(({ id, isBlank }) => !isBlank && !facts.isOwn(id))
      .filter((property) => new Set(property.nodes(`${RDFS}domain`).map(({ id }) => id)).size === 1)
      .map(facts.placeOf),
  ),
  LinkWithoutType: places('missing', 'hydra:Link', (facts) => {
    const links = linksInMembers(facts)
    return described(facts)
      .filter((property) => links.has(property.id) && !property.isA('hydra:Link', 'hydra:TemplatedLink'))
      .map(facts.placeOf)
  }),
  LinkWithoutCollection: places('practice', 'hydra:collection', (facts) => {
    const links = linksInMembers(facts)
    return facts.properties
      .filter(({ property }) => property?.isA('hydra:Link') && links.has(property.id))
      .filter((one) => !isOfCollections(one, facts))
      .filter(({ property, supported }) =>
        [property, supported].every((node) => !node?.has('hydra:collection', 'hydra:search')),
      )
      .map(({ at }) => at)
  }),
  CollectionWithoutMemberClass: places('missing', 'hydra:memberAssertion', (facts) => {
    const graph = facts.documentation?.graph
    const saysMembers = (node: DocumentNode): boolean =>
      node.has('hydra:memberAssertion', 'hydra:manages', 'owl:equivalentClass')
    return ofEntryPoint(facts)
      .filter((one) => isOfCollections(one, facts))
      .filter(({ property }) => {
        const ranges = property?.nodes(`${RDFS}range`).map((one) => graph?.get(one.id) ?? one) ?? []
        return ![property as DocumentNode, ...ranges].some(saysMembers)
      })
      .map(({ at }) => at)
  }),
  EntryPropertyNotCollection: places('practice', 'hydra:Collection', (facts) =>
    ofEntryPoint(facts)
      .filter(({ property }) => property?.has(`${RDFS}range`))
      .filter(({ property }) => !property?.has('hydra:memberAssertion', 'hydra:manages'))
      .filter((one) => !isOfCollections(one, facts))
      .map(({ at }) => at),
  ),
  EntryPropertyNotLink: places('missing', 'hydra:Link', (facts) =>
    ofEntryPoint(facts)
      .filter(({ property }) => property?.has(`${RDFS}range`) && !property.isA('hydra:Link'))
      .map(({ at }) => at),
  ),
}
