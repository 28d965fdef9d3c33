import type { GateMode } from '../../auth/index.ts'
import { LD_JSON } from '../../http/index.ts'
import {
  type Class,
  hasCollection,
  hasWrites,
  type Model,
  type Operation,
  type OwnOperation,
  offeredOperations,
  pathTo,
  storedClasses,
} from '../../vocabulary/index.ts'
import { OPENAPI_JSON, PLAIN_JSON } from '../media-types.ts'
import { createParameters, type FilterParameter, isRepeatable, type Parameter } from '../query/parameters.ts'
import { ERROR_RESPONSES, OWN_SCHEMAS, procedureOf, SECURITY, SECURITY_SCHEMES } from './common.ts'
import { classRef, classSchemas, type Schema, schemaRef, valueSchema } from './schemas.ts'

interface Options {
  readonly mode: GateMode
  readonly pageSizes: { readonly standard: number; readonly maximum: number }
}

/** The whole API as OpenAPI 3.1, from the model as a set of roles is shown it (live.md, OpenAPI). */
export function createOpenApi(model: Model, base: string, { mode, pageSizes }: Options): object {
  const paths: Record<string, Schema> = ownPaths(model, mode)
  for (const cls of storedClasses(model)) {
    const path = pathTo(cls.collection ?? cls.name)
    const member = memberOperations(cls)
    if (!hasCollection(cls)) paths[path] = member
    else {
      paths[path] = collectionOperations(cls, pageSizes)
      if (Object.keys(member).length > 0) paths[`${path}/{id}`] = { parameters: [ID], ...member }
    }
    for (const operation of offeredOperations(cls)) {
      const ofOne = hasCollection(cls)
        ? { at: `${path}/{id}`, parameters: [ID] }
        : { at: path, parameters: [] }
      const post = ownOperation(operation, cls, model)
      paths[`${ofOne.at}/${operation.name}`] = { parameters: ofOne.parameters, post }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: model.title,
      version: '1',
      description: [model.description, procedureOf(mode)].filter(Boolean).join('\n\n'),
    },
    servers: [{ url: base }],
    ...(mode !== 'open' && { security: [SECURITY[mode]] }),
    paths,
    components: {
      schemas: { ...classSchemas(model, base), ...OWN_SCHEMAS },
      responses: ERROR_RESPONSES,
      ...(mode !== 'open' && { securitySchemes: SECURITY_SCHEMES[mode] }),
    },
  }
}

const JSON_TYPES = [LD_JSON, PLAIN_JSON]
const RDF_TYPES = ['text/turtle', 'application/n-quads']
const ETAG = { ETag: { description: 'of this representation', schema: { type: 'string' } } }

const content = (schema: Schema, types: readonly string[] = JSON_TYPES) => ({
  ...Object.fromEntries(types.map((type) => [type, { schema }])),
})

/** A resource in every form in which it is served. */
const served = (description: string, schema: Schema, headers: Schema = ETAG) => ({
  description,
  headers,
  content: { ...content(schema), ...content({ type: 'string' }, RDF_TYPES) },
})

const errors = (...statuses: readonly (keyof typeof ERROR_RESPONSES)[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))

const header = (name: string, description: string, required = false) => ({
  ...{ name, in: 'header', description, required, schema: { type: 'string' } },
})
const IF_MATCH = header('If-Match', 'the ETag that was read: 412 where the member has changed since')
const IF_NONE_MATCH = header('If-None-Match', 'an ETag that is known: 304 where nothing has changed')
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
  Object.fromEntries(
    cls.methods[operation].map((method, index) => [
      method.toLowerCase(),
      describe(index === 0 ? operation : `${operation}By${method}`),
    ]),
  )

const written = (
  cls: Class,
  name: string,
  summary: string,
  parameters: readonly object[],
  responses: Schema,
) => ({
  ...about(cls, name, summary),
  parameters: [...parameters, PREFER],
  requestBody: { required: true, content: content(classRef(cls, '_input')) },
  responses,
})

