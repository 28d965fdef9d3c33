import type { GateMode } from '../../auth/index.ts'
import { type Schema, schemaRef } from './schemas.ts'

/** The parts that are the same for every API. */

const TEXT = { type: 'string' }
const ADDRESS = { type: 'string', format: 'uri' }
const STATUS = { type: 'integer', minimum: 100, maximum: 599 }

/** Classes have no underscore in their names. */
export const OWN_SCHEMAS: Readonly<Record<string, Schema>> = {
  error_sentence: {
    type: 'object',
    description: 'the status, and a sentence that says what would be right',
    additionalProperties: TEXT,
    examples: [{ 404: 'The collection books has no member "emma".' }],
  },
  problem_document: {
    type: 'object',
    description: 'RFC 9457, where Accept names application/problem+json',
    required: ['title', 'detail', 'status'],
    properties: {
      title: TEXT,
      detail: TEXT,
      status: STATUS,
      violations: { type: 'array', items: schemaRef('property_violation') },
    },
  },
  property_violation: {
    type: 'object',
    required: ['propertyPath', 'message'],
    properties: { propertyPath: TEXT, message: TEXT },
  },
  page_view: {
    type: 'object',
    description: 'where the other pages are',
    properties: { '@id': ADDRESS, first: ADDRESS, previous: ADDRESS, next: ADDRESS, last: ADDRESS },
  },
  session_token: {
    type: 'object',
    required: ['user', 'issuedAt', 'expiresAt'],
    properties: {
      user: { type: 'integer' },
      issuedAt: { type: 'string', format: 'date-time' },
      expiresAt: { type: 'string', format: 'date-time' },
      roles: { type: 'array', items: TEXT },
    },
  },
  batch_request: {
    type: 'object',
    required: ['operation'],
    properties: {
      operation: {
        type: 'array',
        items: {
          type: 'object',
          required: ['method', 'target'],
          properties: {
            method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
            target: { type: 'string', format: 'uri-reference', description: 'relative to the base URL' },
            id: { type: 'string', pattern: '^_:', description: 'names the new member for later operations' },
            ifMatch: TEXT,
            ifNoneMatch: TEXT,
            body: { type: 'object' },
          },
        },
      },
    },
  },
  batch_result: {
    type: 'object',
    required: ['operation'],
    properties: {
      operation: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status'],
          properties: {
            ...{ status: STATUS, location: ADDRESS, etag: TEXT, detail: TEXT },
            violations: { type: 'array', items: schemaRef('property_violation') },
          },
        },
      },
    },
  },
}

const error = (description: string) => ({
  description,
  content: {
    'application/ld+json': { schema: schemaRef('error_sentence') },
    'application/problem+json': { schema: schemaRef('problem_document') },
  },
})

export const ERROR_RESPONSES = {
  400: error('the query, the JSON or an ETag cannot be read'),
  404: error('there is nothing at this address'),
  409: error('other members link to this one'),
  412: error('the member has changed, or is there, or is not'),
  415: error('the body has a type that is not understood'),
  422: error('the values are not valid; the violations say where'),
  '4XX': {
    ...error('any other refusal; a 401 carries a nonce, and a 429 says when to try again'),
    headers: {
      'X-Authentication': { description: 'a nonce for the exchange', schema: TEXT },
      'Retry-After': { description: 'seconds', schema: { type: 'integer' } },
    },
  },
  '5XX': {
    ...error('the server cannot do it now; without Retry-After, a write may have been carried out'),
    headers: { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } },
  },
}

const NONCE = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Authentication',
  description: 'a nonce, which every 401 carries; it can be used once',
}
const CREDENTIALS = { type: 'http', scheme: 'basic', description: 'the id of the user and the paraphrase' }
const TOKEN = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Authorization',
  description: 'a token, which the exchange of a nonce and credentials gives',
}

type Protected = Exclude<GateMode, 'open'>

export const SECURITY_SCHEMES: Readonly<Record<Protected, object>> = {
  token: { token: TOKEN, nonce: NONCE, credentials: CREDENTIALS },
  nonce: { nonce: NONCE, credentials: CREDENTIALS },
}

export const SECURITY: Readonly<Record<Protected, object>> = {
  token: { token: [] },
  nonce: { nonce: [], credentials: [] },
}

const STEP_A =
  'A request without valid credentials is answered 401 with a fresh nonce in `X-Authentication` (step A).'

export function procedureOf(mode: GateMode): string {
  if (mode === 'open') return 'Every request is served without credentials.'
  if (mode === 'nonce')
    return `${STEP_A} Each request carries such a nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\`; each answer has the next nonce.`
  return `${STEP_A} The same request with the nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\` is answered with a token in \`X-Authorization\`, and not carried out (step B). With the token in \`X-Authorization\`, requests are served until it expires, after 45 minutes at most (step C).`
}
