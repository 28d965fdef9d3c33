import { classIri, documentationContext, propertyIri, vocabIri } from './contexts.ts'
import { type DatatypeName, datatypeOf } from './datatypes.ts'
import type { Class, Model, Operation, Property } from './model.ts'
import { XSD } from './namespaces.ts'
import {
  collectionOperations,
  entryPointOperations,
  memberOperations,
  sessionOperations,
} from './operations.ts'

/** What the resources can do so far; the documentation promises nothing else, whatever the API file declares. */
export const IMPLEMENTED: ReadonlySet<Operation> = new Set(['list', 'create', 'read', 'delete'])

/** The vocabulary as served. Nested and not a `@graph`, with an `@id` that is its URL: clients read it as plain JSON. */
export function createDocumentation(
  model: Model,
  base: string,
  options: { readonly session: boolean },
): object {
  return {
    '@context': documentationContext(base),
    '@id': `${base}/vocab`,
    '@type': 'ApiDocumentation',
    title: model.title,
    ...described(model.description),
    entrypoint: `${base}/`,
    supportedClass: [
      entryPointClass(model, base, options.session),
      ...model.classes.flatMap((cls) => [collectionClass(cls, base), memberClass(cls, model, base)]),
      ...(options.session ? [sessionClass(base)] : []),
      {
        '@id': vocabIri(base, 'ConstraintViolationList'),
        '@type': 'Class',
        subClassOf: 'hydra:Error',
        title: 'ConstraintViolationList',
      },
    ],
  }
}

function entryPointClass(model: Model, base: string, session: boolean): object {
  return {
    '@id': vocabIri(base, 'EntryPoint'),
    '@type': 'Class',
    title: 'EntryPoint',
    supportedOperation: entryPointOperations(base),
    supportedProperty: [
      ...model.classes.map((cls) => collectionLink(cls, base)),
      ...(session ? [sessionLink(base)] : []),
    ],
  }
}

/** Clients find the class of a collection in different places: `owl:equivalentClass`, or `memberAssertion`. */
function collectionLink(cls: Class, base: string): object {
  return supportedProperty(cls.collection, true, false, {
    '@id': vocabIri(base, `EntryPoint/${cls.collection}`),
    '@type': 'Link',
    label: cls.collection,
    domain: vocabIri(base, 'EntryPoint'),
    'owl:maxCardinality': 1,
    range: [
      'hydra:Collection',
      {
        'owl:equivalentClass': {
          'owl:onProperty': { '@id': 'hydra:member' },
          'owl:allValuesFrom': { '@id': classIri(cls, base) },
        },
      },
    ],
    memberAssertion: memberAssertion(cls, base),
    supportedOperation: collectionOperations(cls, base, IMPLEMENTED),
  })
}

function collectionClass(cls: Class, base: string): object {
  return {
    '@id': vocabIri(base, `${cls.name}Collection`),
    '@type': 'Class',
    subClassOf: 'hydra:Collection',
    title: `${cls.title} collection`,
    memberAssertion: memberAssertion(cls, base),
    supportedOperation: collectionOperations(cls, base, IMPLEMENTED),
  }
}

const memberAssertion = (cls: Class, base: string) => ({ property: 'rdf:type', object: classIri(cls, base) })

function memberClass(cls: Class, model: Model, base: string): object {
  return {
    '@id': classIri(cls, base),
    '@type': 'Class',
    title: cls.title,
    ...described(cls.description),
    supportedProperty: cls.properties.map((property) => memberProperty(cls, property, model, base)),
    supportedOperation: memberOperations(cls, base, IMPLEMENTED),
  }
}

function memberProperty(cls: Class, property: Property, model: Model, base: string): object {
  const { name, required, writable, title, description, range, many } = property
  const link = range.kind === 'link'
  return supportedProperty(name, required, writable, {
    '@id': propertyIri(cls, property, base),
    '@type': link ? 'Link' : 'rdf:Property',
    label: title,
    ...described(description),
    domain: classIri(cls, base),
    range: link ? targetIri(range.className, model, base) : xsd(range.datatype),
    ...(link && !many && { 'owl:maxCardinality': 1 }),
  })
}

function targetIri(className: string, model: Model, base: string): string {
  const target = model.classes.find(({ name }) => name === className)
  return target === undefined ? vocabIri(base, className) : classIri(target, base)
}

function sessionLink(base: string): object {
  return supportedProperty('session', true, false, {
    '@id': vocabIri(base, 'EntryPoint/session'),
    '@type': 'Link',
    label: 'session',
    domain: vocabIri(base, 'EntryPoint'),
    'owl:maxCardinality': 1,
    range: vocabIri(base, 'Session'),
    supportedOperation: sessionOperations(base),
  })
}

function sessionClass(base: string): object {
  const property = (name: string, datatype: DatatypeName) =>
    supportedProperty(name, true, false, {
      '@id': vocabIri(base, `Session/${name}`),
      '@type': 'rdf:Property',
      label: name,
      domain: vocabIri(base, 'Session'),
      range: xsd(datatype),
    })
  return {
    '@id': vocabIri(base, 'Session'),
    '@type': 'Class',
    title: 'Session',
    description: 'The token of this request: whose it is and how long it lasts',
    supportedProperty: [
      property('user', 'integer'),
      property('issuedAt', 'dateTime'),
      property('expiresAt', 'dateTime'),
    ],
    supportedOperation: sessionOperations(base),
  }
}

/** `title` is the key in JSON, since clients take it for that; `writeable` is the name before Hydra renamed it. */
const supportedProperty = (name: string, required: boolean, writable: boolean, property: object) => ({
  '@type': 'SupportedProperty',
  title: name,
  required,
  readable: true,
  writable,
  writeable: writable,
  property,
})

const described = (description: string) => (description === '' ? {} : { description })

const xsd = (datatype: DatatypeName) => `xsd:${datatypeOf(datatype).iri.slice(XSD.length)}`
