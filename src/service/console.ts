import type { IncomingMessage } from 'node:http'
import { isFresh } from '../http/index.ts'
import { type Answer, type SideServer, startSideServer } from '../http/side-server.ts'
import { chooseVariant, encodeAll, readFiles, typeOf, type Variant } from './console/files.ts'

export interface PageParts {
  readonly host: string
  readonly port: number
  /** As the API has it: a paraphrase is typed into this page. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Of the API. */
  readonly base: string
  /** The console as it was built. */
  readonly folder: string
}

/** There is no page in the folder. */
export class NotBuiltError extends Error {}

/** A browser keeps six open for a while. */
const MOST_CONNECTIONS = 256

/** The console, on a port of its own: a page that speaks to the API as any other client does. */
export async function startPageServer({ host, port, tls, base, folder }: PageParts): Promise<SideServer> {
  const files = await readFiles(folder)
  const page = files.get('/index.html')
  if (page === undefined) throw new NotBuiltError(`There is no index.html in ${folder}.`)
  files.set('/index.html', Buffer.from(fillBase(page.toString('utf8'), base)))
  const pages = new Map<string, (request: IncomingMessage) => Answer>()
  for (const [path, bare] of files) pages.set(path, serveFile(typeOf(path), await encodeAll(bare)))
  const index = pages.get('/index.html')
  return startSideServer({
    host,
    port,
    tls,
    mostConnections: MOST_CONNECTIONS,
    find: (path) => (path === '/' ? index : pages.get(path)),
    unknown: 'There is no such file here; the console is at /.\n',
    headers: PAGE_HEADERS,
  })
}

function serveFile(type: string, variants: readonly Variant[]): (request: IncomingMessage) => Answer {
  return ({ headers }) => {
    const { encoding, body, etag } = chooseVariant(variants, headers['accept-encoding']?.toString())
    // Asked for anew each time, answered in full once: a new version of the console is there after a reload.
    const always = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
    if (isFresh(headers, etag)) return { status: 304, body: undefined, headers: always }
    const coding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
    return { status: 200, body, headers: { ...always, 'Content-Type': type, ...coding } }
  }
}

const BASE_META = /<meta name="hydrant-base" content=""\s*\/?>/g

/** A `meta` tells the page where the API is: it has no inline code, and its own address says nothing of it. */
function fillBase(html: string, base: string): string {
  const [before, after, ...others] = html.split(BASE_META)
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error('index.html should have <meta name="hydrant-base" content=""> once.')
  }
  return `${before}<meta name="hydrant-base" content="${escapeHtml(base)}">${after}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)

/**
 * Code, styles and images are files of this server and nothing else, text never becomes markup or code, nothing frames
 * the page, and no form is ever sent: whatever an API answers, a browser shows it as text. The API may be anywhere.
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

/** What the page has no use for, and what hostile code in it must not have. The page does use the clipboard. */
const REFUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/**
 * On every answer, errors included. Not Strict-Transport-Security: that would hold for every port of the name, and the
 * name is often `localhost`.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A token is in the page's memory: pages of other ports of this name get a process of their own.
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': REFUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
}