const created = (cls: Class) => {
  const location = { Location: { description: 'the address', schema: { type: 'string', format: 'uri' } } }
  return { 201: served('created', classRef(cls, ''), { ...ETAG, ...location }) }
}

function collectionOperations(cls: Class, sizes: Options['pageSizes']): Schema {
  const { operations } = cls
  const list = {
    ...about(cls, 'list', 'List'),
    parameters: [
      ...createParameters(cls).all.map((parameter) => queryParameter(parameter, sizes)),
      IF_NONE_MATCH,
      header('Prefer', '`count=exact` to count however many match'),
    ],
    responses: {
      200: served('a page', classRef(cls, '_page')),
      304: UNCHANGED,
      ...errors(400, '4XX', '5XX'),
    },
  }
  const create = (name: string) =>
    written(cls, name, 'Create', [], { ...created(cls), ...errors(415, 422, '4XX', '5XX') })
  return {
    ...(operations.has('list') && { get: list }),
    ...(operations.has('create') && byMethod(cls, 'create', create)),
  }
}

const UNCHANGED = { description: 'what the client has is still right', headers: ETAG }

/** Of a member, and of a single resource, which is created at its own address. */
function memberOperations(cls: Class): Schema {
  const { operations } = cls
  const has = (operation: Operation) => operations.has(operation)
  const changed = { 200: served('changed', classRef(cls, '')), ...errors(404, 412, 415, 422, '4XX', '5XX') }
  const read = {
    ...about(cls, 'read', 'Get'),
    parameters: [
      ...createParameters(cls)
        .all.filter(({ role }) => role === 'include')
        .map(includeParameter),
      IF_NONE_MATCH,
    ],
    responses: { 200: served('the member', classRef(cls, '')), 304: UNCHANGED, ...errors(404, '4XX', '5XX') },
  }
  const update = {
    ...written(cls, 'update', 'Update', [IF_MATCH], changed),
    requestBody: {
      required: true,
      content: content(classRef(cls, '_patch'), ['application/merge-patch+json', PLAIN_JSON]),
    },
  }
  const remove = {
    ...about(cls, 'delete', 'Delete'),
    parameters: [IF_MATCH],
    responses: { 204: { description: 'removed' }, ...errors(404, 409, 412, '4XX', '5XX') },
  }
  const puts = has('create') ? { ...created(cls), ...changed } : changed
  const isSingle = !hasCollection(cls)
  return {
    ...(has('read') && { get: read }),
    ...(isSingle &&
      has('create') &&
      byMethod(cls, 'create', (name) => written(cls, name, 'Create', [IF_MATCH], puts))),
    ...(has('replace') &&
      byMethod(cls, 'replace', (name) =>
        written(cls, name, 'Replace', [IF_MATCH, ...(isSingle ? [] : [IF_NEW])], puts),
      )),
    ...(has('update') && { patch: update }),
    ...(has('delete') && { delete: remove }),
  }
}

