import type { ClassDescription, Documentation, PropertyDescription } from '../../../src/client/index.ts'

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
  /** Anything: for undescribed properties, and for values that differ from their description. */
  | 'json'

/** What the values of a property are. `languages`: a text for each language; `embedded`: has properties of its own. */
export type Kind = TextKind | 'languages' | 'embedded'

const XSD = 'http://www.w3.org/2001/XMLSchema#'
const SCHEMA = ['http://schema.org/', 'https://schema.org/']

const datatypes = (kind: Kind, xsd: string, schema = ''): [string, Kind][] =>
  [XSD, ...SCHEMA].flatMap((namespace) =>
    (namespace === XSD ? xsd : schema)
      .split(' ')
      .filter(Boolean)
      .map((name): [string, Kind] => [namespace + name, kind]),
  )

const DATATYPES: ReadonlyMap<string, Kind> = new Map([
  ...datatypes(
    'text',
    'string normalizedString token language Name NCName NMTOKEN ID gYear gYearMonth gMonth gMonthDay gDay hexBinary base64Binary',
    'Text',
  ),
  ...datatypes('boolean', 'boolean', 'Boolean'),
  ...datatypes(
    'integer',
    'integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte',
    'Integer',
  ),
  ...datatypes('decimal', 'decimal'),
  ...datatypes('double', 'double float', 'Number Float'),
  ...datatypes('date', 'date', 'Date'),
  ...datatypes('dateTime', 'dateTime dateTimeStamp', 'DateTime'),
  ...datatypes('time', 'time', 'Time'),
  ...datatypes('duration', 'duration dayTimeDuration yearMonthDuration', 'Duration'),
  ...datatypes('iri', 'anyURI', 'URL'),
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', 'languages'],
])

type Ranged = Pick<PropertyDescription, 'isLink' | 'range'>

export function kindOf({ isLink, range = '' }: Ranged): Kind {
  if (isLink) return 'link'
  return DATATYPES.get(range) ?? (range && !range.startsWith(XSD) ? 'embedded' : 'text')
}

/** The kind that values are typed as. A class with a collection is linked to, whether or not its property says "Link". */
export function typedKindOf(property: Ranged, documentation: Documentation): Kind {
  const { range = '', isLink } = property
  if (isLink || documentation.links.some(({ memberClass }) => memberClass === range && range)) return 'link'
  if (embeddedClass(property, documentation)) return 'embedded'
  return DATATYPES.get(range) ?? 'json'
}

export function embeddedClass({ range }: Ranged, { classes }: Documentation): ClassDescription | undefined {
  return classes.find(({ iri, properties }) => iri === range && properties.length > 0)
}

export const isNumber = (kind: Kind): boolean => kind === 'integer' || kind === 'decimal' || kind === 'double'

export type Values = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property may have a name that every object has, such as "constructor". Null is no value (JSON-LD 1.1 §4.2.1). */
export const valueIn = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined

export type Option = readonly [value: string, label: string]

export const YES_OR_NO: readonly Option[] = [
  ['true', 'Yes'],
  ['false', 'No'],
]
