import { HYDRA, type JsonLdNode, type JsonRecord, lastName } from './terms.ts'

/** How the API describes itself. */
export interface Documentation {
  readonly iri: string
  readonly title: string
  readonly description: string
  readonly classes: readonly ClassDescription[]
  /** The links of the entry point. */
  readonly links: readonly LinkDescription[]
}

export interface ClassDescription {
  readonly iri: string
  readonly title: string
  readonly description: string
  readonly properties: readonly PropertyDescription[]
  readonly operations: readonly OperationDescription[]
  /** Custom operations, each at its own address, to which a member links if the user may call it. */
  readonly customOperations: readonly CustomOperationDescription[]
  /** Links to the collection of the members that link to this one. */
  readonly reverseLinks: readonly PropertyDescription[]
  readonly superClasses: readonly string[]
  /** What people call its members: "time entries"; empty if the API does not say. */
  readonly plural: string
  /** The IRIs of the properties whose values, joined by a blank, name a member to people. */
  readonly label: readonly string[]
  /** Lists of IRIs of properties: no two members have the same values of all of them. */
  readonly uniqueTogether: readonly (readonly string[])[]
  /** A URI template: `client.get` of it, for `member`, says what else a removal would delete or change; or empty. */
  readonly removal: string
  /** The key of the link of a member to its history; empty if it has none. */
  readonly history: string
  /** For a class of collections: the class of their members. */
  readonly memberClass: string | undefined
}

export interface PropertyDescription {
  readonly iri: string
  /** The key in a representation. */
  readonly name: string
  /** For people; the name, if the API has no title. */
  readonly title: string
  readonly description: string
  /** A datatype, or a class. */
  readonly range: string | undefined
  /** Whether the values are addresses of members. */
  readonly isLink: boolean
  readonly many: boolean
  readonly required: boolean
  readonly readable: boolean
  readonly writable: boolean
  /** What the server sets at every write. */
  readonly always?: 'now' | 'user'
  /** What happens to the member when the member that it links to is removed; otherwise the removal is refused. */
  readonly onDelete?: 'unset' | 'delete'
  readonly example?: string | number | boolean
  /** What a number counts: EUR. */
  readonly unit?: string
  readonly constraints: PropertyConstraints
}

export interface PropertyConstraints {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly values?: readonly (string | number)[]
  readonly unique?: boolean
  readonly default?: unknown
  /** Whether its text usually has line breaks. */
  readonly multiline?: boolean
  /** The most digits after the point. */
  readonly scale?: number
}

export interface OperationDescription {
  readonly method: string
  /** The IRIs of its classes, which say what it does: `http://schema.org/CreateAction`. */
  readonly types: readonly string[]
  readonly title: string
  readonly description: string
  readonly expects: string | undefined
  readonly returns: string | undefined
  /** The media type of the body, if the documentation names one. */
  readonly contentType: string | undefined
}

export interface CustomOperationDescription extends OperationDescription {
  /** The key of the link in a representation. */
  readonly name: string
}

export interface LinkDescription {
  /** The IRI of the property in the entry point. */
  readonly iri: string
  readonly name: string
  readonly description: string
  readonly operations: readonly OperationDescription[]
  readonly isCollection: boolean
  /** For a collection: the class of its members. */
  readonly memberClass: string | undefined
  /** For anything else: its class. */
  readonly range: string | undefined
}

const COLLECTION = `${HYDRA}Collection`

export function readDocumentation(document: JsonLdNode): Documentation {
  const graph = document.all('@graph')
  // In a flat document the ApiDocumentation is one of many nodes.
  const { id = '', text, all } = graph.find((node) => node.one('supportedClass')) ?? document
  const shapes = indexBy('targetClass', [...document.all('shapes'), ...graph])
  const nodes = all('supportedClass')
  const classes = nodes.map((node) => readClass(node, shapes))
  return {
    iri: id,
    title: text('title'),
    description: text('description'),
    classes,
    links: nodes
      // Other resources are linked too, but their own classes say so (hypermedia.md, Entry point).
      .flatMap((node) => node.all(/entrypoint$/i.test(node.id as string) ? 'supportedProperty' : 'linkedBy'))
      .map((link) => readLink(link, classes)),
  }
}

