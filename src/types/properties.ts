import {
  type Class,
  type Constraints,
  type CustomOperation,
  type DatatypeName,
  datatypeOf,
  HISTORY,
  ownKey,
  type Property,
  permittedOperations,
  type ReverseLink,
  storedType,
} from '../vocabulary/index.ts'
import { asksForStep } from './steps.ts'
import { comment, declare, type Names, quoted } from './text.ts'

/**
 * The properties of a served member. `hasClassNames`: whether `@type` is the name of the class; `mayLack`: whether some users
 * may not see all of its links from the other side.
 */
export const memberLines = (
  cls: Class,
  names: Names,
  { hasClassNames, mayLack }: { readonly hasClassNames: boolean; readonly mayLack: boolean },
): string[] => [
  `  readonly '@id': ${names.link}<${names.of(cls.name).member}>`,
  `  readonly '@type': ${typeOf(cls, hasClassNames)}`,
  // A served member has its defaults, which make a property optional elsewhere.
  ...cls.properties.flatMap((one) =>
    propertyLines({ ...one, default: undefined, always: undefined }, 'member', names),
  ),
  ...cls.reverseLinks.flatMap((link) => reverseLines(link, names, mayLack)),
  ...historyLines(cls),
  ...permittedOperations(cls).flatMap((one) => operationLines(one, names)),
]

/** Where the class has a property of the name, the key of the link contains the address of the API. */
const historyLines = (cls: Class): string[] =>
  cls.history === undefined || ownKey(cls, HISTORY, '') !== HISTORY
    ? []
    : [
        ...comment('The address of its history.', '  '),
        declare({ name: HISTORY, type: 'string', isOptional: true, isReadonly: true }),
      ]

/** The address of the members that link to this one. */
const reverseLines = (
  { name, className, property }: ReverseLink,
  names: Names,
  mayLack: boolean,
): string[] => [
  ...comment(`The address of the members of ${className} that link here by ${property}.`, '  '),
  declare({
    ...{ name, isOptional: mayLack, isReadonly: true },
    type: `${names.reverse}<${names.of(className).member}>`,
  }),
]

/** The member links to each custom operation that its reader may carry out. */
function operationLines({ name, title, expects, returns }: CustomOperation, names: Names): string[] {
  const body = expects === undefined ? 'undefined' : names.of(expects).input
  const answer = returns === undefined ? 'undefined' : names.of(returns).member
  const type = `${names.call}<${body}, ${answer}>`
  const line = declare({ name, type, isOptional: true, isReadonly: true })
  return [...comment(title === name ? '' : title, '  '), line]
}

/** The properties of an embedded value. It is written as a whole, so properties that only the server adds are optional. */
export const valueLines = (cls: Class, names: Names, hasClassNames: boolean): string[] => [
  `  readonly '@type'?: ${typeOf(cls, hasClassNames)}`,
  ...cls.properties.flatMap((property) => propertyLines(property, 'member', names)),
]

/** The properties in a body that creates a member. */
export const inputLines = (cls: Class, names: Names): string[] =>
  cls.properties.flatMap((property) => (property.writable ? propertyLines(property, 'input', names) : []))

/** A variable of a collection's search template. */
export interface TemplateVariable {
  readonly name: string
  /** Whether it takes several values, any of which may match. */
  readonly isRepeatable: boolean
  readonly isRequired?: boolean
}

/** `classes`: by name, for the paths of filters; `included`: the paths of links that a query can include. */
export function queryLines(
  cls: Class,
  variables: readonly TemplateVariable[],
  names: Names,
  { classes, included }: { readonly classes: ClassesForTypes; readonly included: readonly string[] },
): string[] {
  const find = (path: string | undefined) => propertyAt(path?.split('.') ?? [], cls, classes)
  // Some servers list a variable twice.
  const unique = new Map(variables.map((variable) => [variable.name, variable]))
  return [...unique.values()].map(({ name, isRepeatable, isRequired = false }) => {
    if (asksForStep(name, cls)) return declare({ name, type: 'boolean', isOptional: true })
    const isInclude = name === 'include' && included.length > 0
    const one = isInclude ? included.map(quoted).join(' | ') : variableType(name, find, names)
    const type = isRepeatable ? `${one} | readonly ${listOf(one)}` : one
    return declare({ name, type, isOptional: !isRequired })
  })
}

/** Operators whose value is one of the property's; any other takes a text. */
const WITH_CHOICE = ['', 'eq', 'ne']
const COMPARING = ['gt', 'gte', 'lt', 'lte', 'before', 'after', 'strictly_before', 'strictly_after']

type ClassesForTypes = ReadonlyMap<string, Class>

/** The property at the end of a path through links and embedded values. */
function propertyAt(
  [name, ...rest]: readonly string[],
  cls: Class,
  classes: ClassesForTypes,
): Property | undefined {
  const property = cls.properties.find((one) => one.name === name)
  if (property === undefined || rest.length === 0) return property
  const { range } = property
  const next =
    range.kind === 'embedded' ? range.cls : range.kind === 'link' ? classes.get(range.className) : undefined
  return next && propertyAt(rest, next, classes)
}

