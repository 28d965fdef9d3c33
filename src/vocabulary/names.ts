export const AS = 'https://www.w3.org/ns/activitystreams#'
export const HYDRA = 'http://www.w3.org/ns/hydra/core#'
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const XSD = 'http://www.w3.org/2001/XMLSchema#'
export const OWL = 'http://www.w3.org/2002/07/owl#'
export const SCHEMA = 'https://schema.org/'
export const SH = 'http://www.w3.org/ns/shacl#'
export const DASH = 'http://datashapes.org/dash#'

/** The usual prefixes of namespaces. */
export const PREFIXES = {
  hydra: HYDRA,
  rdf: RDF,
  rdfs: RDFS,
  xsd: XSD,
  owl: OWL,
  vs: 'http://www.w3.org/2003/06/sw-vocab-status/ns#',
  dc: 'http://purl.org/dc/terms/',
  cc: 'http://creativecommons.org/ns#',
  schema: 'http://schema.org/',
}

/** A resource that every API has in addition to those of its file. */
export interface ServerResource {
  readonly path: string
  readonly className: string
  readonly description: string
  /** For a collection: the class of its members. */
  readonly memberClass?: string
  /** The range of each property, keyed by its name. */
  readonly properties: Readonly<Record<string, string>>
  readonly operations: readonly (readonly [name: string, action: string, method: string, title: string])[]
}

export const SERVER_RESOURCES: readonly ServerResource[] = [
  {
    path: 'session',
    className: 'Session',
    description: 'The token of this request: whose it is, how long it lasts, and the roles of its user',
    properties: {
      user: 'xsd:integer',
      account: 'hydra:Resource',
      issuedAt: 'xsd:dateTime',
      expiresAt: 'xsd:dateTime',
      roles: 'xsd:string',
    },
    operations: [
      ['get', 'FindAction', 'GET', 'Get Session'],
      ['delete', 'DeleteAction', 'DELETE', 'End Session'],
    ],
  },
  {
    // live.md, Many at once.
    path: 'batch',
    className: 'OperationBatch',
    description: 'Operations on members, all or none of which are carried out; and what has become of each',
    properties: { operation: 'rdf:List' },
    operations: [['create', 'Action', 'POST', 'Carry out several operations at once']],
  },
  {
    path: 'events',
    // In lower case, so that it cannot conflict with the classes of API files, which begin with a capital.
    className: 'events',
    memberClass: `${AS}Activity`,
    description:
      'Changes of members: as they happen with Accept: text/event-stream, otherwise page by page. ' +
      'The query takes collection, resource, include=object, after and itemsPerPage',
    properties: {},
    operations: [['get', 'FindAction', 'GET', 'Follow changes, or list them']],
  },
  {
    // live.md, OpenAPI.
    path: 'openapi',
    className: 'OpenApiDocument',
    description: 'This API as OpenAPI 3.1',
    properties: {},
    operations: [['get', 'FindAction', 'GET', 'Get OpenApiDocument']],
  },
]

