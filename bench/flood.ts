// Token requests on four connections, alone and beside 16 clients that exchange without pause.
import { load, median } from './load.ts'
import { type Account, request } from './requests.ts'
import { latencyOf, ROUND_MS, ROUNDS } from './rounds.ts'

export async function measureFlood(hydrant: Account, authorized: string): Promise<void> {
  const quiet: number[] = []
  const flooded: number[] = []
  let exchanges = 0
  const readMembers = () => latencyOf(hydrant.port, request('/api/books/the-hobbit', authorized))
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await readMembers())
    const [busy, flood] = await Promise.all([readMembers(), exchange(hydrant)])
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

/** Each client asks for a nonce, exchanges it, and asks again. How many tokens were issued. */
async function exchange({ port, paraphrase }: Account): Promise<number> {
  const credentials = Buffer.from(`1:${paraphrase}`).toString('base64')
  let issued = 0
  await load({
    port,
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
