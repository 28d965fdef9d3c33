import { load, percentile } from './load.ts'
import type { BenchServer } from './servers.ts'

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
export const ROUND_MS = 1_000
export const WARM_UP_MS = 500
export const CONNECTIONS = 16

export const HOW = `${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`

/** Of one kind of request in one round. */
export interface Measured {
  /** Microseconds of the server's processor time for a request. */
  readonly cost: number
  readonly rate: number
}

export async function measure(
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

/** The 99th percentile of the latencies of one request, in milliseconds. */
export async function latencyOf(port: number, text: string): Promise<number> {
  const parts = { port, connections: 4, milliseconds: ROUND_MS, next: () => text, expected: [200] }
  return percentile((await load(parts)).latencies, 0.99)
}
