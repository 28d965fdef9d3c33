import type { GateMode } from '../../auth/index.ts'
import { hasWrites, type Model } from '../../vocabulary/index.ts'
import { JSON_TYPES, OPENAPI_JSON, PLAIN_JSON, RDF_TYPES } from '../request.ts'
import { ADDRESS, listOf, OBJECT, objectOf, type Schema, schemaRef, TEXT } from './schemas.ts'

/** The parts that are the same for every API. */

const STATUS = { type: 'integer', minimum: 100, maximum: 599 }
const TIME = { type: 'string', format: 'date-time' }

const operation = objectOf(['method', 'target'], {
  method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
  target: { type: 'string', format: 'uri-reference', description: 'relative to the base URL' },
  id: { type: 'string', pattern: '^_:', description: 'names the new member for later operations' },
  ifMatch: TEXT,
  ifNoneMatch: TEXT,
  body: OBJECT,
})
const violations = listOf(schemaRef('property_violation'))
const result = { status: STATUS, location: ADDRESS, etag: TEXT, detail: TEXT, violations }

/** Classes have no underscore in their names. */
export const SERVER_SCHEMAS: Readonly<Record<string, Schema>> = {
  error_sentence: {
    type: 'object',
    description: 'the status, and a sentence that says what would be right',
    additionalProperties: TEXT,
    examples: [{ 404: 'The collection books has no member "emma".' }],
  },
  problem_document: {
    ...objectOf(['title', 'detail', 'status'], { title: TEXT, detail: TEXT, status: STATUS, violations }),
    description: 'RFC 9457, where Accept names application/problem+json',
  },
  property_violation: objectOf(['propertyPath', 'message'], { propertyPath: TEXT, message: TEXT }),
  page_view: {
    type: 'object',
    description: 'where the other pages are',
    properties: { '@id': ADDRESS, first: ADDRESS, previous: ADDRESS, next: ADDRESS, last: ADDRESS },
  },
  session_token: objectOf(['user', 'issuedAt', 'expiresAt'], {
    user: { type: 'integer' },
    issuedAt: TIME,
    expiresAt: TIME,
    roles: listOf(TEXT),
  }),
  batch_request: objectOf(['operation'], { operation: listOf(operation) }),
  batch_result: objectOf(['operation'], { operation: listOf(objectOf(['status'], result)) }),
}

const error = (description: string, headers?: Schema) => ({
  description,
  headers,
  content: {
    'application/ld+json': { schema: schemaRef('error_sentence') },
    'application/problem+json': { schema: schemaRef('problem_document') },
  },
})
const NONCE_HEADER = { 'X-Authentication': { description: 'a nonce for the exchange', schema: TEXT } }
const RETRY_AFTER = { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } }

export const ERROR_RESPONSES = {
  400: error('the query, the JSON or an ETag cannot be read'),
  404: error('there is nothing at this address'),
  409: error('other members link to this one'),
  412: error('the member has changed, or is there, or is not'),
  415: error('the body has a type that is not understood'),
  422: error('the values are not valid; the violations say where'),
  '4XX': error('any other refusal; a 401 carries a nonce, and a 429 says when to try again', {
    ...NONCE_HEADER,
    ...RETRY_AFTER,
  }),
  '5XX': error(
    'the server cannot do it now; without Retry-After, a write may have been carried out',
    RETRY_AFTER,
  ),
}

export const errors = (...statuses: readonly (keyof typeof ERROR_RESPONSES)[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))

export const ETAG = { ETag: { description: 'of this representation', schema: TEXT } }
export const UNCHANGED = { description: 'what the client has is still right', headers: ETAG }

export const content = (schema: Schema, types: readonly string[] = JSON_TYPES) =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

const answer = (description: string, content: Schema, headers: Schema = ETAG) => ({
  description,
  headers,
  content,
})

/** A resource in every form in which it is served. */
export const served = (description: string, schema: Schema, headers?: Schema) =>
  answer(description, { ...content(schema), ...content(TEXT, RDF_TYPES) }, headers)

export function header(name: string, description: string): Schema {
  return { name, in: 'header', description, required: false, schema: TEXT }
}
export const IF_NONE_MATCH = header('If-None-Match', 'an ETag that is known: 304 where nothing has changed')

