import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { BoundedMap } from '../bounded-map.ts'
import { readList } from './lists.ts'
import { httpProblem } from './problems.ts'

/** An element of an Accept header, or of one like it, in lower case. */
export interface Preference {
  readonly range: string
  readonly quality: number
}

/**
 * The best of `offered` for an Accept header, by RFC 9110 §12.5.1: each has the quality of the most specific range that
 * matches it. Among equals the first offered type wins, whatever the order in the header; in the libraries that we looked
 * at, the order in the header decides, which hypermedia.md rules out.
 */
export function negotiate<T extends string>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  const [preferred] = offered
  if (accept === undefined || accept === '' || accept === '*/*' || accept === preferred) return preferred
  // Programs mostly ask for exactly one type, which needs no parsing.
  const exact = offered.find((candidate) => candidate === accept)
  if (exact !== undefined) return exact
  const preferences = readAccept(accept)
  let best: T | undefined
  let bestQuality = 0
  for (const candidate of offered) {
    const quality = qualityOf(candidate, preferences)
    if (quality > bestQuality) {
      best = candidate
      bestQuality = quality
    }
    if (bestQuality === 1) break
  }
  if (best !== undefined) return best
  if (takesJsonAnyway(preferences)) return preferred
  throw httpProblem('NotAcceptable', { offered })
}

/** Whether JSON is better than 406: for a browser, which asks for HTML, and for a request that names only the type of errors. */
const takesJsonAnyway = (preferences: readonly Preference[]): boolean =>
  preferences.some((one) => isOf(one, 'text/html')) ||
  (preferences.length > 0 && preferences.every((one) => isOf(one, 'application/problem+json')))

const isOf = ({ range, quality }: Preference, mediaType: string): boolean =>
  range === mediaType && quality > 0

/** Whether the header names the type itself, not only a range. */
export const names = (accept: string | undefined, mediaType: string): boolean =>
  accept !== undefined && readAccept(accept).some((preference) => isOf(preference, mediaType))

const readAccept = (accept: string): Preference[] =>
  readPreferences(accept).filter(({ range }) => /^[^/]+\/[^/]/.test(range))

/** A list of elements with weights (RFC 9110 §12.4.2). A malformed weight counts as 0, "not acceptable". */
export const readPreferences = (header: string): Preference[] => readList(header).map(readPreference)

function readPreference(element: string): Preference {
  const semicolon = element.indexOf(';')
  if (semicolon < 0) return { range: element.toLowerCase(), quality: 1 }
  const range = element.slice(0, semicolon).trim().toLowerCase()
  const weight = findWeight(element, semicolon)
  return { range, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
}

/** Elements with more are not acceptable: a list may have 14,000 semicolons, and each parameter costs time. */
const MAX_PARAMETERS = 8

/** The text of the first parameter `q`; empty if there are too many parameters to look for it. */
function findWeight(element: string, semicolon: number): string {
  const parameters = element.slice(semicolon + 1).split(';', MAX_PARAMETERS + 1)
  if (parameters.length > MAX_PARAMETERS) return ''
  const found = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='))
  return found?.slice(2) ?? '1'
}

/** `identity` is acceptable unless it is excluded, but codings that the header names are preferred. */
const UNNAMED_IDENTITY = 0.0001

/** The coding that suits an Accept-Encoding header best (RFC 9110 §12.5.3), the first among equals; undefined for none. */
export function chooseCoding<T extends string>(accepted: string, offered: readonly T[]): T | undefined {
  const qualities = new Map(readPreferences(accepted).map(({ range, quality }) => [range, quality]))
  const quality = (coding: T) =>
    qualities.get(coding) ?? qualities.get('*') ?? (coding === 'identity' ? UNNAMED_IDENTITY : 0)
  const [best] = offered
    .filter((coding) => quality(coding) > 0)
    .toSorted((one, other) => quality(other) - quality(one))
  return best
}

function qualityOf(mediaType: string, preferences: readonly Preference[]): number {
  const [type] = mediaType.split('/')
  // The most specific first.
  for (const range of [mediaType, `${type}/*`, '*/*']) {
    const found = preferences.find((preference) => preference.range === range)
    if (found !== undefined) return found.quality
  }
  return 0
}

export const CODINGS = ['br', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/** hypermedia.md, Compression. */
const SHORTEST = 1_000
/** Longer texts take a millisecond and more, and are compressed on another thread. */
const LONGEST_HERE = 64 * 1024
/** Measured (docs/performance.md): higher levels cost more time than the bytes they save are worth. */
const LEVELS = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  gzip: { level: 3 },
}

/** At most 16 MB. */
const MAX_CACHED = 256
const LONGEST_CACHED = 64 * 1024
const LONGEST_KEY = 512

/** The coding for an Accept-Encoding header; undefined for none. Cached, since most clients send one of a few. */
export function createCodingFor(): (accepted: string | undefined) => Coding | undefined {
  const known = new BoundedMap<string, Coding | undefined>(64)
  return (accepted) => {
    if (accepted === undefined) return undefined
    if (known.has(accepted)) return known.get(accepted)
    const best = chooseCoding(accepted, [...CODINGS, 'identity'])
    const coding = best === 'identity' ? undefined : best
    if (accepted.length < LONGEST_KEY) known.set(accepted, coding)
    return coding
  }
}

export const isCompressed = (text: string): boolean => Buffer.byteLength(text) > SHORTEST

/** Compresses bodies and caches the latest, by a key that differs whenever the text does. */
export function createCompress() {
  const cached = new BoundedMap<string, Buffer>(MAX_CACHED)
  const cache = (key: string | undefined, bytes: Buffer): Buffer => {
    if (key !== undefined && bytes.length <= LONGEST_CACHED && key.length < LONGEST_KEY)
      cached.set(key, bytes)
    return bytes
  }
  return {
    find: (key: string): Buffer | undefined => cached.get(key),
    /** `key`: undefined for a body that is not sent again. */
    make(key: string | undefined, text: string, coding: Coding): Buffer | Promise<Buffer> {
      if (text.length > LONGEST_HERE)
        return compressElsewhere(text, coding).then((bytes) => cache(key, bytes))
      const bytes = coding === 'br' ? brotliCompressSync(text, LEVELS.br) : gzipSync(text, LEVELS.gzip)
      return cache(key, bytes)
    },
  }
}

const compressElsewhere = (text: string, coding: Coding): Promise<Buffer> =>
  coding === 'br' ? promisify(brotliCompress)(text, LEVELS.br) : promisify(gzip)(text, LEVELS.gzip)
