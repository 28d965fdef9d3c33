import type { IncomingMessage } from 'node:http'
import { isFresh } from '../../http/freshness.ts'
import { type Answer, type SideServer, startSideServer } from '../../http/side-server.ts'
import { chooseVariant, encodeAll, type Variant } from './encodings.ts'
import { readFiles, typeOf } from './files.ts'
import { PAGE_HEADERS } from './headers.ts'
import { fillBase } from './index-page.ts'

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

/** A browser keeps six open for a while. */
const MOST_CONNECTIONS = 256

/** The console, on a port of its own: a page that speaks to the API as any other client does. */
export async function startPageServer({ host, port, tls, base, folder }: PageParts): Promise<SideServer> {
  const files = new Map(await readFiles(folder))
  const page = fillBase(files.get('/index.html')?.toString('utf8') ?? '', base)
  files.set('/index.html', Buffer.from(page))
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