/** RFC 6570 §2.4.2: a list is exploded, each value with the name. */
export function queryParameter(name: string, description: string, schema: Schema): Schema {
  const parameter = { name, in: 'query', description, schema }
  return schema.type === 'array' ? { ...parameter, style: 'form', explode: true } : parameter
}

/** What the server has by itself. */
export function serverPaths(model: Model, mode: GateMode): Record<string, Schema> {
  const get = (operationId: string, summary: string, response: object) => ({
    get: {
      ...{ operationId, summary, parameters: [IF_NONE_MATCH] },
      responses: { 200: response, 304: UNCHANGED, ...errors('4XX', '5XX') },
    },
  })
  const context = answer('the context', content(OBJECT))
  const openapi = answer('this document', content(OBJECT, [OPENAPI_JSON, PLAIN_JSON]))
  const streamed = content(TEXT, [...RDF_TYPES, 'text/event-stream'])
  const events = {
    operationId: 'followChanges',
    summary: 'Changes of members as they happen, or page by page',
    parameters: [
      queryParameter('collection', 'of these collections alone', listOf(TEXT)),
      queryParameter('resource', 'of these addresses alone', listOf(TEXT)),
      queryParameter('after', 'the id of an event: what came after it', TEXT),
      queryParameter('itemsPerPage', 'events on a page', { type: 'integer', minimum: 1 }),
      queryParameter('include', '`object` for the members as they are now', { ...TEXT, enum: ['object'] }),
      header('Last-Event-ID', 'of a stream: the same as `after`, and newer'),
      IF_NONE_MATCH,
    ],
    responses: {
      200: answer('the events', { ...content(OBJECT), ...streamed }),
      304: UNCHANGED,
      ...errors(400, '4XX', '5XX'),
    },
  }
  const token = served('the session', schemaRef('session_token'))
  const session = {
    ...get('getSession', 'Whose token this is, until when, and with which roles', token),
    delete: {
      ...{ operationId: 'endSession', summary: 'Revokes the token' },
      responses: { 204: { description: 'revoked' }, ...errors('4XX', '5XX') },
    },
  }
  const batch = {
    operationId: 'carryOutBatch',
    summary: 'Carries out several operations in one transaction',
    parameters: [header('Prefer', '`handling=lenient` to carry out each on its own')],
    requestBody: { required: true, content: content(schemaRef('batch_request')) },
    responses: {
      200: served('what has become of each', schemaRef('batch_result'), {}),
      ...errors(400, 404, 409, 412, 415, 422, '4XX', '5XX'),
    },
  }
  return {
    '/': get('getEntryPoint', 'Where every client begins', served('the entry point', OBJECT)),
    '/vocab': get('getDocumentation', 'The Hydra documentation', served('the documentation', OBJECT)),
    '/contexts/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: TEXT }],
      ...get('getContext', 'The JSON-LD context of a class, or of another resource', context),
    },
    '/events': { get: events },
    '/openapi': get('getOpenApi', 'This document', openapi),
    ...(mode === 'token' && { '/session': session }),
    ...(hasWrites(model) && { '/batch': { post: batch } }),
  }
}

function inHeader(name: string, description: string): Schema {
  return { type: 'apiKey', in: 'header', name, description }
}
const NONCE = inHeader('X-Authentication', 'a nonce, which every 401 carries; it can be used once')
const CREDENTIALS = { type: 'http', scheme: 'basic', description: 'the id of the user and the paraphrase' }
const TOKEN = inHeader('X-Authorization', 'a token, which the exchange of a nonce and credentials gives')
const STEP_A =
  'A request without valid credentials is answered 401 with a fresh nonce in `X-Authentication` (step A).'

/** How requests are admitted: in words, as what each needs, and as what that is. */
export const PROCEDURES: Readonly<
  Record<GateMode, { readonly words: string; readonly needs?: object; readonly schemes?: object }>
> = {
  open: { words: 'Every request is served without credentials.' },
  nonce: {
    words: `${STEP_A} Each request carries such a nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\`; each answer has the next nonce.`,
    needs: { nonce: [], credentials: [] },
    schemes: { nonce: NONCE, credentials: CREDENTIALS },
  },
  token: {
    words: `${STEP_A} The same request with the nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\` is answered with a token in \`X-Authorization\`, and not carried out (step B). With the token in \`X-Authorization\`, requests are served until it expires, after 45 minutes at most (step C).`,
    needs: { token: [] },
    schemes: { token: TOKEN, nonce: NONCE, credentials: CREDENTIALS },
  },
}
