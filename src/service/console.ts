import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { chooseCoding, isFresh, type Request } from '../http/index.ts'
import type { ListenOptions } from '../http/server.ts'
import { startProblem } from './problems/index.ts'
import { type SideAnswer, startSideServer } from './side-server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** TLS as for the API: users type paraphrases into this page. */
export interface ConsoleOptions extends ListenOptions {
  /** The base URL of the API. */
  readonly base: string
  /** The console as it was built. */
  readonly folder: string
}

/** A browser keeps up to six connections open. */
const MAX_CONNECTIONS = 256

/** The console, on its own port: a page that talks to the API like any other client. */
export async function startConsoleServer({ host, port, tls, base, folder }: ConsoleOptions) {
  const files = await readFiles(folder)
  const page = files.get('/index.html')
  if (page === undefined) throw startProblem('ConsoleNotBuilt', { folder: relative(process.cwd(), ROOT) })
  files.set('/index.html', Buffer.from(fillBase(page.toString('utf8'), base)))
  const pages = new Map([...files].map(([path, file]) => [path, serveFile(path, file)]))
  return startSideServer({
    host,
    port,
    tls,
    mostConnections: MAX_CONNECTIONS,
    find: (path) => pages.get(path === '/' ? '/index.html' : path),
    unknown: `There is no such file here; the console is at /, and the API at ${base}.\n`,
    headers: PAGE_HEADERS,
  })
}

/** A file is compressed at its first request, so that the start of a server does not wait for that. */
function serveFile(path: string, file: Buffer): (request: Request) => Promise<SideAnswer> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  let variants: Promise<readonly Variant[]> | undefined
  return async ({ headers }) => {
    variants ??= encodeAll(file)
    const all = await variants
    const codings = all.map(({ encoding }) => encoding)
    const best = chooseCoding(String(headers['accept-encoding'] ?? ''), codings)
    // If no encoding is acceptable, the unencoded file is better than an error.
    const { encoding, body, etag } = all.find((one) => one.encoding === best) ?? (all.at(-1) as Variant)
    // Browsers revalidate each time, so that a reload shows a new version of the console.
    const always = ['ETag', etag, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding']
    if (isFresh(headers, etag)) return { status: 304, body: undefined, headers: always }
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    return { status: 200, body, headers: [...always, 'Content-Type', type, ...coding] }
  }
}

/** Always sent, since `nosniff` forbids guessing; other files are not for a browser. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Every file in a folder, if there is one, by the path of its URL. All are read at start, so that no request reaches the
 * file system.
 */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
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
interface Variant {
  readonly encoding: 'br' | 'gzip' | 'identity'
  readonly body: Buffer
  /** Strong ETags must differ between encodings (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

/** 200 kB of JavaScript take 40 ms at 9. At 11 they take 430 ms, and are a tenth smaller: too long for the first visitor. */
const BROTLI_QUALITY = 9

/** The variants of a file, best first, the unencoded one last. */
async function encodeAll(bare: Buffer): Promise<readonly Variant[]> {
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
    // Files that are too small to shrink, or compressed already, are sent unencoded.
  ].filter(({ encoding, body }) => encoding === 'identity' || body.length < bare.length)
}

const BASE_META = /<meta name="hydrant-base" content=""\s*\/?>/g

/**
 * A `meta` element holds the address of the API: the page has no inline code, and its own address does not imply the API's.
 * The client and `conform/` find it there too, if they are given the address of the page.
 */
function fillBase(html: string, base: string): string {
  const [before, after, ...others] = html.split(BASE_META)
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error('index.html should have <meta name="hydrant-base" content=""> once.')
  }
  return `${before}<meta name="hydrant-base" content="${escapeHtml(base)}">${after}`
}

const ENTITIES = new Map(Object.entries({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }))

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`)

/**
 * Code, styles and images come only from files of this server, text never becomes markup or code, nothing frames the page,
 * and no form is ever submitted: a browser shows whatever an API sends as text. The API may be anywhere.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Features that the page does not use, and that hostile code in it must not have. The page does use the clipboard. */
const REFUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/**
 * Sent with every response, errors included. Not Strict-Transport-Security: that would apply to every port of the name,
 * and the name is often `localhost`.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A token is in the page's memory: pages of other ports of this name get a separate process.
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': REFUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
}
