// What a request costs, against bare node:http with the same bytes, in one interleaved run.
import type { Prepared } from './bare-server.ts'
import { measureFlood } from './flood.ts'
import { load, median } from './load.ts'
import { capture, request, signIn } from './requests.ts'
import { HOW, type Measured, measure, ROUND_MS, ROUNDS, WARM_UP_MS } from './rounds.ts'
import { type BenchServer, startBare, startExample } from './servers.ts'

/** A kind of request; `next` may ask for something else each time, as long as it has the same size. */
interface Kind {
  readonly name: string
  readonly next: () => string
}

export async function measureCosts(): Promise<void> {
  const hydrant = await startExample(['--user-failures', '100000/1s', '--address-failures', '100000/1s'])
  try {
    const authorized = await signIn(hydrant)
    await addBooks(hydrant.port, authorized, 1_500)
    const kinds = kindsOf(authorized)
    const responses: Record<string, Prepared> = {}
    for (const [index, { next }] of kinds.entries())
      responses[`/${index}`] = await capture(hydrant.port, next())
    const bare = await startBare(responses)
    try {
      await compare(kinds, responses, bare, hydrant)
    } finally {
      await bare.stop()
    }
    await measureFlood(hydrant, authorized)
  } finally {
    await hydrant.stop()
  }
}

function kindsOf(authorized: string): readonly Kind[] {
  let walked = 0
  return [
    { name: 'challenge', next: () => request('/api/books') },
    { name: 'member', next: () => request('/api/books/the-hobbit', authorized) },
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
}

/** Interleaved: every round measures every kind on both, so that a noisy second harms both alike. */
async function compare(
  kinds: readonly Kind[],
  responses: Readonly<Record<string, Prepared>>,
  bare: BenchServer,
  hydrant: BenchServer,
): Promise<void> {
  const measured = kinds.map(() => ({ bare: [] as Measured[], hydrant: [] as Measured[] }))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, { next }] of kinds.entries()) {
      const status = responses[`/${index}`]?.status ?? 0
      const milliseconds = round < 0 ? WARM_UP_MS : ROUND_MS
      // The same request headers, so that reading them costs both the same.
      const nextBare = () => next().replace(/^GET \S+/, `GET /${index}`)
      const results = {
        bare: await measure(bare, nextBare, status, milliseconds),
        hydrant: await measure(hydrant, next, status, milliseconds),
      }
      if (round < 0) continue
      measured[index]?.bare.push(results.bare)
      measured[index]?.hydrant.push(results.hydrant)
    }
  }
  console.log(`\n${HOW}\n`)
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

async function addBooks(port: number, authorized: string, count: number): Promise<void> {
  let added = 0
  const next = () => {
    added += 1
    const body = `{"title":"The book with number ${added}","pages":${added},"price":"12.50","published":"2020-01-01","available":true,"genres":["fantasy"],"author":"http://localhost:${port}/api/authors/tolkien"}`
    return `POST /api/books HTTP/1.1\r\nHost: localhost\r\n${authorized}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  while (added < count) await load({ port, connections: 16, milliseconds: 100, next, expected: [201] })
}
