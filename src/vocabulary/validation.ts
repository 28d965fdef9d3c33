import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject, FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { Violation } from '../errors.ts'
import { type DatatypeName, datatypeOf } from './datatypes.ts'
import { compareDecimals } from './decimals.ts'
import type { Class, Constraints, Property } from './model.ts'
import { compilePattern } from './patterns.ts'

/** hypermedia.md, Limits. */
export const MAX_VALUES = 1000

/** Checks the values of a member, already read by their datatypes: links are strings here, decimals have their digits. */
type Validate = (values: Readonly<Record<string, unknown>>) => Violation[]

/**
 * One JSON Schema per property, not one for the class: Ajv leaves out a property called `__proto__`. They are compiled
 * with the first write to the class: Ajv and its code are a tenth of the time that a server takes to start.
 */
export function compileValidator(cls: Class): Validate {
  let compiled: ReturnType<typeof compile> | undefined
  const compile = () => {
    const ajv = createAjv()
    return cls.properties.map((property) => ({ property, check: compileProperty(property, ajv) }))
  }
  return (values) => {
    compiled ??= compile()
    return compiled.flatMap(({ property, check }) =>
      check(Object.hasOwn(values, property.name) ? values[property.name] : undefined),
    )
  }
}

/** Checks the value of one property; undefined is a value that is absent. */
export function compileProperty(property: Property, ajv = createAjv()): (value: unknown) => Violation[] {
  const schema = valueSchema(property)
  const validate = ajv.compile(
    property.many ? { type: 'array', maxItems: MAX_VALUES, items: schema } : schema,
  )
  return (value) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) {
      return property.required ? [{ propertyPath: property.name, message: 'is required.' }] : []
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => ({
      propertyPath: property.name + error.instancePath,
      message: MESSAGES[error.keyword]?.(property.constraints, error) ?? `${error.message}.`,
    }))
  }
}

const decimalBound = (keyword: string, holds: (order: number) => boolean): FuncKeywordDefinition => ({
  keyword,
  type: 'string',
  schemaType: 'number',
  validate: (bound: number, value: string) => holds(compareDecimals(value, String(bound))),
  errors: false,
})

/** Membership by value: 12.5 is among [12.50]. */
const amongValues: FuncKeywordDefinition = {
  keyword: 'amongValues',
  type: ['string', 'number'],
  schemaType: 'object',
  compile: ({ datatype, values }: { datatype: DatatypeName; values: readonly (string | number)[] }) => {
    const { key } = datatypeOf(datatype)
    const keys = new Set(values.map(key))
    return (value: string | number) => keys.has(key(value))
  },
  errors: false,
}

const load = (): typeof import('ajv/dist/2020.js') => createRequire(import.meta.url)('ajv/dist/2020.js')

function createAjv(): Ajv2020 {
  const { Ajv2020 } = load()
  return new Ajv2020({
    allErrors: true,
    strict: true,
    // The schemas are made here, so checking them against their own schema would only cost time at start.
    meta: false,
    validateSchema: false,
    // `code` is for schemas that are compiled to files, which none is.
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
    keywords: [
      decimalBound('decimalMinimum', (order) => order >= 0),
      decimalBound('decimalMaximum', (order) => order <= 0),
      amongValues,
    ],
  })
}

function valueSchema({ range, constraints }: Property): object {
  if (range.kind === 'link') return { type: 'string' }
  // What is in it is checked against its own class.
  if (range.kind === 'embedded') return { type: 'object' }
  const { datatype } = range
  const { family } = datatypeOf(datatype)
  const { minimum, maximum, enum: values, ...ofText } = constraints
  const decimal = datatype === 'decimal'
  const native = family === 'boolean' || (family === 'number' && !decimal)
  return {
    type: native ? family : family === 'languages' ? 'object' : 'string',
    ...ofText,
    ...(minimum !== undefined && { [decimal ? 'decimalMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [decimal ? 'decimalMaximum' : 'maximum']: maximum }),
    ...(values !== undefined && { amongValues: { datatype, values } }),
  }
}

/** What is wrong and what would be right, as the rest of a sentence that begins with the property. */
const MESSAGES: Readonly<Record<string, (constraints: Constraints, error: ErrorObject) => string>> = {
  minLength: ({ minLength }) => `must have at least ${characters(minLength)}.`,
  maxLength: ({ maxLength }) => `must have at most ${characters(maxLength)}.`,
  pattern: ({ pattern }) => `must match the pattern "${pattern}".`,
  minimum: ({ minimum }) => `must be at least ${minimum}.`,
  decimalMinimum: ({ minimum }) => `must be at least ${minimum}.`,
  maximum: ({ maximum }) => `must be at most ${maximum}.`,
  decimalMaximum: ({ maximum }) => `must be at most ${maximum}.`,
  amongValues: (constraints) => `must be one of ${listed(constraints.enum ?? [])}.`,
  maxItems: () => `must have at most ${MAX_VALUES} values.`,
  type: (_, { params }) => `must be ${KINDS[params.type] ?? `a ${params.type}`}.`,
}

const KINDS: Readonly<Record<string, string>> = { array: 'a list', object: 'an object' }

const characters = (count = 0) => (count === 1 ? '1 character' : `${count} characters`)

function listed(values: readonly (string | number)[]): string {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value))
  return shown.join(', ') + (values.length > shown.length ? ' …' : '')
}
