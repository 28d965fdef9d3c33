import { classIri, documentationContext, propertyIri, rangeClassIri, vocabIri } from './contexts.ts'
import { type DatatypeName, datatypeOf } from './datatypes.ts'
import { type Class, type CollectionClass, hasCollection, isSingle, type Model } from './model.ts'
import { RDF, XSD } from './namespaces.ts'
import {
  collectionOperations,
  entryPointOperations,
  memberOperations,
  sessionOperations,
} from './operations.ts'
import { createShapes } from './shapes.ts'

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
      entryPointClass(model, base),
      ...model.classes.flatMap((cls) => [
        ...(hasCollection(cls) ? [collectionClass(cls, base)] : []),
        memberClass(cls, model, base),
      ]),
      ...(options.session ? [sessionClass(base)] : []),
      {
        '@id': vocabIri(base, 'ConstraintViolationList'),
        '@type': 'Class',
        subClassOf: 'hydra:Error',
        title: 'ConstraintViolationList',
      },
    ],
    shapes: createShapes(model, base),
  }
}

/** Clients take each of its properties for a collection, and list it: what is none is linked from its own class. */
function entryPointClass(model: Model, base: string): object {
  return {
    '@id': vocabIri(base, 'EntryPoint'),
    '@type': 'Class',
    title: 'EntryPoint',
    supportedOperation: entryPointOperations(base),
    supportedProperty: model.classes.filter(hasCollection).map((cls) => collectionLink(cls, base)),
  }
}

/** Clients find the class of a collection in different places: `owl:equivalentClass`, or `memberAssertion`. */
function collectionLink(cls: CollectionClass, base: string): object {
  return supportedProperty(
    cls.collection,
    { required: true, writable: false },
    {
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
      supportedOperation: collectionOperations(cls, base),
    },
  )
}

/** Of the class that has one resource: by which link the entry point leads to it. */
const linkedBy = (
  { name, title, description = '' }: { name: string; title: string; description?: string },
  range: string,
  base: string,
) => ({
  linkedBy: {
    '@id': vocabIri(base, `EntryPoint/${name}`),
    '@type': 'Link',
    label: title,
    ...described(description),
    domain: vocabIri(base, 'EntryPoint'),
    'owl:maxCardinality': 1,
    range,
  },
})

function collectionClass(cls: CollectionClass, base: string): object {
  return {
    '@id': vocabIri(base, `${cls.name}Collection`),
    '@type': 'Class',
    subClassOf: 'hydra:Collection',
    title: `${cls.title} collection`,
    memberAssertion: memberAssertion(cls, base),
    supportedOperation: collectionOperations(cls, base),
  }
}

const memberAssertion = (cls: Class, base: string) => ({ property: 'rdf:type', object: classIri(cls, base) })

function memberClass(cls: Class, model: Model, base: string): object {
  const properties = cls.properties.map((property) => {
    const { name, title, description, range, many } = property
    return supportedProperty(name, property, {
      '@id': propertyIri(cls, property, base),
      '@type': range.kind === 'link' ? 'Link' : 'rdf:Property',
      label: title,
      ...described(description),
      domain: classIri(cls, base),
      range: range.kind === 'datatype' ? compact(range.datatype) : rangeClassIri(range, model, base),
      ...(range.kind !== 'datatype' && !many && { 'owl:maxCardinality': 1 }),
    })
  })
  return {
    '@id': classIri(cls, base),
    '@type': 'Class',
    title: cls.title,
    ...described(cls.description),
    ...(isSingle(cls) && linkedBy(cls, classIri(cls, base), base)),
    supportedProperty: properties,
    // None for what is nothing but an embedded value.
    ...(cls.operations.size > 0 && { supportedOperation: memberOperations(cls, base) }),
  }
}

function sessionClass(base: string): object {
  const property = (name: string, datatype: DatatypeName) =>
    supportedProperty(
      name,
      { required: true, writable: false },
      {
        '@id': vocabIri(base, `Session/${name}`),
        '@type': 'rdf:Property',
        label: name,
        domain: vocabIri(base, 'Session'),
        range: compact(datatype),
      },
    )
  return {
    '@id': vocabIri(base, 'Session'),
    '@type': 'Class',
    title: 'Session',
    description: 'The token of this request: whose it is and how long it lasts',
    ...linkedBy({ name: 'session', title: 'session' }, vocabIri(base, 'Session'), base),
    supportedProperty: [
      property('user', 'integer'),
      property('issuedAt', 'dateTime'),
      property('expiresAt', 'dateTime'),
    ],
    supportedOperation: sessionOperations(base),
  }
}

/** `title` is the key in JSON, since clients take it for that; `writeable` is the name before Hydra renamed it. */
const supportedProperty = (
  name: string,
  { required, writable }: { readonly required: boolean; readonly writable: boolean },
  property: { readonly description?: string; readonly [key: string]: unknown },
) => ({
  '@type': 'SupportedProperty',
  title: name,
  // Here too: some clients look at the one, some at the other.
  ...described(property.description ?? ''),
  required,
  readable: true,
  writable,
  writeable: writable,
  property,
})

const described = (description: string) => (description === '' ? {} : { description })

function compact(datatype: DatatypeName): string {
  const { iri } = datatypeOf(datatype)
  return iri.startsWith(XSD) ? `xsd:${iri.slice(XSD.length)}` : `rdf:${iri.slice(RDF.length)}`
}
