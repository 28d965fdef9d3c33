import type { DatatypeName } from '../../vocabulary/index.ts'
import { fittingConstraints, type GivenConstraints, isAccepted } from '../proposal/constraints.ts'
import type { ProposedKeys, ProposedProperty } from '../proposal/file.ts'
import { type JsonSchema, textIn } from './document.ts'
import { choicesIn } from './shape.ts'

const FORMATS: Readonly<Record<string, DatatypeName>> = {
  date: 'date',
  'date-time': 'dateTime',
  time: 'time',
  duration: 'duration',
  uri: 'anyURI',
  url: 'anyURI',
  iri: 'anyURI',
  decimal: 'decimal',
  float: 'float',
  double: 'double',
}

const BINARY = ['binary', 'byte', 'base64']

/** The datatype of a scalar; undefined if there is none. */
export function datatypeFor(type: string, { format, contentEncoding }: JsonSchema): DatatypeName | undefined {
  if (BINARY.includes(String(format)) || contentEncoding !== undefined) return undefined
  const byFormat = Object.hasOwn(FORMATS, String(format)) ? FORMATS[String(format)] : undefined
  switch (type) {
    case 'boolean':
    case 'integer':
      return type
    case 'number':
      return byFormat === 'float' || byFormat === 'double' ? byFormat : 'decimal'
    case 'string':
      return byFormat === 'float' || byFormat === 'double' ? 'string' : (byFormat ?? 'string')
    default:
      return undefined
  }
}

/** The keys of a property whose values are scalars. `schema`: of one value; `outer`: of the property. */
export function proposeScalar(
  type: DatatypeName,
  {
    schema,
    outer,
    many,
  }: { readonly schema: JsonSchema; readonly outer: JsonSchema; readonly many: boolean },
): Omit<ProposedProperty, 'name'> {
  const remarks: string[] = []
  const constraints = fittingConstraints(type, constraintsIn(schema, type, remarks), remarks)
  const { default: fallback, example, examples } = { ...schema, ...outer }
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined)
  const accepted = (value: unknown) => !many && value !== undefined && isAccepted(value, type, constraints)
  if (fallback !== undefined && fallback !== null && !accepted(fallback))
    remarks.push(`default there: ${JSON.stringify(fallback)}`)
  const keys = {
    ...(constraints as ProposedKeys),
    default: accepted(fallback) ? (fallback as string) : undefined,
    example: accepted(shown) ? (shown as string) : undefined,
  }
  return { type, keys, remarks }
}

const NUMBERS = ['minimum', 'maximum', 'minLength', 'maxLength'] as const

function constraintsIn(schema: JsonSchema, type: DatatypeName, remarks: string[]): GivenConstraints {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const numbers = Object.fromEntries(
    NUMBERS.filter((name) => isNumber(schema[name])).map((name) => [name, schema[name] as number]),
  )
  // True in version 3.0, where the bound itself is beside it.
  const above = exclusiveMinimum === true ? schema.minimum : exclusiveMinimum
  const below = exclusiveMaximum === true ? schema.maximum : exclusiveMaximum
  if (exclusiveMinimum === true) delete numbers.minimum
  if (exclusiveMaximum === true) delete numbers.maximum
  const choices = choicesIn(schema)
  const scale = type === 'decimal' && isNumber(multipleOf) ? scaleOf(multipleOf) : undefined
  if (isNumber(multipleOf) && scale === undefined) remarks.push(`a multiple of ${multipleOf} there`)
  const pattern = textIn(schema.pattern)
  return {
    ...numbers,
    ...(isNumber(above) && { above }),
    ...(isNumber(below) && { below }),
    ...(choices.length > 0 && type !== 'boolean' && { enum: choices }),
    ...(pattern !== undefined && { pattern }),
    ...(scale !== undefined && { scale }),
  }
}

/** A bound that every integer is within says nothing. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** 0.01 means two digits after the point. */
const scaleOf = (step: number): number | undefined => /^0\.(0*1)$/.exec(String(step))?.[1]?.length

const CREATED = /^(?:created|inserted|added)(?:_?(?:at|on|date|time))?$/i
const CHANGED = /^(?:updated|modified|changed)(?:_?(?:at|on|date|time))?$/i

/** What the server sets, by the name of a property that only it writes. */
export function readOnlyKeys(name: string, type: string): ProposedKeys {
  const isTime = type === 'dateTime' || type === 'date'
  if (isTime && CHANGED.test(name)) return { always: 'now' }
  return { writable: false, ...(isTime && CREATED.test(name) && { default: 'now' }) }
}
