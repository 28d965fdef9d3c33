import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Headers, startClient, type TestResponse } from '../support/client.ts'
import { type Ended, serve, type TestService } from '../support/service.ts'
import { addUsers } from '../support/users.ts'

/** A public catalogue beside a back office; a price that staff alone may see. */
const CATALOGUE = `
roles: [staff]
access: { all: staff }
classes:
  Product:
    access: { view: anyone, write: staff }
    properties:
      name: string
      price: { type: decimal, view: staff, write: staff }
      supplier: Supplier
  Supplier:
    properties: { name: string }
`

const PATHS = [
  ...['', '/vocab', '/openapi', '/contexts/Product', '/summaries/products', '/session', '/none'],
  ...[
    '/products',
    '/products?itemsPerPage=1',
    '/products?price=1',
    '/products?q=pen',
    '/products?include=supplier',
  ],
  ...['/products/p', '/products/q', '/products/none', '/suppliers', '/suppliers/s'],
]
const TYPES = ['*/*', 'application/ld+json', 'text/turtle', 'text/csv', 'image/png']
const CODINGS = ['identity', 'gzip']
/** A user with rights, one without, and one whose token has ended. */
const VISITORS = ['anyone', 'staff', 'reader', 'former'] as const

export interface Visited extends TestService {
  readonly tokens: Readonly<Record<(typeof VISITORS)[number], Headers>>
}

/** One request; `known`: with the ETag that this place in the list of all that were seen has. */
interface CacheVisit {
  readonly who: (typeof VISITORS)[number]
  readonly path: string
  readonly accept: string
  readonly coding: string
  readonly known: number | undefined
}
type VisitOrWrite = CacheVisit | { readonly write: number }

const visits: fc.Arbitrary<CacheVisit> = fc.record({
  who: fc.oneof(fc.constant('anyone' as const), fc.constantFrom(...VISITORS)),
  path: fc.constantFrom(...PATHS),
  accept: fc.oneof({ weight: 4, arbitrary: fc.constant('*/*') }, fc.constantFrom(...TYPES)),
  coding: fc.constantFrom(...CODINGS),
  known: fc.option(fc.nat(), { nil: undefined }),
})
export const steps: fc.Arbitrary<VisitOrWrite[]> = fc.array(
  fc.oneof({ weight: 12, arbitrary: visits }, fc.record({ write: fc.nat(9) })),
  { minLength: 40, maxLength: 80, size: 'max' },
)

export async function serveCatalogue(t: Ended): Promise<Visited> {
  const service = await serve(t, { api: CATALOGUE, flags: { anyoneRequests: '10000' } })
  await addUsers(service, { 21: ['staff'], 22: [] })
  const tokenOf = async (id: number) => ({ 'X-Authorization': await service.client.signIn(id) })
  const [staff, reader, former] = [await tokenOf(21), await tokenOf(22), await tokenOf(22)]
  await service.client.send('DELETE', '/session', former)
  const visited = { ...service, tokens: { anyone: {}, staff, reader, former } }
  for (let write = 0; write < 3; write += 1) await change(visited, write)
  return visited
}

/** One of the changes that staff may make, by its number. */
async function change({ client, base, tokens }: Visited, write: number): Promise<void> {
  const path = ['/products/p', '/products/q', '/suppliers/s'][write % 3] ?? ''
  const body = { name: `Pen ${write}`, ...(write % 3 < 2 && { price: `${write}` }) }
  const link = write % 2 === 0 && path === '/products/p' ? { supplier: `${base}/suppliers/s` } : {}
  const headers = { ...tokens.staff, 'Content-Type': 'application/ld+json' }
  const exists = (await client.send('HEAD', path, tokens.staff)).status === 200
  if (exists && write === 7) await client.send('DELETE', path, tokens.staff)
  else {
    const precondition: Headers = exists ? {} : { 'If-None-Match': '*' }
    const text = JSON.stringify(exists ? { ...body, ...link } : body)
    const { status } = await client.send('PUT', path, { ...headers, ...precondition }, text)
    assert.ok(status < 300, `${path}: ${status}`)
  }
}

export interface Through {
  /** The port of the cache. */
  readonly port: number
  /** Called after every write. */
  readonly settle?: () => Promise<unknown>
  /** Compares what the server says with what came through the cache, to a request that may have an ETag. */
  readonly compare: (answers: ComparedAnswers) => void
}

export interface ComparedAnswers {
  readonly direct: TestResponse
  /** Without the ETag, and compressed where the one that came through the cache is. */
  readonly whole: TestResponse
  readonly cached: TestResponse
  readonly visit: CacheVisit
}

/** Visits the service through the cache and past it. */
export async function compareVisits(
  visited: Visited,
  through: Through,
  plan: readonly VisitOrWrite[],
): Promise<void> {
  const past = startClient(visited)
  const behind = startClient({ base: visited.base, port: through.port })
  const seen: string[] = []
  for (const step of plan) {
    if ('write' in step) {
      await change(visited, step.write)
      await through.settle?.()
      continue
    }
    const { who, path, accept, coding, known } = step
    const headers = { ...visited.tokens[who], Accept: accept, 'Accept-Encoding': coding }
    const etag = known === undefined ? undefined : seen[known % seen.length]
    const conditional = etag === undefined ? headers : { ...headers, 'If-None-Match': etag }
    const direct = await past.send('GET', path, conditional)
    const cached = await behind.send('GET', path, conditional)
    const sent = cached.headers['content-encoding'] ?? 'identity'
    const whole = await past.send('GET', path, { ...headers, 'Accept-Encoding': sent })
    if (whole.headers.etag !== undefined) seen.push(whole.headers.etag)
    through.compare({ direct, whole, cached, visit: step })
  }
}

/** What differs between two answers of a server, or belongs to the connection. */
const VARIABLE = ['date', 'x-authentication', 'x-request-id', 'connection', 'keep-alive', 'age']

/** Byte for byte, with every header: for a cache that adds nothing of its own. */
export function assertSameBytes({ direct, cached, visit }: ComparedAnswers): void {
  const comparable = ({ status, headers, body }: TestResponse) => {
    const compared = Object.entries(headers).filter(([name]) => !VARIABLE.includes(name))
    return { status, body, headers: Object.fromEntries(compared.sort()) }
  }
  assert.deepEqual(comparable(cached), comparable(direct), JSON.stringify(visit))
}

/**
 * For a proxy with headers of its own, which may send the whole where the client has it already, the other way round, and
 * what is not compressed to a client that takes both.
 */
export function assertSameContent({ whole, cached, visit }: ComparedAnswers): void {
  const about = JSON.stringify(visit)
  const partsOf = ({ status, headers, body }: TestResponse) => {
    const { 'content-type': type, 'cache-control': caching, 'www-authenticate': challenge } = headers
    return { status, body, type, caching, challenge, etag: headers.etag }
  }
  if (cached.status === 304) {
    const tagOf = ({ headers }: TestResponse) => headers.etag?.replace('-gzip', '')
    assert.deepEqual([tagOf(cached), visit.known !== undefined], [tagOf(whole), true], about)
  } else {
    assert.deepEqual(partsOf(cached), partsOf(whole), about)
    const { 'content-encoding': coding } = cached.headers
    assert.ok(coding === undefined || coding === visit.coding, about)
  }
}
