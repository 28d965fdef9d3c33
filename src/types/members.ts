import { storedType } from '../vocabulary/contexts.ts'
import type { DatatypeName } from '../vocabulary/datatypes.ts'
import type { Class, Constraints, Property } from '../vocabulary/model.ts'
import type { Names } from './names.ts'
import { comment, type Declared, declare, quoted } from './text.ts'
import { choiceOf, listOf, valueType } from './values.ts'

/** What is served of a class. `saysNames`: whether members say what they are by the name of their class alone. */
export const memberLines = (cls: Class, names: Names, saysNames: boolean): string[] => [
  `  readonly '@id': ${names.link}<${names.of(cls.name).member}>`,
  `  readonly '@type': ${typeOf(cls, saysNames)}`,
  ...cls.properties.flatMap((property) =>
    propertyLines(property, {
      isOptional: !property.required,
      isReadonly: !property.writable,
      type: served(property, names),
    }),
  ),
]

/** As a part of another member. It is written as a whole, so what only the server adds can be left out. */
export const valueLines = (cls: Class, names: Names, saysNames: boolean): string[] => [
  `  readonly '@type'?: ${typeOf(cls, saysNames)}`,
  ...cls.properties.flatMap((property) =>
    propertyLines(property, {
      isOptional: isOptionalInput(property),
      isReadonly: !property.writable,
      type: served(property, names),
    }),
  ),
]

/** What is sent to create one. */
export const inputLines = (cls: Class, names: Names): string[] =>
  cls.properties
    .filter(({ writable }) => writable)
    .flatMap((property) => {
      const one = valueType(property, 'input', names)
      const type = property.many ? `readonly ${listOf(one)}` : one
      return propertyLines(property, { isOptional: isOptionalInput(property), type })
    })

function served(property: Property, names: Names): string {
  const one = valueType(property, 'member', names)
  return property.many ? listOf(one) : one
}

/** A default fills in what is left out. */
const isOptionalInput = (property: Property): boolean => !property.required || property.default !== undefined

/** The name of the class; where a property has taken that, its IRI, which begins with the address of the API. */
function typeOf(cls: Class, saysNames: boolean): string {
  if (!saysNames) return 'string | readonly string[]'
  const type = storedType(cls)
  return type.startsWith('/') ? 'string' : quoted(type)
}

const propertyLines = (property: Property, declared: Omit<Declared, 'name'>): string[] => [
  ...comment(describe(property), '  '),
  declare({ name: property.name, ...declared }),
]

/** What the type cannot say: what it is about, how it is written, and what is refused. */
function describe(property: Property): string {
  const { name, title, description, range, constraints, unique } = property
  const isChoice = choiceOf(property) !== undefined
  const about = description !== '' ? description : title === name ? '' : title
  const form = range.kind === 'datatype' && !isChoice ? FORMS[range.datatype] : undefined
  const rules = [form, unique ? 'unique' : undefined, ...(isChoice ? [] : limits(constraints))]
    .filter((one) => one !== undefined)
    .join('; ')
  return [about, rules === '' ? '' : `${rules.charAt(0).toUpperCase()}${rules.slice(1)}.`].join('\n')
}

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

function limits({ minLength, maxLength, pattern, minimum, maximum, enum: values }: Constraints): string[] {
  const limit = (words: string, value: unknown, unit = '') =>
    value === undefined ? [] : [`${words} ${value}${unit}`]
  return [
    ...limit('at least', minLength, ' characters'),
    ...limit('at most', maxLength, ' characters'),
    ...limit('matches', pattern === undefined ? undefined : `/${pattern}/`),
    ...limit('at least', minimum),
    ...limit('at most', maximum),
    ...limit('one of', values?.join(', ')),
  ]
}
