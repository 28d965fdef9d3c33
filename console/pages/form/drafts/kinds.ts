import type { ClassDescription, Documentation, PropertyDescription } from '../../../../src/client/index.ts'

/** What is typed as one text. */
export type TextKind =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'duration'
  | 'iri'
  | 'link'
  /** Anything: for what nobody has described, and for values that are not as they were described. */
  | 'json'

export type Kind = TextKind | 'languages' | 'embedded'

const TEXT =
  'string normalizedString token language Name NCName NMTOKEN ID gYear gYearMonth gMonth gMonthDay gDay'
const INTEGER =
  'integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte'

const named = (namespaces: readonly string[], names: string, kind: Kind): [string, Kind][] =>
  namespaces.flatMap((namespace) => names.split(' ').map((name): [string, Kind] => [namespace + name, kind]))

const XSD = ['http://www.w3.org/2001/XMLSchema#']
const SCHEMA = ['http://schema.org/', 'https://schema.org/']
export const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...named(XSD, `${TEXT} hexBinary base64Binary`, 'text'),
  ...named(XSD, 'boolean', 'boolean'),
  ...named(XSD, INTEGER, 'integer'),
  ...named(XSD, 'decimal', 'decimal'),
  ...named(XSD, 'double float', 'double'),
  ...named(XSD, 'date', 'date'),
  ...named(XSD, 'dateTime dateTimeStamp', 'dateTime'),
  ...named(XSD, 'time', 'time'),
  ...named(XSD, 'duration dayTimeDuration yearMonthDuration', 'duration'),
  ...named(XSD, 'anyURI', 'iri'),
  ...named(SCHEMA, 'Text', 'text'),
  ...named(SCHEMA, 'Boolean', 'boolean'),
  ...named(SCHEMA, 'Integer', 'integer'),
  ...named(SCHEMA, 'Number Float', 'double'),
  ...named(SCHEMA, 'Date', 'date'),
  ...named(SCHEMA, 'DateTime', 'dateTime'),
  ...named(SCHEMA, 'Time', 'time'),
  ...named(SCHEMA, 'Duration', 'duration'),
  ...named(SCHEMA, 'URL', 'iri'),
  [LANG_STRING, 'languages'],
])

/** By what the documentation says alone. What has a collection is linked to, whether or not it says "Link". */
export function kindOf(property: PropertyDescription, documentation: Documentation): Kind {
  const { range = '', isLink } = property
  if (isLink || documentation.links.some(({ memberClass }) => memberClass === range && range)) return 'link'
  if (embeddedClass(property, documentation)) return 'embedded'
  return KINDS.get(range) ?? 'json'
}

/** The class of values within a member; undefined where there is nothing to fill in. */
export function embeddedClass(
  { range }: PropertyDescription,
  { classes }: Documentation,
): ClassDescription | undefined {
  return classes.find(({ iri, properties }) => iri === range && properties.length > 0)
}

/** In other APIs two properties may have one name, and it is one value all the same: that which can be written is shown. */
export const eachOnce = ({ properties }: ClassDescription): readonly PropertyDescription[] =>
  properties.filter((property) => {
    const same = properties.filter(({ name }) => name === property.name)
    return property === (same.find(({ writable }) => writable) ?? same[0])
  })

/** Whether a value is what its kind is made for; any other would be lost on the way through a form. */
export function fits(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'json':
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'decimal':
    case 'double':
      return typeof value === 'number' || typeof value === 'string'
    case 'link':
      return typeof value === 'string' || (isObject(value) && typeof value['@id'] === 'string')
    case 'languages':
      return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
    case 'embedded':
      return isObject(value) && !('@value' in value)
    default:
      return typeof value === 'string'
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Values = Readonly<Record<string, unknown>>

/** A property may be called as something that every object has: "constructor". Null is no value (JSON-LD 1.1 §4.2.1). */
export const valueIn = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined
