import type { DocumentNode, Graph } from '../vocabulary/long-form/graph.ts'
import { documentationNode, isDescribed, sameOrigin } from './reading.ts'
import type { VisitedResource } from './resource.ts'
import type { VisitedApi } from './visit.ts'

/** What rules look at: an API that was visited, with the parts of its documentation found once. */
export interface ApiFacts extends VisitedApi {
  /** Every response that is JSON-LD, with the nodes that it describes. */
  readonly described: readonly DescribedResource[]
  /** `hydra:ApiDocumentation`. */
  readonly root: DocumentNode | undefined
  readonly classes: readonly DocumentNode[]
  readonly properties: readonly PropertyFact[]
  readonly operations: readonly OperationFact[]
  /** Whether an IRI is one of this API's, and not of a public vocabulary. */
  isOwn(iri: string): boolean
  /** Whether the documentation says anything about an IRI. */
  isDocumented(iri: string): boolean
  /** Where a node of the documentation is. */
  placeOf(node: DocumentNode): string
}

interface DescribedResource {
  readonly resource: VisitedResource
  readonly nodes: readonly DocumentNode[]
  placeOf(node: DocumentNode): string
}

interface PropertyFact {
  readonly cls: DocumentNode
  readonly supported: DocumentNode
  readonly property: DocumentNode | undefined
  readonly at: string
}

interface OperationFact {
  readonly operation: DocumentNode
  /** The class or the link whose operation it is. */
  readonly owner: DocumentNode
  readonly at: string
}

export function factsOf(api: VisitedApi): ApiFacts {
  const { documentation } = api
  const graph: Graph = documentation?.graph ?? new Map()
  const whole = (node: DocumentNode): DocumentNode => graph.get(node.id) ?? node
  const placeOf = createPlaces(graph, documentation?.url ?? api.start.url)
  const root = documentationNode(documentation)
  const classes = distinct((root?.nodes('hydra:supportedClass') ?? []).map(whole))
  const properties = classes.flatMap((cls) =>
    distinct(cls.nodes('hydra:supportedProperty').map(whole)).map((supported) => {
      const [property] = supported.nodes('hydra:property').map(whole)
      const at = supported.isBlank && property !== undefined ? property.id : placeOf(supported)
      return { cls, supported, property, at }
    }),
  )
  return {
    ...api,
    described: resourcesOf(api)
      .filter(({ unreadable }) => unreadable === undefined)
      .map((resource) => ({
        resource,
        nodes: [...resource.graph.values()].filter(isDescribed),
        placeOf: createPlaces(resource.graph, resource.url),
      })),
    root,
    classes,
    properties,
    operations: operationsIn(graph, placeOf),
    isOwn: (iri) => sameOrigin(iri, documentation?.url ?? api.start.url),
    isDocumented(iri) {
      const node = graph.get(iri)
      return node !== undefined && isDescribed(node)
    },
    placeOf,
  }
}

/** Every response to a valid request. */
export function resourcesOf({
  start,
  entryPoint,
  documentation,
  collections,
}: VisitedApi): VisitedResource[] {
  const all = [start, entryPoint, documentation].concat(
    collections.flatMap(({ first, next, member, filtered }) => [first, next, member, filtered]),
  )
  return [...new Map(all.flatMap((one) => (one === undefined ? [] : [[one.url, one]]))).values()]
}

function operationsIn(graph: Graph, placeOf: (node: DocumentNode) => string): OperationFact[] {
  const found = new Map<string, OperationFact>()
  for (const owner of graph.values())
    for (const { id } of owner.nodes('hydra:supportedOperation', 'hydra:operation')) {
      const operation = graph.get(id) as DocumentNode
      if (!found.has(id)) found.set(id, { operation, owner, at: placeOf(operation) })
    }
  return [...found.values()]
}

export const distinct = (nodes: readonly DocumentNode[]): DocumentNode[] => [
  ...new Map(nodes.map((node) => [node.id, node])).values(),
]

/** The name of a node: its IRI or, for a blank node, that of the nearest node that refers to it. */
function createPlaces(graph: Graph, url: string): (node: DocumentNode) => string {
  const parents = new Map<string, string>()
  for (const node of graph.values())
    for (const iri of node.keys())
      for (const { id, isBlank } of node.nodes(iri)) if (isBlank && !parents.has(id)) parents.set(id, node.id)
  return ({ id }) => {
    let place: string | undefined = id
    // Blank nodes may refer to each other in a circle.
    for (let steps = 0; place?.startsWith('_:'); steps++) place = steps < 32 ? parents.get(place) : undefined
    return place ?? url
  }
}
