import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Client, createClient } from 'hydrant-client'
import type { Page } from 'playwright-core'
import { startConsoleServer } from '../../src/service/console.ts'
import { IMPATIENT, type Looking, openBrowser, type TestBrowser } from './browser.ts'
import { PARAPHRASE, USER } from './client.ts'
import { ROOT } from './markdown.ts'
import { type ServiceOptions, serve, type TestService } from './service.ts'

export interface TestConsole extends TestBrowser {
  /** The API; the console is on another port. */
  readonly service: TestService
  /** Of the console. */
  readonly address: string
  /** Signed in beside the browser, to prepare what it will see. */
  readonly client: Client
  /** Requests of the page to the API from now on, as `GET /books?page=2`; challenges, exchanges, preflights and streams are not among them. */
  readonly asked: string[]
}

export interface ConsoleOptions extends Looking {
  readonly service?: ServiceOptions
  /** Instead of the library with a few authors and books. */
  readonly empty?: boolean
  /** User 7 is, in the page. */
  readonly signedIn?: boolean
}

/** As long as a token lives. */
const TOKEN_MS = 45 * 60_000

export const LIBRARY = readFileSync(`${ROOT}/examples/library.yaml`, 'utf8')

let built: Promise<string> | undefined

/** The console of this working tree: as test/global-setup.ts has built it, or built once for a file that runs alone. */
function builtConsole(): Promise<string> {
  built ??= process.env.HYDRANT_TEST_CONSOLE ? Promise.resolve(process.env.HYDRANT_TEST_CONSOLE) : build()
  return built
}

let folder = ''
// Of the file, not of the test that happens to build it.
after(() => folder && rmSync(folder, { recursive: true, force: true }))

async function build(): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'hydrant-console-'))
  // Loaded on demand: with it comes the bundler.
  const { buildConsole } = await import('../../tools/build-console.ts')
  await buildConsole(folder)
  return folder
}

const startConsole = async (base: string) =>
  startConsoleServer({ host: '127.0.0.1', port: 0, base, folder: await builtConsole() })

/** Where the page of the console is at present. */
let currentPort = 0
let front: ReturnType<typeof listenInFront> | undefined
after(async () => (await front)?.close())

/**
 * The consoles of all tests come from one origin, so that the browser has their code already; and their code comes from
 * one server, since each would compress it anew.
 */
async function listenInFront() {
  const code = await startConsole('http://localhost')
  const server = createServer(({ url = '/', headers }, response) => {
    const port = url === '/' ? currentPort : code.port
    const asked = get({ port, path: url, headers: { ...headers, connection: 'close' }, agent: false })
    asked.on('error', () => response.destroy())
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.pipe(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
    return code.close()
  }
  return { address: `http://localhost:${(server.address() as AddressInfo).port}/`, close }
}

/** The console of an API until the end of the test, and where it is. */
export async function serveConsole(t: TestContext, base: string): Promise<string> {
  const { port, close } = await startConsole(base)
  t.after(close)
  currentPort = port
  front ??= listenInFront()
  return (await front).address
}

/** The API, the console's own server, and a browser that has opened the page. */
export async function openConsole(
  t: TestContext,
  options: ConsoleOptions = {},
  place = '/',
): Promise<TestConsole> {
  const { service: serviceOptions, empty, signedIn = false, ...looking } = options
  // A page that is still reading must not find the server gone; and who finds errors in it fails last, since a hook that
  // fails keeps those after it from being run.
  let opened: TestBrowser | undefined
  t.after(() => opened?.close())
  const hasTokens = serviceOptions?.flags?.token !== false
  const service = await serve(t, { api: LIBRARY, limits: IMPATIENT, ...serviceOptions })
  const client = createClient({
    base: service.base,
    credentials: { id: USER, paraphrase: PARAPHRASE },
    ...(hasTokens ? { token: await service.client.signIn() } : {}),
  })
  if (!empty && serviceOptions?.api === undefined) await addBooks(client)
  const address = await serveConsole(t, service.base)
  const browser = await openBrowser(t, looking)
  opened = browser
  const asked: string[] = []
  browser.page.on('response', (response) => {
    const request = response.request()
    if (!request.url().startsWith(service.base) || response.status() === 401) return
    if (request.method() === 'OPTIONS' || request.headers().authorization) return
    if (request.headers().accept?.startsWith('text/event-stream')) return
    asked.push(`${request.method()} ${decodeURIComponent(request.url().slice(service.base.length))}`)
  })
  const open = () => browser.page.goto(place === '/' ? address : `${address}#${place}`)
  if (signedIn && hasTokens) await withToken(browser.page, service, open)
  else await open()
  if (signedIn && !hasTokens) await signIn(browser.page)
  return { ...browser, service, address, client, asked }
}

/** As if the user had signed in: the page finds a token that was kept for it, and its browser keeps none. */
async function withToken(page: Page, { base, client }: TestService, open: () => Promise<unknown>) {
  const kept = { base, token: await client.signIn(), user: String(USER), endsAt: Date.now() + TOKEN_MS }
  const item = JSON.stringify(JSON.stringify(kept))
  const script = await page.addInitScript({ content: `sessionStorage.setItem('hydrant-token', ${item})` })
  await open()
  await script.dispose()
  await page.evaluate('sessionStorage.clear()')
}

/** The same for user 7, who is signed in, on a page of the console (`/table/books`). */
export async function openSignedIn(
  t: TestContext,
  place = '/',
  options: ConsoleOptions = {},
): Promise<TestConsole> {
  const opened = await openConsole(t, { ...options, signedIn: true }, place)
  await opened.page.getByRole('navigation', { name: 'Collections' }).waitFor()
  return opened
}

export async function signIn(page: Page, id: number | string = USER, paraphrase = PARAPHRASE): Promise<void> {
  await page.getByLabel('Name or number').fill(String(id))
  await page.getByLabel('Passphrase').fill(paraphrase)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** By the address alone, so that nothing is loaded anew and the token stays. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.evaluate(`void (location.hash = ${JSON.stringify(`#${place}`)})`)

/** For a test that goes on in the page of the one before it, from the overview on. */
export async function startAt({ page, asked }: TestConsole, place: string): Promise<void> {
  await goTo(page, '/')
  await page.getByRole('heading', { level: 1, name: 'Library', exact: true }).waitFor()
  asked.length = 0
  if (place !== '/') await goTo(page, place)
}

/** Three authors, and forty books of theirs whose pages count up from 101. */
async function addBooks(client: Client): Promise<void> {
  await client.batch(({ create }) => {
    const names = ['Ann Leckie', 'Jane Austen', 'Ursula K. Le Guin']
    const authors = names.map((name) => create('authors', { name }))
    for (let number = 1; number <= 40; number += 1) {
      create('books', {
        title: `Book ${String(number).padStart(2, '0')}`,
        pages: 100 + number,
        price: `${number}.50`,
        published: `19${String(50 + number).padStart(2, '0')}-01-01`,
        available: number % 2 === 0,
        genres: number % 3 === 0 ? ['fiction', 'short'] : ['fiction'],
        author: authors[number % authors.length],
      })
    }
  })
}
