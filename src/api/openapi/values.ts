import {
  type Class,
  type DatatypeName,
  DECIMAL,
  datatypeOf,
  hidesLink,
  IRI_PATTERN,
  LANGUAGE_TAG,
  type Model,
  type Property,
  pathOf,
  pathTo,
  type Range,
} from '../../vocabulary/index.ts'
import { ADDRESS, anyOf, classRef, REFERENCE, type Schema, type SchemaForm, TEXT } from './schemas.ts'

type Ranged = Pick<Property, 'range' | 'constraints'>

/** One value of a property as it is served. */
export function servedValue({ name, range, constraints }: Property, { classes }: Model): Schema {
  // A changed constraint applies from the next write on; older members are served as they are (api-file.md).
  if (range.kind === 'datatype') return literal({ range, constraints: enumIn(constraints) })
  if (range.kind === 'embedded') return valueRef(range.cls)
  const target = classes.find((cls) => cls.name === range.className)
  if (target === undefined || pathOf(target) === undefined) return ADDRESS
  const described = {
    ...ADDRESS,
    description: 'The address; the member itself where `include` names this link.',
  }
  return anyOf(described, classRef(target, ''), ...(hidesLink(target, name) ? [REFERENCE] : []))
}

/** An object of the class without an address: an embedded value, or the values of a member. */
export const valueRef = (cls: Class): Schema => classRef(cls, pathOf(cls) === undefined ? '' : '_value')

/** One value of a property as it is sent, in an object of this form. */
export function sentValue({ range, constraints, many }: Property, form: SchemaForm): Schema {
  if (range.kind === 'embedded') return classRef(range.cls, form === '_patch' && many ? '_item' : form)
  if (range.kind === 'link') return linkTo(range)
  const schema = literal({ range, constraints })
  // A number is read with all of its digits. Bounds can be expressed only for numbers.
  if (range.datatype === 'decimal') return { ...schema, ...boundsOf(constraints), type: ['string', 'number'] }
  if (range.datatype !== 'langString') return schema
  // JSON-LD 1.1 §4.2.4: null is no text. In a patch null removes a text, and no text is required.
  const { minProperties, ...texts } = schema
  return {
    ...texts,
    additionalProperties: { type: ['string', 'null'] },
    ...(form !== '_patch' && { minProperties }),
  }
}

/** A value in a query. `isExact`: the filter compares whole values. */
export function queriedValue({ range, constraints }: Ranged, isExact: boolean): Schema {
  if (range.kind === 'link') return { ...TEXT, pattern: LINK_PATTERN }
  if (range.kind === 'embedded') return TEXT
  const schema = literal({ range, constraints: isExact ? enumIn(constraints) : {} })
  if (range.datatype === 'decimal') return { ...schema, type: ['string', 'number'] }
  // hypermedia.md, Filters: a date for a dateTime is that whole day.
  return range.datatype === 'dateTime' ? anyOf(schema, DATATYPE_SCHEMAS.date) : schema
}

const enumIn = ({ enum: values }: Property['constraints']) => (values ? { enum: values } : {})

/** Excludes characters that no address has. `_:name` passes, because a batch understands it. */
const LINK_PATTERN = '^[^\\s\\\\\\x00-\\x1f\\x7f-\\x9f]+$'

const linkTo = ({ collection }: Range & { kind: 'link' }): Schema => ({
  ...TEXT,
  pattern: LINK_PATTERN,
  description:
    `The address of a member of ${collection}, absolute or relative to the target; ` +
    'in a batch also the `_:name` of a member that an earlier operation has made.',
})

function literal({ range, constraints }: Ranged): Schema {
  const { datatype } = range as Range & { kind: 'datatype' }
  const schema = DATATYPE_SCHEMAS[datatype]
  const { minimum, maximum, scale, enum: values, ...ofText } = constraints
  if (datatypeOf(datatype).family !== 'number' || datatype === 'decimal')
    return { ...schema, ...ofText, ...enumOf(datatype, values) }
  return { ...schema, ...boundsOf(constraints, schema), ...enumOf(datatype, values) }
}

