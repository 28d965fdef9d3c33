import { permittedOperations } from '../access/access.ts'
import { classIri, entryPointClasses, vocabIri } from '../contexts/contexts.ts'
import { documentationContext } from '../contexts/server-contexts.ts'
import {
  type Class,
  type CollectionClass,
  type CustomOperation,
  hasCollection,
  hasWrites,
  isSingle,
  type Model,
  previewedClasses,
} from '../model.ts'
import {
  HISTORIES,
  OWN_TERMS,
  REMOVAL,
  RESYNC,
  SEARCH_TERMS,
  SERVER_RESOURCES,
  type ServerResource,
  SH,
} from '../names.ts'
import { collectionOperations, describing, memberOperations } from '../operations.ts'
import { type AdmissionMode, createWithAnswers, describeStatuses, type WithAnswers } from './answers.ts'
import { historyClasses, historyLink } from './history-classes.ts'
import { type ClassShape, createShapes } from './shapes.ts'
import { summaryClasses } from './summary-classes.ts'
import {
  described,
  entryPointLink,
  memberProperty,
  propertyIris,
  supportedProperty,
  supportedReverseLink,
} from './supported-property.ts'

/** A kind of error response. */
export interface ProblemType {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What to do about it. */
  readonly help: string
}

interface DocumentationOptions extends AdmissionMode {
  readonly problemTypes: readonly ProblemType[]
  /** The properties of search mappings, by the term that each is a case of. */
  readonly searchProperties?: SearchProperties
}

/** IRIs by the name of a search term: `#gte/price` and others for `gte`. */
export type SearchProperties = ReadonlyMap<string, readonly string[]>

/** The vocabulary as served: nested and not a `@graph`, with its URL as `@id`, because clients read it as plain JSON. */
export function createDocumentation(
  model: Model,
  base: string,
  { problemTypes, searchProperties, ...admission }: DocumentationOptions,
): ServedDocumentation {
  const sources = { model, base, withAnswers: createWithAnswers(model, base, admission) }
  const supportedClass = supportedClasses(sources, admission)
  const names = new Set(supportedClass.map((cls) => cls['@id']))
  return {
    '@context': documentationContext(base),
    '@id': `${base}/vocab`,
    '@type': 'ApiDocumentation',
    title: model.title,
    ...described(model.description),
    entrypoint: `${base}/`,
    extension: [SH, vocabIri(base, '')],
    supportedClass,
    // A class of the API file wins over a problem of the same name.
    possibleStatus: [
      ...describeStatuses(base),
      ...problemTypes.map((type) => problemClass(type, base)).filter((type) => !names.has(type['@id'])),
    ],
    shapes: createShapes(model, base),
    terms: Object.entries({ ...OWN_TERMS, ...SEARCH_TERMS }).map(([name, comment]) => {
      const cases = searchProperties?.get(name)
      return {
        '@id': vocabIri(base, name),
        '@type': name === RESYNC ? 'rdfs:Class' : 'rdf:Property',
        label: name,
        comment,
        ...(cases && { cases }),
      }
    }),
  }
}

/** The documentation, as far as others read it. */
export interface ServedDocumentation {
  readonly supportedClass: readonly DescribedClass[]
  readonly shapes: readonly ClassShape[]
  readonly [key: string]: unknown
}

/** A class of the documentation. */
interface DescribedClass {
  readonly '@id': string
  readonly [key: string]: unknown
}

/** Sources of every description. */
interface Describing {
  readonly model: Model
  readonly base: string
  readonly withAnswers: WithAnswers
}

function supportedClasses(
  sources: Describing,
  { session, events = true }: AdmissionMode,
): readonly DescribedClass[] {
  const { model, base } = sources
  const isServed: Record<string, boolean> = { session, events, batch: hasWrites(model) }
  const targets = previewedClasses(model)
  const hasRemoval = (cls: Class) => targets.has(cls.name) && cls.operations.has('delete')
  return [
    entryPointClass(sources),
    ...model.classes.flatMap((cls) => [
      ...(hasCollection(cls) ? [collectionClass(cls, sources)] : []),
      { ...memberClass(cls, sources), ...(hasRemoval(cls) && REMOVAL_ADDRESS) },
    ]),
    ...SERVER_RESOURCES.filter(({ path }) => isServed[path] ?? true).map((one) => serverClass(one, sources)),
    ...historyClasses(model, base, (name, action, about) =>
      sources.withAnswers(describing(base, HISTORIES)(name, action, about), { kind: 'server' }),
    ),
    ...summaryClasses(model, base, (name, action, about) =>
      sources.withAnswers(describing(base, 'summaries')(name, action, about), { kind: 'server' }),
    ),
    {
      '@id': vocabIri(base, 'ConstraintViolationList'),
      '@type': 'Class',
      subClassOf: 'hydra:Error',
      title: 'ConstraintViolationList',
    },
  ]
}

const REMOVAL_ADDRESS = { removal: `{+member}/${REMOVAL}` }

/** The class that problem documents name as their `type`. */
const problemClass = ({ code, status, title, help }: ProblemType, base: string) => ({
  '@id': vocabIri(base, code),
  '@type': ['Class', 'Status'],
  subClassOf: 'hydra:Error',
  statusCode: status,
  title,
  description: help,
})

