import { type Class, DELETION, HISTORY, ownKey, RESTORE } from '../../vocabulary/index.ts'
import { LINK_FORMAT, RDF_TYPES } from '../request.ts'
import { fieldsParameter, IF_MATCH, IF_NONE_MATCH, queryParameter, sizeParameter } from './parameters.ts'
import { CONTENT_LOCATION, ETAG, errors, LOCATION, responseHeader, served, unchanged } from './responses.ts'
import {
  ADDRESS,
  classRef,
  keyOf,
  listOf,
  objectOf,
  oneOf,
  type Schema,
  type Shown,
  schemaRef,
  TEXT,
  TIME,
} from './schemas.ts'

const MEMENTO = responseHeader('Memento-Datetime', 'When the member came to be so (RFC 7089).')

/** The headers of a member that answers for a time in the past. */
export const PAST_HEADERS = { ...MEMENTO, ...CONTENT_LOCATION }

/** `{ Accept-Datetime }`: asks for the member as it was. */
export const ACCEPT_DATETIME = {
  name: 'Accept-Datetime',
  in: 'header',
  description: 'A time in the past: the member as it was then (RFC 7089).',
  required: false,
  schema: { ...TEXT, examples: ['Wed, 18 Nov 2026 09:30:00 GMT'] },
}

/** `?deleted=true`: lists what was deleted. */
export const DELETED_PARAMETER = queryParameter(
  'deleted',
  'Lists the members that were deleted and can be brought back, newest first, each with its deletion.',
  { type: 'boolean', enum: [true] },
)

const VERSION = {
  name: 'version',
  in: 'path',
  required: true,
  description: 'The last part of the address of an entry.',
  schema: { ...TEXT, pattern: '^[A-Za-z0-9_-]{1,22}$' },
}

/** The history of a member (history.md): paths below the address of the member. */
export function historyPaths(cls: Class, { sizes }: Shown): Record<string, Schema> {
  const about = (operation: string, summary: string) => ({
    operationId: `${operation}${keyOf(cls)}`,
    summary: `${summary} ${cls.title}`,
    tags: [cls.name],
  })
  const list = {
    ...about('listHistoryOf', 'What was changed of a'),
    parameters: [
      sizeParameter('Entries on a page.', sizes),
      queryParameter('after', 'A cursor, from a link of another page.', TEXT),
      IF_NONE_MATCH,
    ],
    responses: {
      200: served('A page, newest first.', schemaRef('history_page'), ETAG, [...RDF_TYPES, LINK_FORMAT]),
      ...unchanged(),
      ...errors(400, 404, '4XX', '5XX'),
    },
  }
  const read = {
    ...about('readHistoryOf', 'Get an earlier'),
    parameters: [fieldsParameter(cls), IF_NONE_MATCH],
    responses: {
      200: served('The member as it was.', classRef(cls, ''), { ...ETAG, ...MEMENTO }),
      ...unchanged(MEMENTO),
      ...errors(400, 404, '4XX', '5XX'),
    },
  }
  const restore = {
    ...about('restore', 'Bring back an earlier'),
    parameters: [IF_MATCH],
    responses: {
      200: served('It has replaced what was there.', classRef(cls, ''), ETAG),
      201: served('It is there again.', classRef(cls, ''), { ...ETAG, ...LOCATION }),
      ...errors(400, 404, 409, 412, 422, '4XX', '5XX'),
    },
  }
  return {
    [HISTORY]: { get: list },
    [`${HISTORY}/{version}`]: { parameters: [VERSION], get: read },
    [`${HISTORY}/{version}/${RESTORE}`]: { parameters: [VERSION], post: restore },
  }
}

/** The keys that a member has with its history; the second only in a list of what was deleted. */
export const historyKeys = (cls: Class, base: string): Schema =>
  cls.history === undefined
    ? {}
    : {
        [ownKey(cls, HISTORY, base)]: {
          ...(ownKey(cls, HISTORY, base) === HISTORY ? ADDRESS : objectOf(['@id'], { '@id': ADDRESS })),
          description: 'What the member was.',
          readOnly: true,
        },
        [ownKey(cls, DELETION, base)]: { ...schemaRef('history_entry'), readOnly: true },
      }

export const HISTORY_SCHEMAS: Readonly<Record<string, Schema>> = {
  history_page: objectOf(['@id', '@type', 'member', 'view'], {
    '@context': schemaRef('json_ld_context'),
    '@id': ADDRESS,
    '@type': schemaRef('type_names'),
    memberAssertion: schemaRef('member_assertion'),
    member: listOf(schemaRef('history_entry')),
    view: schemaRef('page_view'),
  }),
  history_entry: objectOf(['@id', '@type', 'published'], {
    '@id': { ...ADDRESS, description: 'The member as it was.' },
    '@type': oneOf(['Create', 'Update', 'Delete']),
    published: TIME,
    actor: { ...ADDRESS, description: 'The account of the user, where you may see it.' },
    changed: { ...listOf(TEXT), description: 'The properties that got other values.' },
    restore: { ...ADDRESS, description: 'Where a POST brings it back.' },
  }),
}
