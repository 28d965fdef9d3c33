import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { serveSignedIn } from '../api/signed-in.ts'
import { IMPATIENT, openBrowser } from '../support/browser.ts'
import { listen } from '../support/browser-server.ts'
import { basic, PARAPHRASE, USER } from '../support/client.ts'
import { serve } from '../support/service.ts'
import { bundleClient, createClientIn, HTML, openClientPage } from './client-page.ts'

/** An address of another server among the properties of a member. */
const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true }
      homepage: anyURI
`

const SECRET_HEADERS = ['authorization', 'x-authentication', 'x-authorization', 'cookie']

const LATER_MS = 46 * 60_000

/** All of a request that leaves the browser, as text. */
async function textOf(request: Request): Promise<string> {
  const headers = await request.allHeaders()
  return JSON.stringify([request.method(), request.url(), headers, request.postData()])
}

test('the paraphrase is only in the exchange, which carries nothing else', async (t) => {
  const time = { now: Date.now() }
  const service = await serve(t, { limits: IMPATIENT, time })
  const { page, client, requests, expectErrors } = await openClientPage(t, service.base)
  expectErrors(/status of (404|422)/)
  const useItAll = () =>
    client.evaluate(async (client) => {
      const authors = client.collection('authors')
      const author = await authors.create({ name: 'Jane Austen' })
      await author.update({ born: '1775-12-16' })
      await authors.page({ name: 'Jane Austen' })
      await authors.create({}).catch(() => {})
      await client.get('nowhere').catch(() => {})
      await client.documentation()
      await author.reload().then((current) => current.remove())
      await client.session()
    })
  await useItAll()
  time.now += LATER_MS
  await useItAll()
  await client.evaluate((client) => client.signOut())

  const credentials = basic(USER, PARAPHRASE)
  const texts = await Promise.all(requests.map(textOf))
  const holding = requests.filter((_, index) => {
    const text = texts[index] ?? ''
    return [PARAPHRASE, encodeURIComponent(PARAPHRASE), credentials.split(' ')[1] ?? ''].some((secret) =>
      text.includes(secret),
    )
  })
  assert.deepEqual(
    await Promise.all(
      holding.map(async (request) => {
        const headers = await request.allHeaders()
        return {
          asked: [request.method(), request.url(), request.postData()],
          authorization: headers.authorization,
          secrets: SECRET_HEADERS.filter((name) => name in headers),
        }
      }),
    ),
    Array.from({ length: 2 }, () => ({
      asked: ['GET', service.base, null],
      authorization: credentials,
      secrets: ['authorization', 'x-authentication'],
    })),
  )
  assert.ok(requests.length > 20, 'and there were others')
  assert.deepEqual(
    await page.evaluate(
      '[document.cookie, localStorage.length, sessionStorage.length, location.href.includes("?")]',
    ),
    ['', 0, 0, false],
    'nothing is kept outside of memory',
  )
})

test('a link to another origin gets neither token nor credentials, whatever its challenge', async (t) => {
  const received: (readonly [string | undefined, readonly string[]])[] = []
  const elsewhere = await listen(t, ({ method, headers }, response) => {
    const asked = headers['access-control-request-headers']?.split(',') ?? []
    received.push([
      method,
      [...Object.keys(headers), ...asked].filter((name) => SECRET_HEADERS.includes(name)),
    ])
    response.writeHead(method === 'OPTIONS' ? 204 : 401, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers':
        'X-Authentication, X-Authorization, Authorization, Accept, Content-Type',
      'Access-Control-Expose-Headers': 'X-Authentication',
      'Content-Type': 'application/ld+json',
      'WWW-Authenticate': 'Basic realm="Login required"',
      'X-Authentication': '00000000-0000-8000-8000-000000000000',
    })
    response.end(method === 'OPTIONS' ? undefined : '{"401": "Need credentials to authenticate"}')
  })
  const service = await serveSignedIn(t, { api: API, limits: IMPATIENT })
  const { '@id': iri } = await service.add('/authors', { name: 'Jane Austen', homepage: `${elsewhere}/jane` })
  const { client, exchanges } = await openClientPage(t, service.base, { origins: [elsewhere] })
  const errors = await client.evaluate(async (client, iri) => {
    const { data } = await client.get(iri)
    const failed = (error: { kind: string }) => error.kind
    return [
      await client.get(data.homepage).catch(failed),
      await client.request('POST', data.homepage, { body: {} }).catch(failed),
      await client.collectionAt(data.homepage).page().catch(failed),
    ]
  }, iri)
  assert.deepEqual(errors, ['credentials', 'credentials', 'credentials'])
  assert.equal(exchanges(), 1, 'with the API')
  assert.deepEqual(
    received.filter(([, secrets]) => secrets.length > 0),
    [],
  )
  assert.ok(received.length >= 3, 'and it was asked')
})

test('a redirection of the API to another origin is not followed with a token', async (t) => {
  let isReached = false
  const elsewhere = await listen(t, (_, response) => {
    isReached = true
    response.writeHead(204, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }).end()
  })
  const service = await serve(t, { limits: IMPATIENT })
  const { page, client } = await openClientPage(t, service.base, { origins: [elsewhere] })
  await client.evaluate((client) => client.signIn())
  await page.route(`${service.base}/authors/moved`, (route) =>
    route.fulfill({
      status: 307,
      headers: { Location: `${elsewhere}/authors/moved`, 'Access-Control-Allow-Origin': '*' },
    }),
  )
  const outcome = await client.evaluate((client) =>
    client.request('DELETE', 'authors/moved').then(
      () => 'followed',
      (error) => error.name,
    ),
  )
  assert.equal(outcome, 'ApiError')
  assert.equal(isReached, false)
})

test('no challenge makes the browser ask for a password, also if the page has the origin of the API', async (t) => {
  const time = { now: Date.now() }
  const service = await serve(t, { limits: IMPATIENT, time })
  const page = new URL('/page/', service.base).href
  const files = new Map([
    [page, { type: 'text/html', text: HTML }],
    [`${page}client.js`, { type: 'text/javascript', text: await bundleClient() }],
  ])
  const browser = await openBrowser(t)
  const tools = await browser.context.newCDPSession(browser.page)
  const asked: string[] = []
  // Without a window nobody would see the question; its tools are told of it.
  tools.on('Fetch.authRequired', ({ requestId, request }) => {
    asked.push(request.url)
    tools.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } })
  })
  tools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const file = files.get(request.url)
    if (file === undefined) {
      tools.send('Fetch.continueRequest', { requestId })
      return
    }
    tools.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'Content-Type', value: file.type }],
      body: Buffer.from(file.text).toString('base64'),
    })
  })
  await tools.send('Fetch.enable', { handleAuthRequests: true })
  await browser.page.goto(page)

  const credentials = { id: USER, paraphrase: PARAPHRASE }
  const { client, exchanges } = await createClientIn(browser.page, service.base, credentials)
  const read = () =>
    client.evaluate((client) =>
      client
        .collection('authors')
        .page()
        .then(({ iri }) => iri),
    )
  await read()
  time.now += LATER_MS
  assert.match(await read(), /\/api\/authors/)
  assert.equal(exchanges(), 2)
  assert.deepEqual(asked, [])

  assert.equal(
    await browser.page.evaluate((base) => fetch(base).then(({ status }) => status), service.base),
    401,
  )
  assert.deepEqual(asked, [service.base], 'a request that was sent in another way would have')
})
