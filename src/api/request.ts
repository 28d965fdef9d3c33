// Reads the parts of a request: media type, preferences, preconditions, body.
import { hash } from 'node:crypto'
import { LD_JSON, MAX_ELEMENTS, negotiate, type Request, readList } from '../http/index.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../json.ts'
import type { Problem } from '../problem.ts'
import { type NumberCipher, SEALED } from '../seal.ts'
import { apiProblem } from './problems/index.ts'
import type { FailedPrecondition } from './problems/write.ts'

/** JSON without an inline context: a Link header has the address of the context. */
export const PLAIN_JSON = 'application/json'

/** Served at one address only (live.md, OpenAPI). */
export const OPENAPI_JSON = 'application/openapi+json'

export const JSON_TYPES = [LD_JSON, PLAIN_JSON] as const

export const RDF_TYPES = ['text/turtle', 'application/n-quads'] as const

export type RdfType = (typeof RDF_TYPES)[number]

/** The first is the default, and wins if Accept gives several the same weight. */
export const MEDIA_TYPES = [...JSON_TYPES, ...RDF_TYPES] as const

/** RFC 4180; only collections have it (asking.md, CSV). */
export const CSV = 'text/csv'

export const COLLECTION_TYPES = [...MEDIA_TYPES, CSV] as const

/** RFC 9264; only histories have it (history.md, On the wire). */
export const LINK_FORMAT = 'application/link-format'

export type MediaType = (typeof COLLECTION_TYPES)[number] | typeof OPENAPI_JSON | typeof LINK_FORMAT

/** A value for each media type, computed at start. */
export const byMediaType = <T>(compute: (mediaType: MediaType) => T): Readonly<Record<MediaType, T>> =>
  Object.fromEntries(
    ([...COLLECTION_TYPES, OPENAPI_JSON, LINK_FORMAT] as const).map((mediaType) => [
      mediaType,
      compute(mediaType),
    ]),
  ) as Record<MediaType, T>

export const mediaTypeFor = (
  { headers }: Request,
  types: readonly [MediaType, ...MediaType[]] = MEDIA_TYPES,
): MediaType => negotiate(headers.accept, types)

const RDF: readonly string[] = RDF_TYPES

export const isRdf = (mediaType: MediaType): mediaType is RdfType => RDF.includes(mediaType)

/** Maximum bytes of members on a page that is converted to RDF, which takes its thread about two seconds. */
export const LONGEST_RDF_PAGE = 4 * 1024 * 1024

/** How many bytes of members a page may have: fewer if it has to be converted to RDF. */
export const maxBytes = (bytes: number, mediaType: MediaType): number =>
  isRdf(mediaType) ? Math.min(bytes, LONGEST_RDF_PAGE) : bytes

/** A short and stable digest, for ETags. */
export const fingerprint = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 12)

const LONGEST_PREFER = 1_024
const NO_PREFERENCES = {
  minimal: false,
  exactCount: false,
  lenient: false,
  spreadsheet: false,
  primary: false,
}

export type Preferences = Readonly<typeof NO_PREFERENCES>

/** The preferences (RFC 7240) that this server knows: hypermedia.md, Writing and totalItems; asking.md, CSV; hosts.md, Reads. */
export function readPreferences({ headers: { prefer } }: Request): Preferences {
  // RFC 7240 §2: preferences may be ignored. No client needs this many, and each costs time.
  if (prefer === undefined || prefer.length > LONGEST_PREFER) return NO_PREFERENCES
  const all = String(prefer)
    // A value may be quoted; none of ours has a comma or a semicolon in it.
    .replaceAll(/"([^"]*)"/g, (_, value) => value.replaceAll(/[,;]/g, '?'))
    .split(',')
    .map((text) => (text.split(';')[0] ?? '').replaceAll(/\s/g, '').toLowerCase())
  // RFC 7240 §2: of a preference that is given twice, the first counts.
  const first = (name: string) => all.find((text) => text.startsWith(`${name}=`))
  return {
    minimal: first('return') === 'return=minimal',
    exactCount: first('count') === 'count=exact',
    lenient: first('handling') === 'handling=lenient',
    primary: first('consistency') === 'consistency=primary',
    // RFC 7240 §2: an empty value is like none.
    spreadsheet: all.some((text) => text === 'spreadsheet' || text === 'spreadsheet='),
  }
}

