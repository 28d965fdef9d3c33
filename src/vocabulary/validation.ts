import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject, FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { RE2JS } from 're2js'
import type { Violation } from '../errors.ts'
import { type DatatypeName, datatypeOf } from './datatypes.ts'
import { decimalKey } from './lexical-forms.ts'
import type { Class, Constraints, Property } from './model.ts'

const require = createRequire(import.meta.url)

/** hypermedia.md, Limits. */
export const MAX_VALUES = 1000

/** Checks the values of a member, which their datatypes have read: links are strings, decimals have their digits. */
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

const decimalBound = (
  keyword: string,
  holds: (key: string, bound: string) => boolean,
): FuncKeywordDefinition => ({
  keyword,
  type: 'string',
  schemaType: 'number',
  validate: (bound: number, value: string) => holds(decimalKey(value), decimalKey(String(bound))),
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

function createAjv(): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  return new Ajv2020({
    allErrors: true,
    strict: true,
    // The schemas are made here, so checking them against their own schema would only cost time at start.
    meta: false,
    validateSchema: false,
    // `code` is for schemas that are compiled to files, which none is.
    code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
    keywords: [
      decimalBound('decimalMinimum', (key, bound) => key >= bound),
      decimalBound('decimalMaximum', (key, bound) => key <= bound),
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

/** The end of a sentence that begins with the property: what would be right. */
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

/**
 * Patterns of an API file mean what they mean to JSON Schema: ECMA-262 with the `u` flag, anywhere in a text unless
 * they are anchored. They are matched by RE2, whose time is linear in the text: to JavaScript's own engine, thirty
 * letters for `^(a+)+$` are ten seconds.
 */
type Pattern = Pick<RE2JS, 'test' | 'toString'>

/** Compiles a pattern that `whyNoPattern` accepts. */
export function compilePattern(pattern: string): Pattern {
  // It takes 20 ms to load, which an API without patterns need not wait for.
  const { RE2JS }: typeof import('re2js') = require('re2js')
  return RE2JS.compile(RE2JS.translateRegExp(toRe2(pattern)))
}

/** Why a text cannot be the pattern of a property, as a sentence without its period; undefined for one that can. */
export function whyNoPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `the pattern is not a regular expression: ${(error as SyntaxError).message}`
  }
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    // Its messages end with the part that is not understood, between backticks.
    const part = /`(.*)`$/s.exec((error as Error).message)?.[1] ?? pattern
    return (
      `the pattern has ${JSON.stringify(part)}, which is not among what can be matched in linear time; write it ` +
      'without lookaheads, lookbehinds, back references and rare properties of Unicode, and repeat nothing more than 1,000 times'
    )
  }
}

/** Rewrites what RE2 reads in another way than JavaScript; throws where that is not possible. */
function toRe2(pattern: string): string {
  let inClass = false
  return pattern.replaceAll(TOKENS, (token, high?: string, low?: string) => {
    if (high && low) return String.fromCharCode(Number(`0x${high}`), Number(`0x${low}`))
    if (token === '[' && inClass) return '\\['
    if (token === '[' || token === ']') inClass = token === '['
    if (!inClass && (token === '\\k' || /^\(\?.*[ms]/.test(token)))
      throw new Error(`not understood: \`${token}\``)
    return (inClass ? WITHIN : OUTSIDE)[token] ?? withShortName(token)
  })
}

/** Surrogates, properties of Unicode, other escapes, groups with flags, and where a class begins and ends. */
const TOKENS = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\p\{[^}]*\}|\\.|\(\?[a-z-]+:|[[\].]/gis

/** ECMA-262 §12.2 and §12.3: white space and ends of lines; and all the rest. */
const SPACES = '\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const WITHIN: Readonly<Record<string, string>> = {
  '\\b': '\\x08',
  '\\s': SPACES,
  '\\S':
    '\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}',
}
const OUTSIDE: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\u2028\\u2029]',
  '\\s': `[${SPACES}]`,
  '\\S': `[^${SPACES}]`,
}

const withShortName = (token: string): string =>
  token.replace(
    /^(\\[pP]\{)(?:(?:Script|sc|General_Category|gc)=)?(\w+)/,
    (_, start: string, name: string) => start + (CATEGORIES.get(name) ?? name),
  )

/** RE2 knows the categories of Unicode by their short names. */
const CATEGORIES = new Map(
  (
    'Letter L,Cased_Letter LC,Uppercase_Letter Lu,Lowercase_Letter Ll,Titlecase_Letter Lt,' +
    'Modifier_Letter Lm,Other_Letter Lo,Mark M,Nonspacing_Mark Mn,Spacing_Mark Mc,Enclosing_Mark Me,' +
    'Number N,Decimal_Number Nd,Letter_Number Nl,Other_Number No,Punctuation P,' +
    'Connector_Punctuation Pc,Dash_Punctuation Pd,Open_Punctuation Ps,Close_Punctuation Pe,' +
    'Initial_Punctuation Pi,Final_Punctuation Pf,Other_Punctuation Po,Symbol S,Math_Symbol Sm,' +
    'Currency_Symbol Sc,Modifier_Symbol Sk,Other_Symbol So,Separator Z,Space_Separator Zs,' +
    'Line_Separator Zl,Paragraph_Separator Zp,Other C,Control Cc,Format Cf,Private_Use Co'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
