// The ports of a service: explains why one cannot be used, and opens those for operations and for the console.
import { fileURLToPath } from 'node:url'
import { type Address, type Config, userOfPort } from '../config/index.ts'
import type { Log } from './log.ts'
import type { Ops } from './ops.ts'
import { linesOf, startProblem } from './problems/index.ts'

/** Explains why `listen` has failed, and which flag to change. `flag`: the flag of a port other than the API's. */
export async function explainPort<T>(
  { host, port }: Address,
  listen: () => Promise<T>,
  flag?: string,
): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw startProblem('PortTaken', { host, port, flag: flag ?? '--port' })
      case 'EACCES':
        throw startProblem('PortForbidden', { port, flag: flag ?? '--port' })
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
      case 'EINVAL':
        throw startProblem('ForeignAddress', { host, flag: flag ?? '--host' })
      default:
        throw error
    }
  }
}

/** IPv6 addresses are in brackets in a URL (RFC 3986 §3.2.2). */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Health and metrics, opened first, so that they can report "starting". */
export async function openOps(
  address: Address | undefined,
  log: Pick<Log, 'info'>,
): Promise<Ops | undefined> {
  if (address === undefined) return undefined
  const { startOps } = await import('./ops.ts')
  const ops = await explainPort(address, () => startOps(address), '--ops-port')
  log.info({ ops: `http://${hostInUrl(address.host)}:${ops.port}` }, 'health and metrics')
  return ops
}

/** The same folder whether this file runs from `src/` or from `dist/`. */
const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url))

/**
 * The console, for as long as the API is served, at a URL for a browser. The API is served without it too: a failure here
 * is a warning.
 */
export async function openConsole(
  { console: address, ops, tls }: Pick<Config, 'console' | 'ops' | 'tls'>,
  { base, port: apiPort }: { readonly base: string; readonly port: number },
  log: Pick<Log, 'warn'>,
) {
  if (address === undefined) return undefined
  const { host, port } = address
  const user = userOfPort(port, apiPort, ops?.port)
  if (user !== undefined) {
    const other = user === 'api' ? 'the API' : '--ops-port'
    log.warn(
      {},
      `the console is not served: ${port} is the port of ${other}; choose another one with --console-port`,
    )
    return undefined
  }
  const { startConsoleServer } = await import('./console.ts')
  try {
    const start = () => startConsoleServer({ host, port, tls, base, folder: BUILT })
    const server = await explainPort(address, start, '--console-port')
    const scheme = tls === undefined ? 'http' : 'https'
    return { url: `${scheme}://${nameFor(host, tls && base)}:${server.port}/`, close: server.close }
  } catch (error) {
    log.warn({}, `the console is not served. ${linesOf(error).join(' ')}`)
    return undefined
  }
}

/** Hosts that a browser on this machine reaches as localhost. */
const HERE = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost']

/** `certified`: the base URL if there is a certificate, which is for the name in it. */
const nameFor = (host: string, certified: string | undefined): string =>
  certified !== undefined ? new URL(certified).hostname : HERE.includes(host) ? 'localhost' : hostInUrl(host)
