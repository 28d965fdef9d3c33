import { permittedOperations } from './access.ts'
import { classIri, documentationContext, entryPointClasses, propertyIri, vocabIri } from './contexts.ts'
import { prefixed } from './datatypes.ts'
import {
  type Class,
  type CollectionClass,
  type CustomOperation,
  hasCollection,
  hasWrites,
  isSingle,
  type Model,
  type Property,
  removalTargets,
} from './model.ts'
import { OWN_TERMS, REMOVAL, SERVER_RESOURCES, type ServerResource } from './names.ts'
import { collectionOperations, describing, memberOperations } from './operations.ts'
import { createShapes, rangeClassIri } from './shapes.ts'
import { summaryClasses } from './summary-classes.ts'

/** A kind of error response. */
export interface ProblemType {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What to do about it. */
  readonly help: string
}

interface DocumentationOptions {
  readonly session: boolean
  readonly problemTypes: readonly ProblemType[]
}

/** The vocabulary as served: nested and not a `@graph`, with its URL as `@id`, because clients read it as plain JSON. */
export function createDocumentation(
  model: Model,
  base: string,
  { session, problemTypes }: DocumentationOptions,
): object {
  const supportedClass = supportedClasses(model, base, session)
  const names = new Set(supportedClass.map((cls) => cls['@id']))
  return {
    '@context': documentationContext(base),
    '@id': `${base}/vocab`,
    '@type': 'ApiDocumentation',
    title: model.title,
    ...described(model.description),
    entrypoint: `${base}/`,
    supportedClass,
    // A class of the API file wins over a problem of the same name.
    possibleStatus: problemTypes
      .map((type) => problemClass(type, base))
      .filter((type) => !names.has(type['@id'])),
    shapes: createShapes(model, base),
    terms: Object.entries(OWN_TERMS).map(([name, comment]) => ({
      '@id': vocabIri(base, name),
      '@type': 'rdf:Property',
      label: name,
      comment,
    })),
  }
}

interface DescribedClass {
  readonly '@id': string
  readonly [key: string]: unknown
}

function supportedClasses(model: Model, base: string, session: boolean): readonly DescribedClass[] {
  const isServed: Record<string, boolean> = { session, batch: hasWrites(model) }
  const targets = removalTargets(model)
  const hasRemoval = (cls: Class) => targets.has(cls.name) && cls.operations.has('delete')
  return [
    entryPointClass(model, base),
    ...model.classes.flatMap((cls) => [
      ...(hasCollection(cls) ? [collectionClass(cls, base)] : []),
      { ...memberClass(cls, model, base), ...(hasRemoval(cls) && REMOVAL_ADDRESS) },
    ]),
    ...SERVER_RESOURCES.filter(({ path }) => isServed[path] ?? true).map((one) => serverClass(one, base)),
    ...summaryClasses(model, base, describing(base, 'summaries')),
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
function entryPointClass(model: Model, base: string): DescribedClass {
  const iri = vocabIri(base, 'EntryPoint')
  const about = { method: 'GET', title: 'Entry point', returns: iri }
  return {
    '@id': iri,
    '@type': 'Class',
    title: 'EntryPoint',
    supportedOperation: [describing(base, 'EntryPoint')('get', 'FindAction', about)],
    supportedProperty: entryPointClasses(model)
      .filter(hasCollection)
      .map((cls) => collectionLink(cls, base)),
  }
}

/** Clients find the class of a collection in different places: `owl:equivalentClass`, or `memberAssertion`. */
function collectionLink(cls: CollectionClass, base: string): object {
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
      supportedOperation: collectionOperations(cls, base),
    },
  )
}

const entryPointLink = (path: string, range: unknown, base: string, about: object = { label: path }) => ({
  '@id': vocabIri(base, `EntryPoint/${path}`),
  '@type': 'Link',
  ...about,
  domain: vocabIri(base, 'EntryPoint'),
  'owl:maxCardinality': 1,
  range,
})

