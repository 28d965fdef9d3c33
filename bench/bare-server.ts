// Bare node:http that sends prepared responses: what the same bytes cost without Hydrant.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportProcessorTime } from './processor-time.ts'

export interface Prepared {
  readonly status: number
  readonly headers: string[]
  readonly body: string
}

const prepared: Record<string, Prepared> = JSON.parse(process.env.BENCH_RESPONSES ?? '{}')

const server = createServer((request, response) => {
  const { status, headers, body } = prepared[request.url as string] as Prepared
  response.writeHead(status, headers)
  response.end(body)
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
reportProcessorTime()
