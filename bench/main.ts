// npm run bench: what a request costs, against bare node:http with the same bytes, in one interleaved run.
import { cpus } from 'node:os'
import type { Prepared } from './bare-server.ts'
import { load, median, percentile } from './load.ts'
import { type BenchServer, type HydrantServer, startBare, startHydrant } from './servers.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const CONNECTIONS = 16
const ROUND_MS = 1_000
const WARM_UP_MS = 500

/** A kind of request; `next` may ask for something else each time, as long as it has the same size. */
interface Kind {
  readonly name: string
  readonly next: () => string
}

const hydrant = await startHydrant(['--user-failures', '100000/1s', '--address-failures', '100000/1s'])
const token = await signIn(hydrant)
const authorized = `X-Authorization: ${token}\r\n`
await addBooks(1_500)
let walked = 0
const member = request('/api/books/the-hobbit', authorized)
const kinds: readonly Kind[] = [
  { name: 'challenge', next: () => request('/api/books') },
  { name: 'member', next: () => member },
  { name: 'page of 20, the same again', next: () => request('/api/books', authorized) },
  {
    // More pages than are kept in memory: each one is read from SQLite.
    name: 'page of 20, another each time',
    next: () => {
      walked = (walked % 75) + 1
      return request(`/api/books?page=${walked}`, authorized)
    },
  },
]

const responses: Record<string, Prepared> = {}
for (const [index, { next }] of kinds.entries()) responses[`/${index}`] = await capture(hydrant.port, next())
const bare = await startBare(responses)

try {
  console.log(
    `Node.js ${process.version}, ${process.arch}, ${cpus().length} cores, ${CONNECTIONS} connections, ` +
      `median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s\n`,
  )
  await measureCosts()
  await measureFlood()
} finally {
  await Promise.all([hydrant.stop(), bare.stop()])
}

interface Measured {
  readonly cost: number
  readonly rate: number
}

/** Interleaved: every round measures every kind on both, so that a noisy second harms both alike. */
async function measureCosts(): Promise<void> {
  const measured = kinds.map(() => ({ bare: [] as Measured[], hydrant: [] as Measured[] }))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, { next }] of kinds.entries()) {
      const status = responses[`/${index}`]?.status ?? 0
      const milliseconds = round < 0 ? WARM_UP_MS : ROUND_MS
      // The same request headers, so that reading them costs both the same.
      const nextBare = () => next().replace(/^GET \S+/, `GET /${index}`)
      const results = {
        bare: await run(bare, nextBare, status, milliseconds),
        hydrant: await run(hydrant, next, status, milliseconds),
      }
      if (round < 0) continue
      measured[index]?.bare.push(results.bare)
      measured[index]?.hydrant.push(results.hydrant)
    }
  }
  console.log(
    '| request | bytes | bare: CPU µs | Hydrant: CPU µs | ratio | bare: requests/s | Hydrant: requests/s |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [index, { name }] of kinds.entries()) {
    const { bare: ofBare = [], hydrant: ofHydrant = [] } = measured[index] ?? {}
    const cost = (list: readonly Measured[]) => median(list.map((one) => one.cost)).toFixed(1)
    const rate = (list: readonly Measured[]) => Math.round(median(list.map((one) => one.rate)))
    const ratio = median(ofHydrant.map((one, round) => (ofBare[round]?.cost ?? Number.NaN) / one.cost))
    const bytes = responses[`/${index}`]?.body.length
    console.log(
      `| ${name} | ${bytes} | ${cost(ofBare)} | ${cost(ofHydrant)} | ${ratio.toFixed(2)} | ${rate(ofBare)} | ${rate(ofHydrant)} |`,
    )
  }
}

async function run(
  server: BenchServer,
  next: () => string,
  status: number,
  milliseconds: number,
): Promise<Measured> {
  const before = await server.processorTime()
  const parts = { port: server.port, connections: CONNECTIONS, milliseconds, next, expected: [status] }
  const { requests, seconds } = await load(parts)
  return { cost: ((await server.processorTime()) - before) / requests, rate: requests / seconds }
}

