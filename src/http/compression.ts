import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { BoundedMap } from '../bounded-map.ts'
import { chooseCoding } from './negotiate.ts'

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
const REMEMBERED = 256
const LONGEST_REMEMBERED = 64 * 1024
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
  const made = new BoundedMap<string, Buffer>(REMEMBERED)
  const remember = (key: string | undefined, bytes: Buffer): Buffer => {
    if (key !== undefined && bytes.length <= LONGEST_REMEMBERED && key.length < LONGEST_KEY)
      made.set(key, bytes)
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