function readClass(node: JsonLdNode, shapes: Shapes): ClassDescription {
  const { id = '' } = node
  // A class may be its own shape.
  const constraints = indexBy('path', (shapes.get(id) ?? node).all('property'))
  const own = (one: JsonLdNode): OperationDescription[] => {
    const property = one.one('property')
    // A link to a resource without a class is an operation; a link to members is a property like any other.
    return property && ids(property, 'range').includes(`${HYDRA}Resource`) ? readOperations(property) : []
  }
  const supported = node.all('supportedProperty')
  const reverse = supported.filter((one) => one.one('reverseOf'))
  const history = supported.find((one) => /#histories$/.test(readProperty(one).range ?? ''))
  const stored = supported.filter((one) => !own(one).length && !reverse.includes(one) && one !== history)
  return {
    iri: id,
    title: node.text('title', 'label') || lastName(id),
    description: describe(node),
    properties: stored.map((one) => readProperty(one, constraints)),
    reverseLinks: reverse.map((one) => readProperty(one)),
    operations: readOperations(node),
    customOperations: supported.flatMap((one) =>
      own(one).map((operation) => ({ ...operation, name: readProperty(one).name })),
    ),
    superClasses: ids(node, 'subClassOf'),
    plural: node.text('plural'),
    removal: node.text('removal'),
    history: history ? readProperty(history).name : '',
    label: ids(node, 'labelProperty'),
    uniqueTogether: node.all('uniqueTogether').map((one) => ids(one, 'property')),
    memberClass: readMemberClass(node),
  }
}

function readProperty(supported: JsonLdNode, shapes?: Shapes): PropertyDescription {
  const property = supported.one('property') ?? supported
  const { id = '' } = property
  const shape = shapes?.get(id)
  const label = property.text('label')
  const name = supported.text('title') || label || lastName(id)
  return {
    iri: id,
    name,
    // A term that several classes share has no label of its own.
    title: supported.text('label') || label || name,
    description: describe(supported) || describe(property),
    range: ids(property, 'range').find((iri) => iri !== COLLECTION),
    isLink: /Link/.test(`${property.types}`),
    // Without a shape the number of values is unknown.
    many: shape?.text('maxCount') === '',
    required: supported.text('required') === 'true',
    readable: supported.text('readable') !== 'false',
    writable: supported.text('writable', 'writeable') !== 'false',
    ...defined(valuesOf(supported, 'always', 'onDelete', 'example', 'unit')),
    constraints: readConstraints(shape),
  }
}

/** Leaves out what is undefined. */
const defined = (values: object): object => JSON.parse(JSON.stringify(values))

const valuesOf = (node: JsonLdNode | undefined, ...names: string[]): JsonRecord =>
  Object.fromEntries(names.map((name) => [name, node?.one(name)?.value]))

function readConstraints(shape?: JsonLdNode): PropertyConstraints {
  const read = (name: string) => shape?.one(name)?.value
  return defined({
    ...valuesOf(shape, 'minLength', 'maxLength', 'pattern', 'scale'),
    minimum: read('minInclusive'),
    maximum: read('maxInclusive'),
    values: shape?.one('in') && shape.all('in').map(({ value }) => value),
    unique: shape?.one('uniqueValueForClass') && true,
    default: read('defaultValue'),
    multiline: read('singleLine') === false || undefined,
  })
}

function readLink(supported: JsonLdNode, classes: readonly ClassDescription[]): LinkDescription {
  const { iri, description, range } = readProperty(supported)
  const property = supported.one('property') ?? supported
  const described = classes.find((one) => one.iri === range)
  const own = readOperations(property)
  const operations = own.length ? own : (described?.operations ?? [])
  const isCollection = `${ids(property, 'range')} ${described?.superClasses}`.includes(COLLECTION)
  const memberClass =
    readMemberClass(property) ??
    described?.memberClass ??
    // If the documentation does not state the class, it is the class that can be added.
    (isCollection ? operations.find((one) => one.expects)?.expects : undefined)
  return {
    iri,
    // As written, because it is a key of the entry point.
    name: lastName(property.data['@id'] as string),
    description,
    operations,
    // A link that no class supports leads to a resource of the server, such as its events: nobody lists it.
    isCollection: property !== supported && (isCollection || !!memberClass),
    memberClass,
    range,
  }
}

/** From `memberAssertion`, its predecessor `manages`, or a restriction on `hydra:member`. */
const readMemberClass = (node: JsonLdNode): string | undefined =>
  node
    .all('memberAssertion', 'manages', 'range', 'subClassOf')
    .flatMap((one) => [one, ...one.all('equivalentClass')])
    .flatMap((one) => ids(one, 'object', 'allValuesFrom'))
    .find((iri) => iri !== COLLECTION)

export const readOperations = (node: JsonLdNode, property = 'supportedOperation'): OperationDescription[] =>
  node
    .all(property)
    .map((one) => ({
      method: one.text('method').toUpperCase(),
      types: one.types,
      title: one.text('title', 'label'),
      description: describe(one),
      expects: ids(one, 'expects')[0],
      returns: ids(one, 'returns')[0],
      contentType: one
        .all('expectsHeader')
        .find((header) => /type/i.test(header.text('headerName')))
        ?.text('possibleValue'),
    }))
    .filter(({ method }) => method)

/** The class of an operation says what it does: PUT adds in some documents, POST replaces in others. */
export const ADDS = /(Add|Create)[AR]/
export const REPLACES = /^P[UO].*(Replace|Update)[AR]/

export const methodFor = (
  operations: readonly OperationDescription[] = [],
  action: RegExp,
  usual: string,
): string => operations.find(({ method, types }) => action.test(`${method} ${types}`))?.method ?? usual

/** Finds a class by its IRI, or by its name: without the context, which is not fetched, the name is all there is. */
export const findClass = (classes: readonly ClassDescription[], iri = ''): ClassDescription | undefined =>
  classes.find((one) => one.iri === iri) ?? classes.find((one) => lastName(one.iri) === lastName(iri))

/** SHACL shapes, keyed by the class or property that they describe. */
type Shapes = ReadonlyMap<string | undefined, JsonLdNode>

const indexBy = (name: string, shapes: readonly JsonLdNode[]): Shapes =>
  new Map(shapes.map((shape) => [shape.one(name)?.id, shape]))

const describe = (node: JsonLdNode): string => node.text('description', 'comment')

const ids = (node: JsonLdNode, ...names: string[]): string[] =>
  node.all(...names).flatMap(({ id }) => id ?? [])
