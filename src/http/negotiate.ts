import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { BoundedMap } from '../bounded-map.ts'
import { HttpError } from '../errors.ts'

/** An element of an Accept header, or of one like it, in lower case. */
export interface Preference {
  readonly range: string
  readonly quality: number
}

/**
 * The best of `offered` for an Accept header, by RFC 9110 §12.5.1: each has the quality of the most specific range that
 * matches it. The first offered wins among equals, whatever the order in the header; in the libraries that we looked at
 * the order in the header decides, which hypermedia.md rules out.
 */
export function negotiate<T extends string>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  const [preferred] = offered
  if (accept === undefined || accept === '' || accept === '*/*' || accept === preferred) return preferred
  // Programs mostly ask for one type: that needs no close reading.
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
  if (best === undefined && isContent(preferences)) return preferred
  if (best === undefined)
    throw new HttpError(406, `Nothing acceptable can be sent; there is ${offered.join(', ')}.`)
  return best
}

/**
 * A browser asks for a page, and its user is better served by JSON than by an error. A request that says how errors
 * should look, and nothing else, says nothing about what is served.
 */
const isContent = (preferences: readonly Preference[]): boolean =>
  preferences.some((one) => isOf(one, 'text/html')) ||
  (preferences.length > 0 && preferences.every((one) => isOf(one, 'application/problem+json')))

const isOf = ({ range, quality }: Preference, mediaType: string): boolean =>
  range === mediaType && quality > 0

/** Whether the header names the type itself, not just by a range. */
export const names = (accept: string | undefined, mediaType: string): boolean =>
  accept !== undefined && readAccept(accept).some((preference) => isOf(preference, mediaType))

const readAccept = (accept: string): Preference[] =>
  readPreferences(accept).filter(({ range }) => /^[^/]+\/[^/]/.test(range))

/** A list of elements with weights (RFC 9110 §12.4.2). A malformed weight is as good as "not acceptable". */
export function readPreferences(header: string): Preference[] {
  return header.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return { range, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
  })
}

/** `identity` is acceptable unless it is ruled out, but what is named is preferred. */
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
/** Longer ones take a millisecond and more, and are compressed on another thread. */
const LONGEST_HERE = 64 * 1024
/** By measurement (docs/performance.md): what the next levels save costs more time than it saves bytes. */
const LEVELS = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  gzip: { level: 3 },
}

/** 16 MB at the most. */
const MAX_CACHED = 256
const LONGEST_CACHED = 64 * 1024
const LONGEST_KEY = 512

/** Of an Accept-Encoding header; undefined where the body goes as it is. Clients of one kind send the same one. */
export function createCodingFor(): (accepted: string | undefined) => Coding | undefined {
  const known = new BoundedMap<string, Coding | undefined>(64)
  return (accepted) => {
    if (accepted === undefined || known.has(accepted)) return known.get(accepted ?? '')
    const best = chooseCoding(accepted, [...CODINGS, 'identity'])
    const coding = best === 'identity' ? undefined : best
    if (accepted.length < LONGEST_KEY) known.set(accepted, coding)
    return coding
  }
}

export const isCompressed = (text: string): boolean => Buffer.byteLength(text) > SHORTEST

/** The latest compressed bodies, by a key that is another one whenever the text is. */
export function createCompress() {
  const made = new BoundedMap<string, Buffer>(MAX_CACHED)
  const remember = (key: string | undefined, bytes: Buffer): Buffer => {
    if (key !== undefined && bytes.length <= LONGEST_CACHED && key.length < LONGEST_KEY) made.set(key, bytes)
    return bytes
  }
  return {
    find: (key: string): Buffer | undefined => made.get(key),
    /** `key`: undefined for what is not sent again. */
    make(key: string | undefined, text: string, coding: Coding): Buffer | Promise<Buffer> {
      if (text.length > LONGEST_HERE)
        return compressElsewhere(text, coding).then((bytes) => remember(key, bytes))
      const bytes = coding === 'br' ? brotliCompressSync(text, LEVELS.br) : gzipSync(text, LEVELS.gzip)
      return remember(key, bytes)
    },
  }
}

function compressElsewhere(text: string, coding: Coding): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const done = (error: Error | null, bytes: Buffer) => (error === null ? resolve(bytes) : reject(error))
  if (coding === 'br') brotliCompress(text, LEVELS.br, done)
  else gzip(text, LEVELS.gzip, done)
  return promise
}