const collectionClass = (cls: CollectionClass, base: string) => ({
  '@id': vocabIri(base, `${cls.name}Collection`),
  '@type': 'Class',
  subClassOf: 'hydra:Collection',
  title: `${cls.title} collection`,
  memberAssertion: memberAssertion(cls, base),
  supportedOperation: collectionOperations(cls, base),
})

const memberAssertion = (cls: Class, base: string) => ({ property: 'rdf:type', object: classIri(cls, base) })

function memberClass(cls: Class, model: Model, base: string): DescribedClass {
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
      ...cls.properties.map((property) => {
        const { range, many } = property
        return supportedProperty(property.name, property, {
          '@id': propertyIri(cls, property, base),
          '@type': range.kind === 'link' ? 'Link' : 'rdf:Property',
          label: property.title,
          ...described(property.description),
          domain: iri,
          range: range.kind === 'datatype' ? prefixed(range.datatype) : rangeClassIri(range, model, base),
          ...(range.kind !== 'datatype' && !many && { 'owl:maxCardinality': 1 }),
        })
      }),
      ...permittedOperations(cls).map((one) => ownOperationLink(one, cls, model, base)),
    ],
    // A class that is only embedded has no operations.
    ...(cls.operations.size > 0 && { supportedOperation: memberOperations(cls, base) }),
  }
}

const propertyIris = (cls: Class, names: readonly string[], base: string): string[] =>
  names.flatMap((name) => {
    const property = cls.properties.find((one) => one.name === name)
    return property === undefined ? [] : propertyIri(cls, property, base)
  })

/**
 * Hydra describes operations on a resource, but a custom operation has an address below the member. So the member links to
 * that address, and the link has the operation.
 */
function ownOperationLink(operation: CustomOperation, cls: Class, model: Model, base: string): object {
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
      supportedOperation: [describing(base, cls.name)(name, 'Action', about)],
    },
  )
}

function serverClass(resource: ServerResource, base: string): DescribedClass {
  const { path, className, description, properties, operations } = resource
  const iri = vocabIri(base, className)
  return {
    '@id': iri,
    '@type': 'Class',
    title: className === 'events' ? 'Events' : className,
    description,
    supportedProperty: Object.entries(properties).map(([name, range]) => {
      const flags = { required: name !== 'roles', writable: name === 'operation' }
      const about = { '@type': 'rdf:Property', label: name, domain: iri, range }
      return supportedProperty(name, flags, { '@id': `${iri}/${name}`, ...about })
    }),
    supportedOperation: operations.map(([name, action, method, title]) => {
      const sent = method === 'POST' ? { expects: iri } : {}
      const about = { method, title, ...sent, returns: method === 'DELETE' ? 'owl:Nothing' : iri }
      return describing(base, className)(name, action, about)
    }),
    linkedBy: entryPointLink(path, iri, base),
  }
}

/** Not at the property, which several classes may share and support in different ways. */
type SupportedFlags = Pick<Property, 'required' | 'writable'> &
  Partial<Pick<Property, 'always' | 'onDelete' | 'example' | 'unit'>>

/** `title` is the key in JSON, since clients use it as that; `writeable` is the former name of a term of Hydra. */
const supportedProperty = (
  name: string,
  { required, writable, always, onDelete, example, unit }: SupportedFlags,
  property: { readonly description?: string; readonly [key: string]: unknown },
) => ({
  '@type': 'SupportedProperty',
  title: name,
  // Here and at the property, since some clients read one and some the other.
  ...described(property.description ?? ''),
  required,
  readable: true,
  writable,
  writeable: writable,
  ...(always !== undefined && { always }),
  ...(onDelete !== undefined && onDelete !== 'refuse' && { onDelete }),
  ...(example !== undefined && { example }),
  ...(unit !== undefined && { unit }),
  property,
})

const described = (description: string) => (description === '' ? {} : { description })
