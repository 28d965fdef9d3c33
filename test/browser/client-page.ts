import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { build } from 'esbuild'
import type { Client, UserCredentials } from 'hydrant-client'
import type { JSHandle, Page, Request } from 'playwright-core'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { listen } from '../support/browser-server.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'

/** What the page has of us: the client as a script, under this name. */
declare const hydrant: typeof import('hydrant-client')

export const HTML =
  '<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><script src="client.js"></script></html>'

export interface ClientPage extends TestBrowser {
  /** In the page: `client.evaluate((client) => …)`. */
  readonly client: JSHandle<Client>
  /** Every request that the page has made since it has a client. */
  readonly requests: readonly Request[]
  /** Those that carried credentials, which is step B. */
  exchanges(): number
}

let bundled: Promise<string> | undefined

export function bundleClient(): Promise<string> {
  bundled ??= build({
    entryPoints: [join(ROOT, 'packages/client/src/index.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'hydrant',
    target: 'es2022',
    logLevel: 'silent',
  }).then(({ outputFiles: [file] }) => file?.text ?? '')
  return bundled
}

/** A page with a client, on another port than the API; it may speak to `origins` alone. */
export async function openClientPage(
  t: TestContext,
  base: string,
  { credentials = { id: USER, paraphrase: PARAPHRASE }, origins = [], prepare }: ClientPageOptions = {},
): Promise<ClientPage> {
  const script = await bundleClient()
  const policy = [
    "default-src 'none'; script-src 'self'; img-src data:; require-trusted-types-for 'script'",
    `connect-src ${[new URL(base).origin, ...origins].join(' ')}`,
  ].join('; ')
  const address = await listen(t, ({ url }, response) => {
    const isScript = url === '/client.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.setHeader('Content-Security-Policy', policy)
    response.end(isScript ? script : HTML)
  })
  const browser = await openBrowser(t)
  await prepare?.(browser.page)
  await browser.page.goto(address)
  return { ...browser, ...(await createClientIn(browser.page, base, credentials)) }
}

export interface ClientPageOptions {
  readonly credentials?: UserCredentials
  readonly origins?: readonly string[]
  /** Before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** In a page that has the script. */
export async function createClientIn(page: Page, base: string, credentials: UserCredentials) {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  const client = await page.evaluateHandle((options) => hydrant.createClient(options), { base, credentials })
  return {
    client: client as JSHandle<Client>,
    requests,
    exchanges: () => requests.filter((request) => 'authorization' in request.headers()).length,
  }
}
