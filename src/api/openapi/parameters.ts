import { type Class, HISTORY, type Model } from '../../vocabulary/index.ts'
import { includePaths } from '../query/include.ts'
import {
  type FilterParameter,
  isRepeatable,
  type Parameter,
  templateParameters,
} from '../query/parameters.ts'
import { listOf, oneOf, type Schema, type Shown, type Sizes, TEXT } from './schemas.ts'
import { queriedValue } from './values.ts'

export function header(name: string, description: string, schema: Schema = TEXT): Schema {
  return { name, in: 'header', description, required: false, schema }
}

const ETAG_EXAMPLE = { ...TEXT, examples: ['"7-3kJh0a9QZbXw"'] }
export const IF_NONE_MATCH = header(
  'If-None-Match',
  'An ETag that is known: 304 where nothing has changed.',
  ETAG_EXAMPLE,
)
export const IF_MATCH = header(
  'If-Match',
  'The ETag that was read: 412 where the member has changed since.',
  ETAG_EXAMPLE,
)
export const IF_NEW = header(
  'If-None-Match',
  '`*` to create a member at this address: 412 where there is one.',
  oneOf(['*']),
)

/** `preferences`: the values that the server confirms in Preference-Applied. */
export const prefer = (description: string, ...preferences: readonly string[]): Schema =>
  header('Prefer', description, oneOf(preferences))

export const MEMBER_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The last part of the address of a member.',
  schema: { ...TEXT, pattern: '^[A-Za-z0-9._~-]{1,128}$' },
  example: '0198c1f0-7d3a-7c52-9d5e-2f6b8a4c1e70',
}

/** RFC 6570 §2.4.2: a list is exploded, each value with the name. */
export function queryParameter(name: string, description: string, schema: Schema): Schema {
  const parameter = { name, in: 'query', description, schema }
  return schema.type === 'array' ? { ...parameter, style: 'form', explode: true } : parameter
}

const FLAG = { type: 'boolean', enum: [true, false] }

export const sizeParameter = (description: string, { standard, maximum }: Sizes): Schema =>
  queryParameter('itemsPerPage', description, { type: 'integer', minimum: 1, maximum, default: standard })

/** The query of a collection: each filter in one of its spellings. */
export function collectionParameters(cls: Class, { model, queried, sizes }: Shown): Schema[] {
  const all = templateParameters(cls, queried)
  return all.flatMap((parameter): readonly Schema[] => {
    const described = asParameter(parameter, { cls, all, model, sizes })
    return described === undefined ? [] : [described]
  })
}

const CURSOR = 'A cursor, from a link of another page.'

/** Undefined if no value would be accepted. */
function asParameter(
  parameter: Parameter,
  { cls, all, model, sizes }: { cls: Class; all: readonly Parameter[]; model: Model; sizes: Sizes },
): Schema | undefined {
  const { name } = parameter
  switch (parameter.role) {
    case 'filter':
      return filterParameter(parameter)
    case 'exists':
      return queryParameter(name, `Whether there is a value of ${parameter.property.name}.`, FLAG)
    case 'order':
      return queryParameter(name, `Sorts by ${parameter.property.name}.`, oneOf(['asc', 'desc']))
    case 'q':
      return queryParameter(
        name,
        'Free text: members that have all of its words; `rin*` stands for every word that begins so. Words are compared without regard to case and accents.',
        TEXT,
      )
    case 'sort':
      return sortParameter(all)
    case 'include':
      return includeParameter(cls, model)
    case 'fields':
      return fieldsParameter(cls)
    case 'page':
      return queryParameter(name, 'The number of a page.', { type: 'integer', minimum: 1 })
    case 'itemsPerPage':
      return sizeParameter('Members on a page.', sizes)
    case 'after':
    case 'before':
      return queryParameter(name, CURSOR, TEXT)
  }
}

const OPERATORS: Readonly<Record<FilterParameter['operator'], string>> = {
  eq: 'is this',
  ne: 'is something else',
  gt: 'is greater',
  gte: 'is this or greater',
  lt: 'is less',
  lte: 'is this or less',
  startsWith: 'begins with this, without regard to case and accents',
  contains: 'contains this, without regard to case and accents',
}

function filterParameter(parameter: FilterParameter): Schema {
  const { name, property, operator } = parameter
  const isPart = operator === 'startsWith' || operator === 'contains'
  const isExact = operator === 'eq' || operator === 'ne'
  const { description, ...schema }: Schema = isPart ? TEXT : queriedValue(property, isExact)
  const value = schema.type === 'boolean' ? FLAG : schema
  const about = [`${property.name} ${OPERATORS[operator]}`, description].filter(Boolean).join(': ')
  if (!isRepeatable(parameter)) return queryParameter(name, about, value)
  return queryParameter(name, `${about}; several for any of them`, listOf(value))
}

/** Declared as text, since client generators would repeat the name for each item of a list. */
function sortParameter(all: readonly Parameter[]): Schema | undefined {
  const names = all.flatMap((one) => (one.role === 'order' ? one.property.name : []))
  if (names.length === 0) return undefined
  const one = `-?(?:${names.join('|')})`
  return queryParameter('sort', 'Sorts by up to four properties, descending with a minus: `a,-b`.', {
    ...TEXT,
    pattern: `^${one}(?:,${one}){0,3}$`,
  })
}

/** The `include` parameter, of a collection or a single member. */
export function includeParameter(cls: Class, { classes }: Model): Schema | undefined {
  const paths = includePaths(cls, new Map(classes.map((one) => [one.name, one])))
  if (paths.length === 0) return undefined
  const description = 'Links whose members are shown in the place of their addresses.'
  return queryParameter('include', description, { ...listOf(oneOf(paths)), maxItems: 10 })
}

/** The `fields` parameter, of a collection, a single member or an entry of its history. Further steps depend on what is included. */
export function fieldsParameter({ properties, history }: Class): Schema {
  const shown = properties.filter(({ isWriteOnly }) => isWriteOnly !== true)
  const names = ['@id', '@type', 'operation', ...(history ? [HISTORY] : []), ...shown.map(({ name }) => name)]
  const description =
    'The properties that members have, besides `@id` and `@type`; `address.city` within an embedded value, `author.name` within an included member. All others are left out, required ones too.'
  const pattern = `^(?:${names.join('|')})(?:\\.[^.,]+)*$`
  return queryParameter('fields', description, listOf({ ...TEXT, pattern }))
}
