import type { DatatypeName } from '../datatypes.ts'
import { DATATYPES } from '../datatypes.ts'
import type { Constraints } from '../model.ts'
import { RDF, RDFS, XSD } from '../namespaces.ts'
import type { Node } from './graph.ts'

/** A datatype of a document, as it is served. */
export interface Mapped {
  readonly datatype: DatatypeName
  readonly constraints?: Constraints
  /** It is served as another datatype than the document says. */
  readonly differs?: true
}

const SAME = Object.entries(DATATYPES).map(([name, { iri }]): [string, Mapped] => [
  iri,
  { datatype: name as DatatypeName },
])

const served = (datatype: DatatypeName, names: string[], constraints?: Constraints): [string, Mapped][] =>
  names.map((name) => [XSD + name, { datatype, differs: true, ...(constraints && { constraints }) }])

const NARROWER: [string, Mapped][] = [
  ...served('string', ['normalizedString', 'token', 'language', 'Name', 'NCName', 'NMTOKEN', 'ID', 'IDREF']),
  ...served('integer', ['int', 'long', 'short', 'byte']),
  ...served('nonNegativeInteger', ['unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte']),
  ...served('integer', ['nonPositiveInteger'], { maximum: 0 }),
  ...served('integer', ['negativeInteger'], { maximum: -1 }),
  ...served('dateTime', ['dateTimeStamp']),
  ...served('duration', ['dayTimeDuration', 'yearMonthDuration']),
]

const SCHEMA_ORG: Readonly<Record<string, DatatypeName>> = {
  Text: 'string',
  Boolean: 'boolean',
  Integer: 'integer',
  Number: 'decimal',
  Float: 'double',
  Date: 'date',
  DateTime: 'dateTime',
  Time: 'time',
  Duration: 'duration',
  URL: 'anyURI',
}

const BY_IRI = new Map<string, Mapped>([
  ...SAME,
  ...NARROWER,
  [`${RDFS}Literal`, { datatype: 'string', differs: true }],
  [`${RDF}HTML`, { datatype: 'string', differs: true }],
  ...Object.entries(SCHEMA_ORG).flatMap(([name, datatype]): [string, Mapped][] =>
    ['http', 'https'].map((scheme) => [`${scheme}://schema.org/${name}`, { datatype, differs: true }]),
  ),
])

export const findDatatype = (iri: string): Mapped | undefined => BY_IRI.get(iri)

/** Whether a literal of this node says "one". */
export const saysOne = (node: Node, ...properties: string[]): boolean =>
  node.literals(...properties).some(({ value }) => Number(value) === 1)