/** Depends only on the name, so that the types of an API file and of a server with that file are the same. */
function variableType(
  name: string,
  find: (path: string | undefined) => Property | undefined,
  names: Names,
): string {
  if (['page', 'itemsPerPage'].includes(name)) return 'number'
  if (['q', 'sort', 'after', 'before'].includes(name)) return 'string'
  // A path wins over an operator.
  const whole = name.includes('.') ? find(name) : undefined
  if (whole !== undefined) return valueType(whole, 'query', names)
  const dot = name.includes('[') ? -1 : name.lastIndexOf('.')
  const dotted = dot > 0 ? ['', name.slice(0, dot), name.slice(dot + 1)] : undefined
  if (dotted?.[2] === 'exists' && find(dotted[1]) !== undefined) return 'boolean'
  const [, outer, inner = ''] = dotted ?? /^([^[]+)(?:\[(.*)\])?$/s.exec(name) ?? []
  const target = dotted === undefined ? find(inner) : undefined
  if (outer === 'exists' && target !== undefined) return 'boolean'
  if (outer === 'order' && target !== undefined && !target.many) return "'asc' | 'desc'"
  const asked = find(outer)
  if (asked === undefined) return 'string'
  if (WITH_CHOICE.includes(inner)) return valueType(asked, 'query', names)
  // A comparison may use values between two of the possible ones.
  return COMPARING.includes(inner) ? valueType({ ...asked, constraints: {} }, 'query', names) : 'string'
}

/** The name of the class or, if a property has the same name, its IRI, which begins with the address of the API. */
function typeOf(cls: Class, hasClassNames: boolean): string {
  if (!hasClassNames) return 'string | readonly string[]'
  const type = storedType(cls)
  return type.startsWith('/') ? 'string' : quoted(type)
}

function propertyLines(property: Property, use: 'member' | 'input', names: Names): string[] {
  const { name, many, writable } = property
  const isOptional = !property.required || property.default !== undefined || property.always !== undefined
  const one = valueType(property, use, names)
  const type = many ? `${use === 'input' ? 'readonly ' : ''}${listOf(one)}` : one
  return [...comment(describe(property), '  '), declare({ name, type, isOptional, isReadonly: !writable })]
}

/** Describes what the type cannot express. */
function describe(property: Property): string {
  const { range, constraints, unique, unit, example } = property
  const isChoice = choiceOf(property) !== undefined
  const form = (range.kind === 'datatype' && !isChoice && FORMS[range.datatype]) || []
  const shown = [
    unit === undefined ? [] : `in ${unit}`,
    example === undefined ? [] : `for example ${example}`,
  ].flat()
  const rules = [form, unique ? 'unique' : [], isChoice ? [] : limits(constraints), shown].flat().join('; ')
  return `${about(property)}\n${rules === '' ? '' : `${rules.charAt(0).toUpperCase()}${rules.slice(1)}.`}`
}

/** Title and description of a class or a property. */
export const about = ({ name, title, description }: Class | Property): string =>
  [title === name ? [] : title, description === '' ? [] : description].flat().join(': ')

const FORMS: Partial<Record<DatatypeName, string>> = {
  integer: 'an integer',
  nonNegativeInteger: 'an integer from 0',
  positiveInteger: 'an integer from 1',
  decimal: 'a decimal such as 12.50',
  date: 'a date such as 2026-11-15',
  dateTime: 'a time such as 2026-11-15T12:00:00Z',
  time: 'a time of day such as 12:00:00',
  duration: 'a duration such as P1DT2H',
  anyURI: 'an absolute address',
  langString: 'texts by language',
}

function limits({
  minLength,
  maxLength,
  pattern,
  minimum,
  maximum,
  enum: values,
  scale,
}: Constraints): string[] {
  const limit = (words: string, value: unknown, unit = '') =>
    value === undefined ? [] : [`${words} ${value}${unit}`]
  return [
    ...(minLength !== undefined && minLength === maxLength
      ? limit('exactly', minLength, ' characters')
      : [...limit('at least', minLength, ' characters'), ...limit('at most', maxLength, ' characters')]),
    ...limit('matches', pattern === undefined ? undefined : `/${pattern}/`),
    ...limit('at least', minimum),
    ...limit('at most', maximum),
    ...limit('one of', values?.join(', ')),
    ...limit('at most', scale, ' digits after the point'),
  ]
}

/** Where a value is used: in a served member, in a body, or in a query. */
type Use = 'member' | 'input' | 'query'

function valueType(property: Property, use: Use, names: Names): string {
  const { range } = property
  switch (range.kind) {
    case 'link':
      return `${names.link}<${names.of(range.className).member}>`
    case 'embedded':
      return use === 'query' ? 'string' : names.of(range.cls.name)[use === 'member' ? 'value' : 'input']
    case 'datatype':
      return choiceOf(property) ?? literalType(range.datatype, use)
  }
}

function literalType(datatype: DatatypeName, use: Use): string {
  // hypermedia.md, Datatypes: a decimal is returned as a string, and may be sent as a number too.
  if (datatype === 'decimal') return use === 'member' ? 'string' : 'string | number'
  const { family } = datatypeOf(datatype)
  if (family === 'languages' && use !== 'query')
    return `{ ${use === 'input' ? 'readonly ' : ''}[language: string]: string }`
  return family === 'number' || family === 'boolean' ? family : 'string'
}

/** Whether each value has only one spelling: 12.5 is the same decimal as 12.50, and a time can be in any time zone. */
const isSpeltOnce = (datatype: DatatypeName): boolean =>
  datatype !== 'decimal' && ['text', 'number'].includes(datatypeOf(datatype).family)

/** The possible values, if a type can name them. */
function choiceOf({ constraints, range }: Property): string | undefined {
  if (range.kind !== 'datatype' || !isSpeltOnce(range.datatype)) return undefined
  const written = constraints.enum?.map((value) => (typeof value === 'number' ? value : quoted(value)))
  return [...new Set(written)].join(' | ') || undefined
}

const listOf = (type: string): string => (/[|]/.test(type) ? `(${type})[]` : `${type}[]`)
