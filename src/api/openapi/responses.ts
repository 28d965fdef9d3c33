import { JSON_TYPES, RDF_TYPES } from '../request.ts'
import { ADDRESS, oneOf, type Schema, schemaRef, TEXT } from './schemas.ts'

const error = (description: string, headers?: Schema) => ({
  description,
  headers,
  content: {
    'application/ld+json': { schema: schemaRef('error_sentence') },
    'application/problem+json': { schema: schemaRef('problem_document') },
  },
})

export const responseHeader = (name: string, description: string, schema: Schema = TEXT) => ({
  [name]: { description, schema },
})
const RETRY_AFTER = responseHeader('Retry-After', 'Seconds.', { type: 'integer', minimum: 0 })

export const ERROR_RESPONSES = {
  400: error('The query, the JSON or an ETag cannot be read.'),
  404: error('There is nothing at this address.'),
  410: error('The member was deleted; the link leads to its history.'),
  409: error('Other members link to this one.'),
  412: error('The member has changed, or is there, or is not.'),
  415: error(
    'The body has a type that is not understood.',
    responseHeader('Accept-Patch', 'The types of a PATCH.'),
  ),
  422: error('The values are not valid; the violations say where.'),
  '4XX': error('Any other refusal; a 401 carries a nonce, and a 429 says when to try again.', {
    ...responseHeader('X-Authentication', 'A nonce for the exchange.'),
    ...responseHeader('WWW-Authenticate', 'Of a 401.'),
    ...responseHeader('Allow', 'Of a 405: the methods that are possible.'),
    ...RETRY_AFTER,
  }),
  '5XX': error('The server cannot do it now; without Retry-After, a write may have been carried out.', {
    ...RETRY_AFTER,
    ...responseHeader('X-Request-Id', 'Of a 500: the log has the reason under this id.'),
  }),
}

export const errors = (...statuses: readonly (keyof typeof ERROR_RESPONSES)[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))

export const ETAG = responseHeader('ETag', 'Of this representation.')
export const LOCATION = { Location: { description: 'The address.', required: true, schema: ADDRESS } }
export const CONTENT_LOCATION = responseHeader('Content-Location', 'The member that this is.', ADDRESS)
export const applied = (...preferences: readonly string[]) =>
  responseHeader('Preference-Applied', 'The preference, where it was asked for.', oneOf(preferences))

export const unchanged = (headers?: Schema) => ({
  304: { description: 'What the client has is still right.', headers: { ...ETAG, ...headers } },
})

export const noContent = (description: string, headers?: Schema) => ({ 204: { description, headers } })

export const content = (schema: Schema, types: readonly string[] = JSON_TYPES) =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

export const answer = (description: string, content: Schema, headers: Schema = ETAG) => ({
  description,
  headers,
  content,
})

/** A resource in every form in which it is served. `others`: the media types that are not JSON. */
export const served = (
  description: string,
  schema: Schema,
  headers?: Schema,
  others: readonly string[] = RDF_TYPES,
) => answer(description, { ...content(schema), ...content(TEXT, others) }, headers)