/** Clients take every property of the entry point for a collection: other resources are linked from their own classes. */
function entryPointClass(sources: Describing): DescribedClass {
  const { model, base, withAnswers } = sources
  const iri = vocabIri(base, 'EntryPoint')
  const about = { method: 'GET', title: 'Entry point', returns: iri }
  return {
    '@id': iri,
    '@type': 'Class',
    title: 'EntryPoint',
    supportedOperation: [
      withAnswers(describing(base, 'EntryPoint')('get', 'FindAction', about), { kind: 'server' }),
    ],
    supportedProperty: entryPointClasses(model)
      .filter(hasCollection)
      .map((cls) => collectionLink(cls, sources)),
  }
}

/** Clients find the class of a collection in different places: `owl:equivalentClass`, or `memberAssertion`. */
function collectionLink(cls: CollectionClass, sources: Describing): object {
  const { base } = sources
  const { collection } = cls
  const restriction = {
    'owl:onProperty': { '@id': 'hydra:member' },
    'owl:allValuesFrom': { '@id': classIri(cls, base) },
  }
  const range = ['hydra:Collection', { 'owl:equivalentClass': restriction }]
  return supportedProperty(
    collection,
    { required: true, writable: false },
    {
      ...entryPointLink(collection, range, base),
      memberAssertion: memberAssertion(cls, base),
      supportedOperation: answeringOperations(cls, sources),
    },
  )
}

const collectionClass = (cls: CollectionClass, sources: Describing) => ({
  '@id': vocabIri(sources.base, `${cls.name}Collection`),
  '@type': 'Class',
  subClassOf: 'hydra:Collection',
  title: `${cls.title} collection`,
  memberAssertion: memberAssertion(cls, sources.base),
  supportedOperation: answeringOperations(cls, sources),
})

const answeringOperations = (cls: CollectionClass, { base, withAnswers }: Describing) =>
  collectionOperations(cls, base).map((one) => withAnswers(one, { kind: 'collection', cls }))

const memberAssertion = (cls: Class, base: string) => ({ property: 'rdf:type', object: classIri(cls, base) })

/** The class of the members of a collection, of a single resource, or of an embedded value. */
function memberClass(cls: Class, sources: Describing): DescribedClass {
  const { model, base, withAnswers } = sources
  const iri = classIri(cls, base)
  const { name, title } = cls
  const description = described(cls.description)
  return {
    '@id': iri,
    '@type': 'Class',
    title,
    ...description,
    // A class of which the user sees nothing is named only as the range of a link.
    ...((cls.operations.size > 0 || cls.properties.length > 0) && { plural: cls.plural }),
    ...(cls.label.length > 0 && { labelProperty: propertyIris(cls, cls.label, base) }),
    ...(cls.uniqueTogether.length > 0 && {
      uniqueTogether: cls.uniqueTogether.map((names) => ({ property: propertyIris(cls, names, base) })),
    }),
    ...(isSingle(cls) && { linkedBy: entryPointLink(name, iri, base, { label: title, ...description }) }),
    supportedProperty: [
      ...cls.properties.map((property) => memberProperty(property, cls, model, base)),
      ...cls.reverseLinks.map((one) => supportedReverseLink(one, cls, model, base)),
      ...(cls.history === undefined ? [] : [historyLink(cls, base)]),
      ...permittedOperations(cls).map((one) => ownOperationLink(one, cls, sources)),
    ],
    // A class that is only embedded has no operations.
    ...(cls.operations.size > 0 && {
      supportedOperation: memberOperations(cls, base).map((one) => withAnswers(one, { kind: 'member', cls })),
    }),
  }
}

/**
 * Hydra describes operations on a resource, but a custom operation has an address below the member. So the member links to
 * that address, and the link has the operation.
 */
function ownOperationLink(
  operation: CustomOperation,
  cls: Class,
  { model, base, withAnswers }: Describing,
): object {
  const { name, title, expects, returns } = operation
  const iriOf = (className: string | undefined) => {
    const found = model.classes.find((one) => one.name === className)
    return found === undefined ? 'owl:Nothing' : classIri(found, base)
  }
  const about = { method: 'POST', title, expects: iriOf(expects), returns: iriOf(returns) }
  return supportedProperty(
    name,
    { required: false, writable: false },
    {
      '@id': vocabIri(base, `${cls.name}/${name}`),
      '@type': 'Link',
      label: title,
      domain: classIri(cls, base),
      range: 'hydra:Resource',
      'owl:maxCardinality': 1,
      supportedOperation: [
        withAnswers(describing(base, cls.name)(name, 'Action', about), { kind: 'custom', operation }),
      ],
    },
  )
}

function serverClass(resource: ServerResource, { base, withAnswers }: Describing): DescribedClass {
  const { path, className, description, memberClass, properties, operations } = resource
  const iri = vocabIri(base, className)
  return {
    '@id': iri,
    '@type': 'Class',
    title: className === 'events' ? 'Events' : className,
    description,
    // Not among the properties of the entry point, since clients list all collections that they find there.
    ...(memberClass !== undefined && {
      subClassOf: 'hydra:Collection',
      memberAssertion: { property: 'rdf:type', object: memberClass },
    }),
    supportedProperty: Object.entries(properties).map(([name, range]) => {
      const flags = { required: name !== 'roles', writable: name === 'operation' }
      const about = { '@type': 'rdf:Property', label: name, domain: iri, range }
      return supportedProperty(name, flags, { '@id': `${iri}/${name}`, ...about })
    }),
    supportedOperation: operations.map(([name, action, method, title]) => {
      const sent = method === 'POST' ? { expects: iri } : {}
      const about = { method, title, ...sent, returns: method === 'DELETE' ? 'owl:Nothing' : iri }
      return withAnswers(describing(base, className)(name, action, about), { kind: 'server' })
    }),
    linkedBy: entryPointLink(path, iri, base),
  }
}
