// Token requests on four connections, alone and beside 16 clients that exchange without pause; and a sign-in, alone and
// beside a flood of wrong exchanges from twenty addresses.
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, type NextRequest } from './load.ts'
import { type Account, request, signIn } from './requests.ts'
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
  await measureSignIn(hydrant)
}

const FLOOD_MS = 12_000
const FLOOD_CONNECTIONS = 600
const ADDRESSES = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`)

/** More connections than can wait for a hash, each of which tries again at once. */
async function measureSignIn(hydrant: Account): Promise<void> {
  const time = async () => {
    const started = performance.now()
    await signIn(hydrant)
    return (performance.now() - started) / 1000
  }
  const alone = await time()
  const flood = guess(hydrant)
  const beside: number[] = []
  await sleep(FLOOD_MS / 4)
  for (const until = performance.now() + FLOOD_MS / 2; performance.now() < until; ) beside.push(await time())
  await flood
  console.log('\n| sign-in | median |\n|---|---|')
  console.log(`| alone | ${alone.toFixed(2)} s |`)
  console.log(`| beside a flood of wrong exchanges from 20 addresses | ${median(beside).toFixed(2)} s |`)
}

/** Each client asks for a nonce, exchanges it, and asks again. How many tokens were issued. */
async function exchange(hydrant: Account): Promise<number> {
  let issued = 0
  const credentials = `1:${hydrant.paraphrase}`
  const onToken = () => {
    issued += 1
  }
  const next = nextExchange(credentials, onToken)
  await load({ port: hydrant.port, connections: 16, milliseconds: ROUND_MS, expected: [200, 401], next })
  return issued
}

const guess = ({ port }: Account): Promise<unknown> =>
  load({
    port,
    connections: FLOOD_CONNECTIONS,
    addresses: ADDRESSES,
    milliseconds: FLOOD_MS,
    expected: [401, 429, 503],
    next: nextExchange('999:a guess'),
  })

function nextExchange(credentials: string, onToken = () => {}): NextRequest {
  const authorization = `Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  return (previous) => {
    if (previous.startsWith('HTTP/1.1 200')) onToken()
    const nonce = /\r\nx-authentication: (\S+)/i.exec(previous)?.[1]
    return request('/api/books', nonce === undefined ? '' : `X-Authentication: ${nonce}\r\n${authorization}`)
  }
}
