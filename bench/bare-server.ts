// Bare node:http that sends the responses of a file: what the same bytes cost without Hydrant. Arguments: port, file.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

export interface Prepared {
  readonly status: number
  /** Names and values in turn, without those that node:http adds by itself. */
  readonly headers: string[]
  readonly body: string
}

/** By path. */
export type Responses = Readonly<Record<string, Prepared>>

const [port, file = ''] = process.argv.slice(2)
const responses: Responses = JSON.parse(readFileSync(file, 'utf8'))
const NOTHING: Prepared = { status: 404, headers: ['Content-Length', '0'], body: '' }

createServer((request, response) => {
  const { status, headers, body } = responses[request.url ?? ''] ?? NOTHING
  response.writeHead(status, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
