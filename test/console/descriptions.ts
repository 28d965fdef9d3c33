import type {
  ClassDescription,
  CollectionDescription,
  Documentation,
  OperationDescription,
  PropertyConstraints,
  PropertyDescription,
} from 'hydrant-client'

export const XSD = 'http://www.w3.org/2001/XMLSchema#'
export const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
const VOCAB = 'http://api.example/vocab#'

export type Described = Partial<Omit<PropertyDescription, 'constraints'>> & {
  readonly constraints?: PropertyConstraints
}

/** A property as the documentation tells of it; `range` is a datatype, the name of a class, or an IRI. */
export function property(name: string, range: string | undefined, more: Described = {}): PropertyDescription {
  const iri =
    range === undefined || range.includes(':') ? range : (/^[A-Z]/.test(range) ? VOCAB : XSD) + range
  return {
    iri: `${VOCAB}Thing/${name}`,
    name,
    title: name,
    description: '',
    isLink: false,
    many: false,
    required: false,
    readable: true,
    writable: true,
    constraints: {},
    ...more,
    range: iri,
  }
}

export const link = (name: string, range: string): PropertyDescription =>
  property(name, range, { isLink: true })

export const cls = (name: string, ...properties: PropertyDescription[]): ClassDescription => ({
  iri: VOCAB + name,
  title: name,
  description: '',
  properties,
  operations: [],
  customOperations: [],
  reverseLinks: [],
  superClasses: [],
  plural: '',
  label: [],
  uniqueTogether: [],
  removal: '',
  history: '',
  memberClass: undefined,
})

export const collectionOf = (
  name: string,
  memberClass: ClassDescription,
  ...methods: readonly string[]
): CollectionDescription => ({
  name,
  iri: `http://api.test/${name}`,
  description: '',
  memberClass,
  operations: operationsFor(...methods),
})

export const operationsFor = (...methods: readonly string[]): OperationDescription[] =>
  methods.map((method) => ({
    method,
    types: [],
    title: '',
    description: '',
    expects: undefined,
    returns: undefined,
    contentType: undefined,
  }))

/** `collections`: names of classes whose members have a collection. */
export const documentation = (
  classes: readonly ClassDescription[],
  collections: readonly string[] = [],
): Documentation => ({
  iri: 'http://api.example/vocab',
  title: 'Things',
  description: '',
  classes,
  links: collections.map((name) => ({
    iri: `${VOCAB}EntryPoint/${name}`,
    name: name.toLowerCase(),
    description: '',
    operations: [],
    isCollection: true,
    memberClass: VOCAB + name,
    range: undefined,
  })),
})

const ADDRESS = cls(
  'Address',
  property('street', 'string', { required: true }),
  property('lines', 'string', { many: true }),
  property('greeting', LANG_STRING, { many: true }),
  property('country', 'Country', { isLink: true }),
  property('checked', 'date', { writable: false }),
)

/** Every kind of property that the documentation of Hydrant can tell of, and some that only others have. */
export const THING = cls(
  'Thing',
  property('text', 'string'),
  property('yes', 'boolean'),
  property('whole', 'integer'),
  property('price', 'decimal'),
  property('ratio', 'double'),
  property('day', 'date'),
  property('moment', 'dateTime'),
  property('clock', 'time'),
  property('length', 'duration'),
  property('page', 'anyURI'),
  property('motto', LANG_STRING, { many: true }),
  property('tags', 'string', { many: true }),
  property('sizes', 'integer', { many: true }),
  property('kind', 'string', { constraints: { values: ['a', 'b'] } }),
  property('country', 'Country', { isLink: true }),
  property('countries', 'Country', { isLink: true, many: true }),
  property('address', 'Address'),
  property('others', 'Address', { many: true }),
  property('anything', undefined),
  property('foreign', 'http://other.example/Type'),
  property('constructor', 'string'),
)

export const THINGS = documentation(
  [THING, ADDRESS, cls('Country', property('name', 'string'))],
  ['Thing', 'Country'],
)