export const preferenceApplied = (...preferences: readonly string[]): string[] =>
  preferences.length === 0 ? [] : ['Preference-Applied', preferences.join(', ')]

/** The preconditions of a write. Only the version in an ETag matters (hypermedia.md, Writing). */
export interface Preconditions {
  /** If-Match: the versions that may be changed, or any; undefined without the header. */
  readonly match: Versions | undefined
  /** If-None-Match: the versions that the member must not have. */
  readonly noneMatch: Versions | undefined
}

type Versions = 'any' | readonly number[]

type Conditional = Pick<Request, 'headers'>

/** `If-None-Match: *`: the write must not change an existing member. */
export const isCreateOnly = ({ headers }: Conditional): boolean => headers['if-none-match']?.trim() === '*'

export const readPreconditions = ({ headers }: Conditional, versions: NumberCipher): Preconditions => ({
  match: readVersions('If-Match', headers['if-match'], versions),
  noneMatch: readVersions('If-None-Match', headers['if-none-match'], versions),
})

function readVersions(
  header: string,
  sent: string | undefined,
  versions: NumberCipher,
): Versions | undefined {
  if (sent === undefined) return undefined
  if (sent.trim() === '*') return 'any'
  const etags = readList(sent, MAX_ELEMENTS + 1)
  if (etags.length > MAX_ELEMENTS) throw apiProblem('TooManyEtags', { header, max: MAX_ELEMENTS })
  return etags.flatMap((etag) => {
    // A shell removes the quotes. 412 would be misleading: reading the member again would not help.
    if (!/^(?:(?:W\/)?"[^"]*")?$/.test(etag)) throw apiProblem('InvalidEtag', { header })
    // Compressing proxies add W/ to a strong ETag.
    const tag = etag.replace(/^(?:W\/)?"/, '')
    const version =
      versions.open(tag.slice(0, SEALED)) ?? versions.open(/^\d{1,16}(?=-)/.exec(tag)?.[0] ?? '')
    return version === undefined ? [] : [version]
  })
}

/** The versions that the store may change; undefined for any. */
export const expectedVersions = ({ match }: Preconditions): readonly number[] | undefined =>
  match === 'any' ? undefined : match

/** Throws 412 if the preconditions do not hold (RFC 9110 §13.2.2). `version` is undefined if there is no member. */
export function requirePreconditions({ match, noneMatch }: Preconditions, version: number | undefined): void {
  const includes = (versions: Versions | undefined): boolean =>
    version !== undefined && (versions === 'any' || versions?.includes(version) === true)
  if (match !== undefined && !includes(match))
    throw preconditionFailed(version === undefined ? 'nothingThere' : 'changed')
  if (includes(noneMatch)) throw preconditionFailed(noneMatch === 'any' ? 'alreadyThere' : 'ruledOut')
}

/** Throws 428 if the settings require If-Match. */
export function requireIfMatch({ match }: Preconditions, required: boolean): void {
  if (required && match === undefined) throw apiProblem('PreconditionRequired')
}

export const preconditionFailed = (reason: FailedPrecondition): Problem =>
  apiProblem('PreconditionFailed', { reason })

/** The media types of the two kinds of bodies. */
const BODY_TYPES = {
  member: [LD_JSON, 'application/json'],
  patch: ['application/merge-patch+json', 'application/json'],
}

export type BodyKind = keyof typeof BODY_TYPES

/** Throws 415 for a body of another media type, before any other part of the request is read. */
export function requireMediaType({ headers }: Request, kind: BodyKind): void {
  const types = BODY_TYPES[kind]
  const sent = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (sent === undefined || !types.includes(sent))
    throw apiProblem('UnsupportedMediaType', { sent: sent?.slice(0, 100), types, isPatch: kind === 'patch' })
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw apiProblem('UnsupportedContentEncoding')
}

/** The body of a write as one JSON object. */
export const readBody = async (request: Request, kind: BodyKind): Promise<JsonObject> =>
  requireNode(readJson(decode(await request.readBody())), kind)

export function requireNode(value: JsonValue, kind: BodyKind): JsonObject {
  // The expanded form of JSON-LD is a list of nodes.
  const isList = kind === 'member' && Array.isArray(value) && value.length === 1
  const node = isList ? (value[0] ?? null) : value
  if (isObject(node)) return node
  throw apiProblem('BodyNotAnObject', { kind })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw apiProblem('BodyNotUtf8')
  }
}
