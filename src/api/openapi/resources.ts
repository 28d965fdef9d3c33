import {
  entryPointPaths,
  hasLongPaths,
  hasWrites,
  type Model,
  memberType,
  ofFile,
  storedClasses,
} from '../../vocabulary/index.ts'
import type { ServedMode } from '../respond.ts'
import {
  ADDRESS,
  anyOf,
  COUNT,
  classRef,
  listOf,
  objectOf,
  oneOf,
  type Schema,
  schemaRef,
  TEXT,
  TIME,
} from './schemas.ts'

/** Schemas of everything that is not a member. Their names have an underscore, which names of classes never have. */
export function resourceSchemas(model: Model, base: string, mode: ServedMode): Record<string, Schema> {
  return { ...COMMON, ...DOCUMENTATION, entry_point: entryPoint(model, mode), ...events(model, base) }
}

const CONTEXT = schemaRef('json_ld_context')
const TYPES = schemaRef('type_names')
const FLAG = { type: 'boolean' }
const violations = listOf(schemaRef('property_violation'))

/** What is said of a member that could not be deleted. */
export const LINKING_MEMBERS = {
  linkedFrom: { ...listOf(ADDRESS), description: 'Members that link to it, at most ten.' },
  hasFurtherLinks: { ...FLAG, description: 'Whether members link to it that are not listed.' },
}

const COMMON: Readonly<Record<string, Schema>> = {
  error_sentence: {
    type: 'object',
    description: 'The status, and a sentence that says what would be right.',
    additionalProperties: TEXT,
    propertyNames: { pattern: '^[1-5][0-9]{2}$' },
    minProperties: 1,
    maxProperties: 1,
    examples: [{ 404: 'The collection books has no member "emma".' }],
  },
  problem_document: {
    ...objectOf(['@type', 'type', 'title', 'detail', 'status'], {
      '@context': CONTEXT,
      '@type': TYPES,
      type: { ...TEXT, format: 'uri', description: 'The kind of problem; the documentation describes it.' },
      title: TEXT,
      detail: TEXT,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      operation: { type: 'integer', minimum: 0, description: 'Which operation of a batch has failed.' },
      parameter: { ...TEXT, description: 'Which parameter of the query was refused.' },
      violations,
      ...LINKING_MEMBERS,
    }),
    description: 'RFC 9457, where Accept names application/problem+json.',
  },
  property_violation: objectOf(['propertyPath', 'message', 'code'], {
    propertyPath: TEXT,
    message: TEXT,
    code: { ...TEXT, description: 'What kind of violation it is.' },
  }),
  json_ld_context: {
    type: 'object',
    description: 'What the terms mean (JSON-LD 1.1); members and pages as application/json have none.',
    additionalProperties: anyOf(TEXT, { type: 'number' }, schemaRef('json_ld_term')),
  },
  json_ld_term: objectOf([], {
    '@id': TEXT,
    '@type': TEXT,
    '@reverse': TEXT,
    '@container': TEXT,
    '@context': anyOf(CONTEXT, listOf(anyOf(CONTEXT, { type: 'null' }))),
  }),
  served_context: objectOf(['@context'], { '@context': CONTEXT }),
  type_names: anyOf(TEXT, listOf(TEXT)),
  page_view: {
    ...objectOf(['@id', '@type'], {
      '@id': ADDRESS,
      '@type': TYPES,
      first: ADDRESS,
      previous: ADDRESS,
      next: ADDRESS,
      last: ADDRESS,
    }),
    description: 'Where the other pages are.',
  },
  member_assertion: objectOf(['property', 'object'], { property: TEXT, object: TEXT }),
  search_template: objectOf(['@id', '@type', 'template', 'mapping'], {
    '@id': ADDRESS,
    '@type': TYPES,
    template: { ...TEXT, description: 'RFC 6570.' },
    variableRepresentation: TEXT,
    mapping: listOf(
      objectOf(['@type', 'variable', 'property', 'required'], {
        '@type': TYPES,
        variable: TEXT,
        property: TEXT,
        required: FLAG,
      }),
    ),
  }),
  removal_preview: objectOf(['@id', '@type', 'deleted', 'changed', 'totalItems'], {
    '@context': CONTEXT,
    '@id': ADDRESS,
    '@type': TYPES,
    deleted: { ...listOf(ADDRESS), description: 'Members that would be deleted too.' },
    changed: { ...listOf(ADDRESS), description: 'Members that would lose a link.' },
    totalItems: COUNT,
  }),
  session_token: objectOf(['@id', '@type', 'user', 'issuedAt', 'expiresAt', 'roles'], {
    '@context': CONTEXT,
    '@id': ADDRESS,
    '@type': oneOf(['Session']),
    user: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    account: ADDRESS,
    issuedAt: TIME,
    expiresAt: TIME,
    roles: listOf(TEXT),
  }),
}

/** An IRI, or a description of the resource that it identifies. */
const NODE = anyOf(TEXT, schemaRef('hydra_node'))

