// npm run bench: what a request costs, against bare node:http with the same bytes, in one interleaved run.
import { cpus } from 'node:os'
import type { Prepared } from './bare-server.ts'
import { load, median, percentile } from './load.ts'
import { type BenchServer, type HydrantServer, startBare, startHydrant } from './servers.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const CONNECTIONS = 16
const ROUND_MS = 1_000

interface Case {
  readonly name: string
  readonly server: BenchServer
  readonly request: string
  readonly expected: readonly number[]
  /** Index of the case with the same bytes from bare node:http. */
  readonly bare?: string
}

const hydrant = await startHydrant(['--user-failures', '100000/1s', '--address-failures', '100000/1s'])
const token = await signIn(hydrant)
const authorized = `X-Authorization: ${token}\r\n`
const requests = {
  challenge: request('/api/books'),
  member: request('/api/books/the-hobbit', authorized),
  page: request('/api/books', authorized),
  'page by number': request('/api/books?page=2', authorized),
}
const responses = Object.fromEntries(
  await Promise.all(
    Object.entries(requests).map(async ([name, text]) => [
      `/${name.replaceAll(' ', '-')}`,
      await capture(hydrant.port, text),
    ]),
  ),
) as Record<string, Prepared>
const bare = await startBare(responses)

const cases: Case[] = Object.entries(requests).flatMap(([name, text]) => {
  const path = `/${name.replaceAll(' ', '-')}`
  const expected = [responses[path]?.status ?? 0]
  // The same request headers, so that reading them costs both the same.
  const bareText = text.replace(/^GET \S+/, `GET ${path}`)
  return [
    { name: `bare: ${name}`, server: bare, request: bareText, expected },
    { name, server: hydrant, request: text, expected, bare: `bare: ${name}` },
  ]
})

try {
  console.log(
    `Node.js ${process.version}, ${process.arch}, ${cpus().length} cores, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s\n`,
  )
  await measureCosts()
  await measureFlood()
} finally {
  await Promise.all([hydrant.stop(), bare.stop()])
}

/** Interleaved: every round measures every case once, in another order, so that a noisy second harms all alike. */
async function measureCosts(): Promise<void> {
  const costs = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  const rates = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (const one of cases) await run(one, 300)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of rotate(cases, round)) {
      const { cost, rate } = await run(one, ROUND_MS)
      costs.get(one.name)?.push(cost)
      rates.get(one.name)?.push(rate)
    }
  }
  const costOf = (name: string) => median(costs.get(name) ?? [])
  console.log(
    '| request | bytes | bare: CPU µs | Hydrant: CPU µs | ratio | bare: requests/s | Hydrant: requests/s |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const { name, bare: bareName } of cases) {
    if (bareName === undefined) continue
    const bytes = responses[`/${name.replaceAll(' ', '-')}`]?.body.length
    const ratio = median(
      (costs.get(name) ?? []).map((cost, round) => (costs.get(bareName)?.[round] ?? 0) / cost),
    )
    const rate = (of: string) => Math.round(median(rates.get(of) ?? []))
    console.log(
      `| ${name} | ${bytes} | ${costOf(bareName).toFixed(1)} | ${costOf(name).toFixed(1)} | ${ratio.toFixed(2)} | ${rate(bareName)} | ${rate(name)} |`,
    )
  }
}

async function run({ server, request: text, expected }: Case, milliseconds: number) {
  const before = await server.processorTime()
  const { requests: count, seconds } = await load({
    port: server.port,
    connections: CONNECTIONS,
    milliseconds,
    next: () => text,
    expected,
  })
  return { cost: ((await server.processorTime()) - before) / count, rate: count / seconds }
}

/** Token requests at a steady rate of four connections, alone and beside 16 clients that exchange without pause. */
async function measureFlood(): Promise<void> {
  const quiet: number[] = []
  const flooded: number[] = []
  let exchanges = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push((await readMembers()).p99)
    const [busy, flood] = await Promise.all([readMembers(), exchange()])
    flooded.push(busy.p99)
    exchanges += flood
  }
  const ratio = median(flooded.map((p99, round) => p99 / (quiet[round] ?? Number.NaN)))
  console.log('\n| token requests | p99 |\n|---|---|')
  console.log(`| alone | ${median(quiet).toFixed(2)} ms |`)
  console.log(
    `| beside 16 clients that exchange (${Math.round(exchanges / ROUNDS)} exchanges a second) | ${median(flooded).toFixed(2)} ms |`,
  )
  console.log(`| ratio | ${ratio.toFixed(2)} |`)
}

async function readMembers(): Promise<{ p99: number }> {
  const { latencies } = await load({
    port: hydrant.port,
    connections: 4,
    milliseconds: ROUND_MS,
    next: () => requests.member,
    expected: [200],
  })
  return { p99: percentile(latencies, 0.99) }
}

/** Each client asks for a nonce, exchanges it, and asks again. */
async function exchange(): Promise<number> {
  const credentials = Buffer.from(`1:${hydrant.paraphrase}`).toString('base64')
  let done = 0
  await load({
    port: hydrant.port,
    connections: 16,
    milliseconds: ROUND_MS,
    expected: [200, 401],
    next(previous) {
      if (previous.startsWith('HTTP/1.1 200')) done += 1
      const nonce = /\r\nx-authentication: (\S+)/i.exec(previous)?.[1]
      if (nonce === undefined) return requests.challenge
      return request('/api/books', `X-Authentication: ${nonce}\r\nAuthorization: Basic ${credentials}\r\n`)
    },
  })
  return done
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

/** The response to a request, to be sent again by bare node:http: all headers but those that it adds by itself. */
async function capture(port: number, text: string): Promise<Prepared> {
  let seen = ''
  await load({
    port,
    connections: 1,
    milliseconds: 50,
    expected: [200, 401],
    next: (previous) => {
      seen = previous
      return text
    },
  })
  const url = `http://127.0.0.1:${port}${text.split(' ')[1]}`
  const response = await fetch(url, {
    headers: text.includes('X-Authorization') ? { 'X-Authorization': token } : {},
  })
  const head = seen.slice(0, seen.indexOf('\r\n\r\n')).split('\r\n').slice(1)
  const headers = head
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
    .filter(([name]) => !['Date', 'Connection', 'Keep-Alive'].includes(name))
  return { status: response.status, headers: headers.flat(), body: await response.text() }
}

function rotate<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}
