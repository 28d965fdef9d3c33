import type { GateMode } from '../../auth/index.ts'
import {
  type Class,
  hasCollection,
  type Model,
  type Operation,
  type OwnOperation,
  pathTo,
  permittedOperations,
  storedClasses,
} from '../../vocabulary/index.ts'
import { createParameters, type FilterParameter, isRepeatable, type Parameter } from '../query/parameters.ts'
import { PLAIN_JSON } from '../request.ts'
import {
  content,
  ERROR_RESPONSES,
  ETAG,
  errors,
  header,
  IF_NONE_MATCH,
  PROCEDURES,
  queryParameter,
  SERVER_SCHEMAS,
  served,
  serverPaths,
  UNCHANGED,
} from './common.ts'
import { ADDRESS, classRef, classSchemas, listOf, type Schema, TEXT, valueSchema } from './schemas.ts'

interface Options {
  readonly mode: GateMode
  readonly pageSizes: { readonly standard: number; readonly maximum: number }
}

/** The whole API as OpenAPI 3.1, from the model as a set of roles is shown it (live.md, OpenAPI). */
export function createOpenApi(model: Model, base: string, { mode, pageSizes }: Options): object {
  const paths: Record<string, Schema> = serverPaths(model, mode)
  for (const cls of storedClasses(model)) {
    const path = pathTo(cls.collection ?? cls.name)
    const isOne = !hasCollection(cls)
    const [address, parameters] = isOne ? [path, []] : [`${path}/{id}`, [ID]]
    const ofCollection = isOne ? {} : collectionOperations(cls, pageSizes)
    if (Object.keys(ofCollection).length > 0) paths[path] = ofCollection
    const ofMember = memberOperations(cls)
    if (isOne || Object.keys(ofMember).length > 0)
      paths[address] = isOne ? ofMember : { parameters, ...ofMember }
    for (const operation of permittedOperations(cls))
      paths[`${address}/${operation.name}`] = { parameters, post: ownOperation(operation, cls, model) }
  }
  const { words, needs, schemes } = PROCEDURES[mode]
  return {
    openapi: '3.1.0',
    info: {
      title: model.title,
      version: '1',
      description: [model.description, words].filter(Boolean).join('\n\n'),
    },
    servers: [{ url: base }],
    security: needs && [needs],
    paths,
    components: {
      schemas: { ...classSchemas(model, base), ...SERVER_SCHEMAS },
      responses: ERROR_RESPONSES,
      securitySchemes: schemes,
    },
  }
}

const IF_MATCH = header('If-Match', 'the ETag that was read: 412 where the member has changed since')
const IF_NEW = header('If-None-Match', '`*` to create a member at this address: 412 where there is one')
const PREFER = header('Prefer', '`return=minimal` for an answer without a body')
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 128 } }

const about = (cls: Class, operation: string, summary: string) => ({
  operationId: `${operation}${cls.name}`,
  summary: `${summary} ${cls.title}`,
  tags: [cls.name],
})

/** One for each method of an operation; the first has its name alone. */
const byMethod = (cls: Class, operation: 'create' | 'replace', describe: (name: string) => Schema) =>
  cls.operations.has(operation) &&
  Object.fromEntries(
    cls.methods[operation].map((method, index) => [
      method.toLowerCase(),
      describe(index === 0 ? operation : `${operation}By${method}`),
    ]),
  )

const body = (schema: Schema, types?: readonly string[]) => ({
  requestBody: { required: true, content: content(schema, types) },
})

const LOCATION = { Location: { description: 'the address', schema: ADDRESS } }
const created = (cls: Class) => ({ 201: served('created', classRef(cls, ''), { ...ETAG, ...LOCATION }) })

function collectionOperations(cls: Class, sizes: Options['pageSizes']): Schema {
  const parameters = createParameters(cls).all.map((parameter) => asParameter(parameter, sizes))
  const exactly = header('Prefer', '`count=exact` to count however many match')
  const list = {
    ...about(cls, 'list', 'List'),
    parameters: [...parameters, IF_NONE_MATCH, exactly],
    responses: {
      200: served('a page', classRef(cls, '_page')),
      304: UNCHANGED,
      ...errors(400, '4XX', '5XX'),
    },
  }
  return {
    ...(cls.operations.has('list') && { get: list }),
    ...byMethod(cls, 'create', (name) => ({
      ...about(cls, name, 'Create'),
      parameters: [PREFER],
      ...body(classRef(cls, '_input')),
      responses: { ...created(cls), ...errors(415, 422, '4XX', '5XX') },
    })),
  }
}