/** Carried out by code of a program (library.md). */
function ownOperation(
  { name, title, expects, returns }: OwnOperation,
  cls: Class,
  { classes }: Model,
): Schema {
  const [sent, answered] = [expects, returns].map((wanted) => classes.find((one) => one.name === wanted))
  return {
    ...{ operationId: `${name}${cls.name}`, summary: title, tags: [cls.name], parameters: [IF_MATCH] },
    ...(sent && { requestBody: { required: true, content: content(classRef(sent, '_input')) } }),
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

function queryParameter(parameter: Parameter, sizes: Options['pageSizes']): object {
  const { name, role } = parameter
  const described = (description: string, schema: Schema) => ({ name, in: 'query', description, schema })
  switch (role) {
    case 'filter': {
      const value = valueSchema({ range: parameter.property.range, constraints: {} }, '_input')
      if (!isRepeatable(parameter))
        return described(`${parameter.property.name} ${OPERATORS[parameter.operator]}`, value)
      return { ...described('any of these', { type: 'array', items: value }), style: 'form', explode: true }
    }
    case 'exists':
      return described(`whether there is a value of ${parameter.property.name}`, { type: 'boolean' })
    case 'order':
      return described(`sorts by ${parameter.property.name}`, { type: 'string', enum: ['asc', 'desc'] })
    case 'q':
      return described('free text: members that have all of its words', { type: 'string' })
    case 'sort':
      return described('sorts by properties, descending with a minus: `a,-b`', { type: 'string' })
    case 'include':
      return includeParameter(parameter)
    case 'page':
      return described('the number of a page', { type: 'integer', minimum: 1 })
    case 'itemsPerPage':
      return described('members on a page', {
        ...{ type: 'integer', minimum: 1, maximum: sizes.maximum, default: sizes.standard },
      })
    default:
      return described('a cursor, from a link of another page', { type: 'string' })
  }
}

/** Also of a single member. */
const includeParameter = ({ name }: Pick<Parameter, 'name'>): object => ({
  ...{ name, in: 'query', style: 'form', explode: true },
  description: 'links whose members are shown in the place of their addresses: `author`, `lines.product`',
  schema: { type: 'array', items: { type: 'string' } },
})

/** What the server has by itself. */
function ownPaths(model: Model, mode: GateMode): Record<string, Schema> {
  const get = (operationId: string, summary: string, response: object) => ({
    ...{ operationId, summary, parameters: [IF_NONE_MATCH] },
    responses: { 200: response, 304: UNCHANGED, ...errors('4XX', '5XX') },
  })
  const node = (description: string) => served(description, { type: 'object' })
  const openapi = {
    description: 'this document',
    headers: ETAG,
    content: content({ type: 'object' }, [OPENAPI_JSON, PLAIN_JSON]),
  }
  const asked = (name: string, description: string, schema: Schema) => ({
    name,
    in: 'query',
    description,
    schema,
  })
  const several = { type: 'array', items: { type: 'string' } }
  const events = {
    operationId: 'followChanges',
    summary: 'Changes of members as they happen, or page by page',
    parameters: [
      asked('collection', 'of these collections alone', several),
      asked('resource', 'of these addresses alone', several),
      asked('after', 'the id of an event: what came after it', { type: 'string' }),
      asked('itemsPerPage', 'events on a page', { type: 'integer', minimum: 1 }),
      asked('include', '`object` for the members as they are now', { type: 'string', enum: ['object'] }),
    ],
    responses: {
      200: {
        description: 'the events',
        content: {
          ...content({ type: 'object' }),
          ...content({ type: 'string' }, [...RDF_TYPES, 'text/event-stream']),
        },
      },
      ...errors(400, '4XX', '5XX'),
    },
  }
  const session = {
    get: get(
      'getSession',
      'Whose token this is, until when, and with which roles',
      served('the session', schemaRef('session_token')),
    ),
    delete: {
      ...{ operationId: 'endSession', summary: 'Revokes the token' },
      responses: { 204: { description: 'revoked' }, ...errors('4XX', '5XX') },
    },
  }
  const batch = {
    post: {
      operationId: 'carryOutBatch',
      summary: 'Carries out several operations in one transaction',
      parameters: [header('Prefer', '`handling=lenient` to carry out each on its own')],
      requestBody: { required: true, content: content(schemaRef('batch_request')) },
      responses: {
        200: served('what has become of each', schemaRef('batch_result'), {}),
        ...errors(400, 404, 409, 412, 415, 422, '4XX', '5XX'),
      },
    },
  }
  return {
    '/': { get: get('getEntryPoint', 'Where every client begins', node('the entry point')) },
    '/vocab': { get: get('getDocumentation', 'The Hydra documentation', node('the documentation')) },
    '/events': { get: events },
    '/openapi': { get: get('getOpenApi', 'This document', openapi) },
    ...(mode === 'token' && { '/session': session }),
    ...(hasWrites(model) && { '/batch': batch }),
  }
}
