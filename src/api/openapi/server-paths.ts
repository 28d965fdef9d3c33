import { hasCollection, hasWrites, type Model, ofFile, storedClasses } from '../../vocabulary/index.ts'
import { OPENAPI_JSON, PLAIN_JSON, RDF_TYPES } from '../request.ts'
import type { ServedMode } from '../respond.ts'
import {
  header,
  IF_NONE_MATCH,
  includeParameter,
  prefer,
  queryParameter,
  sizeParameter,
} from './parameters.ts'
import { answer, applied, content, errors, noContent, served, unchanged } from './responses.ts'
import { anyOf, listOf, objectOf, oneOf, type Schema, type Sizes, schemaRef, TEXT } from './schemas.ts'

/** Two words, so that it differs from the name of every class. */
export const SERVER_TAG = {
  name: 'general resources',
  description: 'What every API has: where to begin, what there is, changes, and many operations at once.',
}

const about = (operationId: string, summary: string) => ({ operationId, summary, tags: [SERVER_TAG.name] })

const get = (
  operationId: string,
  summary: string,
  response: object,
  parameters: readonly (Schema | undefined)[] = [],
) => ({
  get: {
    ...about(operationId, summary),
    parameters: [...parameters.filter((one) => one !== undefined), IF_NONE_MATCH],
    responses: { 200: response, ...unchanged(), ...errors(400, '4XX', '5XX') },
  },
})

/** The paths that every API has. */
export function serverPaths(model: Model, mode: ServedMode, sizes: Sizes): Record<string, Schema> {
  const entryPoint = served('The entry point.', schemaRef('entry_point'))
  const documentation = served('The documentation.', schemaRef('api_documentation'))
  const openApi = answer('This document.', content(schemaRef('openapi_document'), [OPENAPI_JSON, PLAIN_JSON]))
  return {
    '/': {
      ...get('getEntryPoint', 'Where every client begins', entryPoint),
      ...(mode === 'token' && { head: SIGN_IN }),
    },
    '/vocab': get('getDocumentation', 'The Hydra documentation', documentation),
    '/contexts/{name}': contextPath(model, mode),
    ...(mode !== 'anyone' && { '/events': eventsPath(model, sizes) }),
    '/openapi': get('getOpenApi', 'This document', openApi),
    ...(mode === 'token' && { '/session': SESSION }),
    ...(hasWrites(model) && { '/batch': { post: BATCH } }),
  }
}

const ANYTHING = { type: 'object', additionalProperties: { type: 'object', additionalProperties: true } }

/** Only an outline: https://spec.openapis.org has the rest. */
export const OPENAPI_SCHEMA = {
  openapi_document: objectOf(['openapi', 'info', 'paths', 'components'], {
    openapi: { ...TEXT, pattern: '^3\\.1\\.' },
    info: objectOf(['title', 'version'], { title: TEXT, version: TEXT, description: TEXT }),
    paths: ANYTHING,
    components: ANYTHING,
  }),
}

/** Step B. Any request will do; this one has no body, so that a generated client returns the token. */
const SIGN_IN = {
  ...about('signIn', 'Exchanges a nonce and credentials for a token'),
  security: [{ nonce: [], credentials: [] }],
  responses: {
    200: {
      description: 'The token.',
      headers: { 'X-Authorization': { description: 'The token.', required: true, schema: TEXT } },
    },
    ...errors('4XX', '5XX'),
  },
}

const SESSION = {
  ...get(
    'getSession',
    'Whose token this is, until when, and with which roles',
    served('The session.', schemaRef('session_token')),
  ),
  delete: {
    ...about('endSession', 'Revokes the token'),
    responses: { ...noContent('Revoked.'), ...errors('4XX', '5XX') },
  },
}

const LENIENT = 'handling=lenient'

const BATCH = {
  ...about('carryOutBatch', 'Carries out several operations in one transaction'),
  parameters: [
    prefer('`handling=lenient` to carry out each operation on its own.', LENIENT, 'handling=strict'),
  ],
  requestBody: { required: true, content: content(schemaRef('batch_request')) },
  responses: {
    200: served(
      'What has become of each.',
      anyOf(schemaRef('batch_result'), schemaRef('batch_lenient_result')),
      applied(LENIENT),
    ),
    ...errors(400, 404, 409, 412, 415, 422, '4XX', '5XX'),
  },
}

function contextPath(model: Model, mode: ServedMode): Schema {
  const names = [
    ...['EntryPoint', 'ApiDocumentation', 'ConstraintViolationList', 'summaries'],
    ...(mode === 'anyone' ? [] : ['Session', 'events', 'OperationBatch']),
    ...model.classes.flatMap((cls) =>
      hasCollection(cls) ? [cls.name, `${cls.name}Collection`] : [cls.name],
    ),
  ]
  const paths = storedClasses(model).map((cls) => includeParameter(cls, model))
  const include = queryParameter(
    'include',
    'Of a class: the context of a representation with these links included.',
    listOf(TEXT),
  )
  return {
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'A class, its collection, or another resource.',
        schema: oneOf(names),
      },
    ],
    ...get(
      'getContext',
      'The JSON-LD context of a class, or of another resource',
      answer('The context.', content(schemaRef('served_context'))),
      [paths.some((one) => one !== undefined) ? include : undefined],
    ),
  }
}

function eventsPath(model: Model, sizes: Sizes): Schema {
  const collections = ofFile(model)
    .classes.filter(hasCollection)
    .map(({ collection }) => collection)
  const stream = {
    ...TEXT,
    contentMediaType: 'text/event-stream',
    contentSchema: listOf(schemaRef('stream_event')),
    description: 'A stream of `stream_event`, which begins with `start`.',
  }
  return get(
    'followChanges',
    'Changes of members as they happen, or page by page',
    answer('The events.', {
      ...content(schemaRef('events_page')),
      ...content(TEXT, RDF_TYPES),
      'text/event-stream': { schema: stream },
    }),
    [
      collections.length === 0
        ? undefined
        : queryParameter('collection', 'Only changes of these collections.', listOf(oneOf(collections))),
      queryParameter('resource', 'Only changes of these addresses.', listOf(TEXT)),
      queryParameter('after', 'The id of an event: what came after it.', TEXT),
      sizeParameter('Events on a page.', sizes),
      queryParameter('include', '`object` for the members as they are now.', oneOf(['object'])),
      header('Last-Event-ID', 'Of a stream: the same as `after`, and newer.'),
    ],
  )
}