/** Of a member, and of a single resource, which is created at its own address. */
function memberOperations(cls: Class): Schema {
  const has = (operation: Operation) => cls.operations.has(operation)
  const changed = { 200: served('changed', classRef(cls, '')), ...errors(404, 412, 415, 422, '4XX', '5XX') }
  const puts = has('create') ? { ...created(cls), ...changed } : changed
  const included = createParameters(cls).all.some(({ role }) => role === 'include')
  const read = {
    ...about(cls, 'read', 'Get'),
    parameters: [...(included ? [INCLUDE] : []), IF_NONE_MATCH],
    responses: { 200: served('the member', classRef(cls, '')), 304: UNCHANGED, ...errors(404, '4XX', '5XX') },
  }
  const isSingle = !hasCollection(cls)
  const put = (summary: string, parameters: readonly object[]) => (name: string) => ({
    ...about(cls, name, summary),
    parameters: [...parameters, PREFER],
    ...body(classRef(cls, '_input')),
    responses: puts,
  })
  const update = {
    ...about(cls, 'update', 'Update'),
    parameters: [IF_MATCH, PREFER],
    ...body(classRef(cls, '_patch'), ['application/merge-patch+json', PLAIN_JSON]),
    responses: changed,
  }
  const remove = {
    ...about(cls, 'delete', 'Delete'),
    parameters: [IF_MATCH],
    responses: { 204: { description: 'removed' }, ...errors(404, 409, 412, '4XX', '5XX') },
  }
  return {
    ...(has('read') && { get: read }),
    ...(isSingle && byMethod(cls, 'create', put('Create', [IF_MATCH]))),
    ...byMethod(cls, 'replace', put('Replace', isSingle ? [IF_MATCH] : [IF_MATCH, IF_NEW])),
    ...(has('update') && { patch: update }),
    ...(has('delete') && { delete: remove }),
  }
}

/** Carried out by code of a program (library.md). */
function ownOperation(operation: OwnOperation, cls: Class, { classes }: Model): Schema {
  const { name, title, expects, returns } = operation
  const [sent, answered] = [expects, returns].map((wanted) => classes.find((one) => one.name === wanted))
  return {
    ...{ operationId: `${name}${cls.name}`, summary: title, tags: [cls.name], parameters: [IF_MATCH] },
    ...(sent && body(classRef(sent, '_input'))),
    responses: {
      ...(answered && { 200: served('carried out', classRef(answered, '')) }),
      204: { description: 'carried out' },
      ...errors(404, 412, 415, 422, '4XX', '5XX'),
    },
  }
}

const OPERATORS: Readonly<Record<FilterParameter['operator'], string>> = {
  eq: 'is this',
  ne: 'is something else',
  gt: 'is greater',
  gte: 'is this or greater',
  lt: 'is less',
  lte: 'is this or less',
  startsWith: 'begins with this',
  contains: 'contains this, in whatever case',
}

const CURSOR = ['a cursor, from a link of another page', TEXT] as const
/** Those that every collection has. */
const GENERAL = {
  q: ['free text: members that have all of its words', TEXT],
  sort: ['sorts by properties, descending with a minus: `a,-b`', TEXT],
  include: [
    'links whose members are shown in the place of their addresses: `author`, `lines.product`',
    listOf(TEXT),
  ],
  page: ['the number of a page', { type: 'integer', minimum: 1 }],
  itemsPerPage: ['members on a page', { type: 'integer', minimum: 1 }],
  after: CURSOR,
  before: CURSOR,
} as const
/** Also of a single member. */
const INCLUDE = queryParameter('include', ...GENERAL.include)

function asParameter(parameter: Parameter, { standard, maximum }: Options['pageSizes']): object {
  const { name } = parameter
  switch (parameter.role) {
    case 'filter': {
      const { property, operator } = parameter
      const value = valueSchema({ range: property.range, constraints: {} }, '_input')
      if (isRepeatable(parameter)) return queryParameter(name, 'any of these', listOf(value))
      return queryParameter(name, `${property.name} ${OPERATORS[operator]}`, value)
    }
    case 'exists':
      return queryParameter(name, `whether there is a value of ${parameter.property.name}`, {
        type: 'boolean',
      })
    case 'order':
      return queryParameter(name, `sorts by ${parameter.property.name}`, { ...TEXT, enum: ['asc', 'desc'] })
    default: {
      const [description, schema] = GENERAL[parameter.role]
      const sizes = parameter.role === 'itemsPerPage' && { maximum, default: standard }
      return queryParameter(name, description, { ...schema, ...sizes })
    }
  }
}
