import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startServer } from '../../src/http/server.ts'

// A server that may have 128 descriptors, for tls-connections.test.ts: with the files of a certificate, by TLS.

const [cert, key] = process.argv.slice(2)
execFileSync('prlimit', ['--nofile=128', '--pid', String(process.pid)])
const { port } = await startServer({
  host: '127.0.0.1',
  port: 0,
  ...(cert && key ? { tls: { cert: readFileSync(cert), key: readFileSync(key) } } : {}),
  readAddress: (peer) => peer,
  limits: { headersMs: 1_000 },
  createApp: () => ({
    app: async () => ({ status: 200, shared: [], headers: [], body: 'served' }),
    noStoreHeaders: [],
    onFault: (error) => process.stderr.write(`${error}\n`),
  }),
})
process.stdout.write(`listening on ${port}\n`)