/** Token requests on four connections, alone and beside 16 clients that exchange without pause. */
async function measureFlood(): Promise<void> {
  const quiet: number[] = []
  const flooded: number[] = []
  let exchanges = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await readMembers())
    const [busy, flood] = await Promise.all([readMembers(), exchange()])
    flooded.push(busy)
    exchanges += flood
  }
  const ratio = median(flooded.map((p99, round) => p99 / (quiet[round] ?? Number.NaN)))
  const perSecond = Math.round(exchanges / ROUNDS / (ROUND_MS / 1000))
  console.log('\n| token requests | p99 |\n|---|---|')
  console.log(`| alone | ${median(quiet).toFixed(2)} ms |`)
  console.log(
    `| beside 16 clients that exchange (${perSecond} exchanges a second) | ${median(flooded).toFixed(2)} ms |`,
  )
  console.log(`| ratio | ${ratio.toFixed(2)} |`)
}

/** The 99th percentile of their latencies, in milliseconds. */
async function readMembers(): Promise<number> {
  const parts = {
    port: hydrant.port,
    connections: 4,
    milliseconds: ROUND_MS,
    next: () => member,
    expected: [200],
  }
  return percentile((await load(parts)).latencies, 0.99)
}

/** Each client asks for a nonce, exchanges it, and asks again. How many tokens were issued. */
async function exchange(): Promise<number> {
  const credentials = Buffer.from(`1:${hydrant.paraphrase}`).toString('base64')
  let issued = 0
  await load({
    port: hydrant.port,
    connections: 16,
    milliseconds: ROUND_MS,
    expected: [200, 401],
    next(previous) {
      if (previous.startsWith('HTTP/1.1 200')) issued += 1
      const nonce = /\r\nx-authentication: (\S+)/i.exec(previous)?.[1]
      if (nonce === undefined) return request('/api/books')
      return request('/api/books', `X-Authentication: ${nonce}\r\nAuthorization: Basic ${credentials}\r\n`)
    },
  })
  return issued
}

async function signIn({ port, paraphrase }: HydrantServer): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/books`
  const nonce = (await fetch(url)).headers.get('x-authentication') ?? ''
  const Authorization = `Basic ${Buffer.from(`1:${paraphrase}`).toString('base64')}`
  const exchanged = await fetch(url, { headers: { Authorization, 'X-Authentication': nonce } })
  return exchanged.headers.get('x-authorization') ?? ''
}

function request(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: bench\r\n${headers}\r\n`
}

async function addBooks(count: number): Promise<void> {
  let added = 0
  const next = () => {
    added += 1
    const body = `{"title":"The book with number ${added}","pages":${added},"price":"12.50","published":"2020-01-01","available":true,"genres":["fantasy"],"author":"http://localhost:${hydrant.port}/api/authors/tolkien"}`
    return `POST /api/books HTTP/1.1\r\nHost: localhost\r\n${authorized}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  while (added < count)
    await load({ port: hydrant.port, connections: 16, milliseconds: 100, next, expected: [201] })
}

/** The response to a request, to be sent again by bare node:http: all headers but those that it adds by itself. */
async function capture(port: number, text: string): Promise<Prepared> {
  let whole = ''
  const next = (previous: string) => {
    whole ||= previous
    return text
  }
  await load({ port, connections: 1, milliseconds: 50, expected: [200, 401], next })
  const end = whole.indexOf('\r\n\r\n')
  const headers = whole
    .slice(0, end)
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
    .filter(([name]) => !['Date', 'Connection', 'Keep-Alive'].includes(name))
  const body = Buffer.from(whole.slice(end + 4), 'latin1').toString('utf8')
  if (!whole.includes(`Content-Length: ${whole.length - end - 4}\r\n`))
    throw new Error('The response came in pieces; run again.')
  return { status: Number(whole.slice(9, 12)), headers: headers.flat(), body }
}
