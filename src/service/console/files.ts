import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { chooseCoding } from '../../http/index.ts'

/** Always sent, since `nosniff` forbids guessing; what is not listed is not for a browser. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

export const typeOf = (path: string): string => TYPES[extname(path)] ?? 'application/octet-stream'

/**
 * Every file in a folder, if there is one, by the path of its URL. All of them are read at start: a request looks a path up among those,
 * and reaches no file system.
 */
export async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  const files = new Map<string, Buffer>()
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    const segments = relative(folder, path).split(sep).map(encodeURIComponent)
    files.set(`/${segments.join('/')}`, await readFile(path))
  }
  return files
}

/** A file as it is sent under one encoding. */
export interface Variant {
  readonly encoding: 'br' | 'gzip' | 'identity'
  readonly body: Buffer
  /** Strong, and so of its own for each encoding (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

/** 200 kB of JavaScript take 40 ms at 9. At 11 they take 430, for a tenth less: too long for a start. */
const BROTLI_QUALITY = 9

/**
 * The variants of a file, best first, the bare one last. They are made at start, not when the console is built, because
 * the page has the API's base in it, which is known no sooner.
 */
export async function encodeAll(bare: Buffer): Promise<readonly Variant[]> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bare.length,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bare, { params }),
    promisify(gzip)(bare, { level: 9 }),
  ])
  const digest = hash('sha256', bare, 'base64url').slice(0, 22)
  return [
    { encoding: 'br' as const, body: br, etag: `"${digest}-br"` },
    { encoding: 'gzip' as const, body: gz, etag: `"${digest}-gzip"` },
    { encoding: 'identity' as const, body: bare, etag: `"${digest}"` },
    // What is too small to shrink, or is compressed already, goes as it is.
  ].filter(({ encoding, body }) => encoding === 'identity' || body.length < bare.length)
}

/** The variant that suits an Accept-Encoding header best; where none does, the bare one is better than an error. */
export function chooseVariant(variants: readonly Variant[], accepted = ''): Variant {
  const best = chooseCoding(
    accepted,
    variants.map(({ encoding }) => encoding),
  )
  return (variants.find(({ encoding }) => encoding === best) ?? variants.at(-1)) as Variant
}