/** RFC 3987 §2.2, simplified: a scheme, and none of the characters that must be percent-encoded. */
export const isAbsoluteIri = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9+.-]*:[^\p{Cc}\p{Cs}\p{Z}<>"{}|\\^`]+$/u.test(text)

/** The same for schemas, without Unicode properties, which several languages lack; lone surrogates pass. */
export const IRI_PATTERN =
  '^[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20\\x7f-\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000<>"{}|\\\\^`]+$'

/**
 * Names are letters and digits of any script (hypermedia.md, Contexts), with the marks that many scripts need, but without
 * the few letters that are invisible. Names are compared by code point, as JSON-LD compares terms and IRIs, so they are in
 * NFC: otherwise two names that look the same could differ.
 */
export const PROPERTY_NAME = /^[\p{L}_][\p{L}\p{Mn}\p{Mc}\p{Nd}_-]*$/u

/** Does not begin with a lower-case letter, if the script has capitals: `{base}/vocab#shape/…` must not be a class. */
export const CLASS_NAME = /^(?!\p{CWT})\p{L}[\p{L}\p{Mn}\p{Mc}\p{Nd}]*$/u

/** The name of a role (access.md, In the API file). */
export const ROLE = /^[a-z][a-z0-9-]{0,63}$/

/** The id of a member, as the last part of its address. */
export const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/

const COLLECTION_NAME = /^[\p{L}\p{Nd}][\p{L}\p{Mn}\p{Mc}\p{Nd}._~-]*$/u

const INVISIBLE = /\p{DI}/u

const isNfc = (name: string): boolean => name === name.normalize('NFC')

const isSpelt = (name: string, form: RegExp): boolean =>
  form.test(name) && !INVISIBLE.test(name) && isNfc(name)

export const isPropertyName = (name: string): boolean => isSpelt(name, PROPERTY_NAME)
export const isClassName = (name: string): boolean => isSpelt(name, CLASS_NAME)
export const isCollectionName = (name: string): boolean => isSpelt(name, COLLECTION_NAME)

/** The escaped form of a name in NFC, which looks the same; undefined for a name that is in NFC. */
export function spellingInNfc(name: string): string | undefined {
  if (isNfc(name)) return undefined
  return name
    .normalize('NFC')
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The reference processor throws on these as terms of a context. */
const UNPROCESSABLE = ['__proto__', 'hasOwnProperty']

/** Why a property cannot have this name; undefined if it can. */
export function findNameProblem(
  name: string,
): 'KeywordAsName' | 'UnprocessableName' | 'InvalidPropertyName' | undefined {
  if (name.startsWith('@')) return 'KeywordAsName'
  if (UNPROCESSABLE.includes(name)) return 'UnprocessableName'
  return isPropertyName(name) ? undefined : 'InvalidPropertyName'
}

/** The path of a collection or a single resource below the base URL: names in addresses are percent-encoded. */
export const pathTo = (name: string): string => `/${encodeURIComponent(name)}`

/** A small English plural, for names that the API file leaves out; a word of another script has none. */
export function plural(word: string): string {
  if (/(?!\p{Script=Latin})[\p{L}\p{M}]$/u.test(word)) return word
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/i.test(word)) return `${word}es`
  return `${word}s`
}

/**
 * Terms that no public vocabulary has: `{base}/vocab#{name}`, defined in the documentation (model.md). Classes begin with a
 * capital, so that none has such a name.
 */
export const OWN_TERMS = {
  labelProperty: 'The properties of a class whose values, joined by a blank, name a member to people.',
  plural: 'What people call the members of a class.',
  uniqueTogether: 'Properties of a class: no two members have the same values of all of them.',
  always: 'What the server sets at every write: "now", the time, or "user", the id of the user.',
  onDelete:
    'What happens when the member is removed that a link leads to: "refuse" the removal, "unset" the value, or "delete" the linking member too.',
  removal:
    'A URI template (RFC 6570) of a class: where one sees what else the removal of a member would delete or change.',
  deleted: 'Members that a removal would delete too.',
  changed: 'Members that a removal would take a link out of.',
  reverseOf:
    'The link of another class that a link from the other side goes back along: it leads to the collection of the members that link here.',
  summary: 'A template of a collection: counts and figures of its members, by groups (hydra:IriTemplate).',
  group: 'The values, by path, that all members of a summary have; null for members without one.',
  count: 'The number of members of a summary.',
  sum: 'Sums of the values at paths: decimals and integers exactly, as text.',
  avg: 'Averages of the values at paths, with up to 10 digits after the point.',
  min: 'The least value at each path.',
  max: 'The greatest value at each path.',
  members: 'The members that a summary counts.',
  example: 'A value of a property, for people to see.',
  unit: 'What the number in a property counts.',
  scale: 'The most digits after the point of a decimal.',
  history:
    'What a member was: the collection of its changes, newest first, each with the member as it was then.',
  'history/changed': 'The names of the properties that a change has given other values.',
  restore: 'Where a POST brings a member back as it was after a change.',
  deletion: 'The change by which a member was deleted.',
  resync:
    'An event of the feed: another member has changed, and so members of a collection have come into sight or left it; who keeps a copy reads the collection again.',
} as const

export type OwnTerm = keyof typeof OWN_TERMS

/** The term that is a class of events. All others are properties. */
export const RESYNC = 'resync' satisfies OwnTerm

/**
 * Terms of search mappings: what a variable asks for. The property of a mapping is such a term, or a case of it that names
 * what is filtered: `{base}/vocab#gte/price`.
 */
export const SEARCH_TERMS = {
  eq: 'The value of a property is this one, or one of several.',
  ne: 'No value of a property is this one.',
  gt: 'A value of a property is greater.',
  gte: 'A value of a property is greater, or this one.',
  lt: 'A value of a property is less.',
  lte: 'A value of a property is less, or this one.',
  startsWith: 'A text begins like this one.',
  contains: 'A text contains this one.',
  exists: 'Whether a property has a value: "true" or "false".',
  order: 'The direction in which members are sorted by a property: "asc" or "desc".',
  sort: 'The properties by which members are sorted, with commas between them, and "-" before a descending one.',
  'events/collection': 'The name of a collection whose changes are wanted.',
  'events/resource': 'The address of a resource whose changes are wanted.',
  include: 'A link that is replaced by the member that it leads to; on events: "object".',
  fields: 'The properties that members have in the response, with commas between them.',
} as const

/** The classes of summaries, as names in the vocabulary: in lower case, since a class of an API file begins with a capital. */
export const SUMMARIES = 'summaries'
export const SUMMARY = `${SUMMARIES}/Summary`

/** The last segment of the address, below a member, that shows what its removal would do. */
export const REMOVAL = 'removal'

/** The last segment of the address of a member's history (history.md). */
export const HISTORY = 'history' satisfies OwnTerm

/** The class of the collections of changes, in lower case like that of events. */
export const HISTORIES = 'histories'

/** The property of a change: the names of the properties that it has changed. */
export const CHANGED = 'history/changed' satisfies OwnTerm

/** The last segment of the address, below a change, that brings the member back. */
export const RESTORE = 'restore' satisfies OwnTerm

/** The key of the change by which a member was deleted. */
export const DELETION = 'deletion' satisfies OwnTerm
