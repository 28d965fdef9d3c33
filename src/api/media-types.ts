import { hash } from 'node:crypto'
import { LD_JSON, negotiate, type Request } from '../http/index.ts'
import { RDF_TYPES } from './output/rdf/conversion.ts'
import { LONGEST_PAGE } from './output/rdf/rdf.ts'

/** Members, pages and single resources go out without their context: a Link has its address. */
export const PLAIN_JSON = 'application/json'

/** live.md, OpenAPI: asked for at one address alone. */
export const OPENAPI_JSON = 'application/openapi+json'

export const JSON_TYPES = [LD_JSON, PLAIN_JSON] as const

/** The first is the default and wins among equals. */
export const MEDIA_TYPES = [...JSON_TYPES, ...RDF_TYPES] as const

export type MediaType = (typeof MEDIA_TYPES)[number] | typeof OPENAPI_JSON

/** A value for each media type, computed at start. */
export const byMediaType = <T>(compute: (mediaType: MediaType) => T): Readonly<Record<MediaType, T>> =>
  Object.fromEntries(
    ([...MEDIA_TYPES, OPENAPI_JSON] as const).map((mediaType) => [mediaType, compute(mediaType)]),
  ) as Record<MediaType, T>

export const mediaTypeFor = ({ headers }: Request): MediaType => negotiate(headers.accept, MEDIA_TYPES)

export const isJson = (mediaType: MediaType): mediaType is Exclude<MediaType, (typeof RDF_TYPES)[number]> =>
  mediaType.endsWith('json')

/** Nothing that is converted to RDF has more bytes than a conversion may take. */
export const mostBytes = (bytes: number, mediaType: MediaType): number =>
  isJson(mediaType) ? bytes : Math.min(bytes, LONGEST_PAGE)

/** Short and stable: names a representation in an ETag. */
export const fingerprint = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 12)