/** The part of Hydra's vocabulary that is served; documents may have more. */
const DOCUMENTATION: Readonly<Record<string, Schema>> = {
  api_documentation: objectOf(['@id', '@type', 'title', 'entrypoint', 'supportedClass'], {
    '@context': CONTEXT,
    '@id': ADDRESS,
    '@type': TYPES,
    title: TEXT,
    description: TEXT,
    entrypoint: ADDRESS,
    supportedClass: listOf(schemaRef('hydra_class')),
    shapes: listOf(schemaRef('shacl_shape')),
  }),
  hydra_class: objectOf(['@id', '@type', 'title'], {
    '@id': TEXT,
    '@type': TYPES,
    title: TEXT,
    description: TEXT,
    subClassOf: NODE,
    memberAssertion: schemaRef('member_assertion'),
    linkedBy: schemaRef('hydra_property'),
    supportedProperty: listOf(schemaRef('hydra_supported_property')),
    supportedOperation: listOf(schemaRef('hydra_operation')),
  }),
  hydra_supported_property: objectOf(['@type', 'title', 'required', 'readable', 'writable', 'property'], {
    '@type': TYPES,
    title: { ...TEXT, description: 'The key in JSON.' },
    description: TEXT,
    required: FLAG,
    readable: FLAG,
    writable: FLAG,
    writeable: FLAG,
    property: schemaRef('hydra_property'),
  }),
  hydra_property: objectOf(['@id', '@type'], {
    '@id': TEXT,
    '@type': TYPES,
    label: TEXT,
    description: TEXT,
    domain: NODE,
    range: anyOf(NODE, listOf(NODE)),
    memberAssertion: schemaRef('member_assertion'),
    supportedOperation: listOf(schemaRef('hydra_operation')),
  }),
  hydra_operation: objectOf(['@id', '@type', 'title', 'method', 'returns'], {
    '@id': TEXT,
    '@type': TYPES,
    title: TEXT,
    method: TEXT,
    expects: NODE,
    returns: NODE,
  }),
  hydra_node: objectOf([], { '@id': TEXT, '@type': TYPES }),
  shacl_shape: objectOf(['@id', '@type', 'targetClass', 'property'], {
    '@id': TEXT,
    '@type': TYPES,
    targetClass: TEXT,
    property: listOf(objectOf(['path'], { path: TEXT })),
  }),
}

function entryPoint(model: Model, mode: ServedMode): Schema {
  const paths = [
    ...entryPointPaths(model),
    ...(mode === 'token' ? ['session'] : []),
    ...(hasWrites(model) ? ['batch'] : []),
    ...(mode === 'anyone' ? [] : ['events']),
    'openapi',
  ]
  return objectOf(['@id', '@type', ...paths, 'collection'], {
    '@context': CONTEXT,
    '@id': ADDRESS,
    '@type': TYPES,
    ...Object.fromEntries(paths.map((path) => [path, ADDRESS])),
    collection: listOf(
      objectOf(['@id', '@type', 'memberAssertion'], {
        '@id': ADDRESS,
        '@type': TYPES,
        memberAssertion: schemaRef('member_assertion'),
      }),
    ),
  })
}

/** live.md, The feed. */
function events(model: Model, base: string): Record<string, Schema> {
  const stored = storedClasses(ofFile(model))
  const types = stored.map((cls) => memberType(cls, base))
  const hasResync = hasLongPaths(model)
  const address = objectOf(['@id', '@type'], {
    '@id': ADDRESS,
    '@type': types.length > 0 ? oneOf(types) : TEXT,
  })
  return {
    events_page: objectOf(['@id', '@type', 'member', 'view'], {
      '@context': CONTEXT,
      '@id': ADDRESS,
      '@type': TYPES,
      member: listOf(schemaRef('change_event')),
      view: schemaRef('page_view'),
    }),
    change_event: objectOf(['@id', '@type', 'object', 'published'], {
      '@context': CONTEXT,
      '@id': ADDRESS,
      '@type': oneOf(['Create', 'Update', 'Delete', ...(hasResync ? ['Resync'] : [])]),
      object: {
        ...anyOf(
          address,
          ...(hasResync ? [objectOf(['@id'], { '@id': ADDRESS })] : []),
          ...stored.map((cls) => classRef(cls, '')),
        ),
        description:
          'The address and class of the member; with `include=object` the member as it is now, in full once on a page.',
      },
      actor: {
        ...ADDRESS,
        description: 'The account of the user who made the change, where the reader may see it.',
      },
      published: TIME,
      etag: TEXT,
    }),
    stream_event: objectOf(['event', 'id', 'data'], {
      event: oneOf(['start', 'create', 'update', 'delete', ...(hasResync ? ['resync'] : []), 'end']),
      id: { ...TEXT, description: 'Where the stream is resumed: `Last-Event-ID` or `after`.' },
      data: {
        ...TEXT,
        contentMediaType: 'application/ld+json',
        contentSchema: anyOf(schemaRef('change_event'), { type: 'object', maxProperties: 0 }),
        description: 'A `change_event` in one line; `{}` of `start` and `end`.',
      },
    }),
  }
}