/** A bound of the property applies if it is narrower than that of its datatype. */
function boundsOf({ minimum, maximum }: Property['constraints'], schema: Schema = {}): Schema {
  const { minimum: least = minimum, maximum: most = maximum } = schema as Property['constraints']
  return {
    ...(least !== undefined && { minimum: Math.max(least, minimum ?? least) }),
    ...(most !== undefined && { maximum: Math.min(most, maximum ?? most) }),
  }
}

/** One value of these datatypes has several spellings, and `enum` would compare spellings. */
const SPELT: readonly DatatypeName[] = ['decimal', 'dateTime', 'time', 'duration']

function enumOf(datatype: DatatypeName, values: Property['constraints']['enum']): Schema {
  if (values === undefined) return {}
  return SPELT.includes(datatype)
    ? { description: `One of ${values.join(', ')}.`, examples: values }
    : { enum: values }
}

const INTEGER = {
  type: 'integer',
  format: 'int64',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}
const GREATEST_FLOAT = 3.4028234663852886e38

/** JSON Schema's formats of times, durations and IRIs refuse some values that are valid here, so these have patterns. */
const DATATYPE_SCHEMAS: Readonly<Record<DatatypeName, Schema>> = {
  string: TEXT,
  boolean: { type: 'boolean' },
  integer: INTEGER,
  nonNegativeInteger: { ...INTEGER, minimum: 0 },
  positiveInteger: { ...INTEGER, minimum: 1 },
  decimal: { ...TEXT, format: 'decimal', pattern: DECIMAL.source },
  double: { type: 'number', format: 'double' },
  float: { type: 'number', format: 'float', minimum: -GREATEST_FLOAT, maximum: GREATEST_FLOAT },
  date: { ...TEXT, format: 'date', pattern: datatypeOf('date').pattern },
  dateTime: { ...TEXT, format: 'date-time', pattern: datatypeOf('dateTime').pattern },
  time: { ...TEXT, pattern: datatypeOf('time').pattern },
  duration: { ...TEXT, pattern: datatypeOf('duration').pattern },
  anyURI: { ...TEXT, pattern: IRI_PATTERN },
  langString: {
    type: 'object',
    description: 'Texts by language tag.',
    additionalProperties: TEXT,
    propertyNames: { pattern: LANGUAGE_TAG.source },
    minProperties: 1,
  },
}

/** An example of a valid body; undefined if a required value has a pattern, for which no example can be generated. */
export function exampleOf(cls: Class, base: string): Record<string, unknown> | undefined {
  const example: Record<string, unknown> = Object.create(null)
  for (const { name, many, writable, required, range, constraints, example: given } of cls.properties) {
    if (!writable) continue
    const value = given ?? exampleValue(range, constraints, base)
    if (value !== undefined) example[name] = many ? [value] : value
    else if (required) return undefined
  }
  return example
}

function exampleValue(range: Range, constraints: Property['constraints'], base: string): unknown {
  if (range.kind === 'embedded') return exampleOf(range.cls, base)
  if (range.kind === 'link') return `${base}${pathTo(range.collection)}/1`
  const { enum: values, minimum, maximum, minLength = 0, maxLength = 20, pattern } = constraints
  if (values !== undefined) return values[0]
  if (pattern !== undefined) return undefined
  if (datatypeOf(range.datatype).family === 'number') {
    const { minimum: least = -Infinity, maximum: most = Infinity } = literal({
      range,
      constraints,
    }) as typeof constraints
    const value = Math.min(most, Math.max(least, minimum ?? maximum ?? 1))
    return range.datatype === 'decimal' ? String(value) : value
  }
  if (range.datatype === 'string') return 'text'.padEnd(minLength, '.').slice(0, maxLength)
  return minLength > 0 || constraints.maxLength !== undefined ? undefined : EXAMPLES[range.datatype]
}

/** Examples of numbers and texts depend on their constraints. */
const EXAMPLES: Readonly<Partial<Record<DatatypeName, unknown>>> = {
  boolean: true,
  date: '2026-01-31',
  dateTime: '2026-01-31T12:00:00Z',
  time: '12:00:00',
  duration: 'PT1H',
  anyURI: 'https://example.org/',
  langString: { en: 'text' },
}
