import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, otherOnPort } from '../config/config.ts'
import { NotBuiltError } from '../service/console/files.ts'
import { startPageServer } from '../service/console/server.ts'
import type { Service } from '../service/service.ts'
import { CONSOLE_FLAGS, explainListening, hostInUrl } from './listening.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** From `src/` too, once it is built. */
const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url))

/** The console of this command, for as long as it serves. */
export interface ServedConsole {
  /** As a person opens it. */
  readonly url: string
  close(): Promise<void>
}

export type ConsoleConfig = Pick<Config, 'console' | 'ops' | 'tls'>

/** The API is served with or without it: what is in the way of the console is one warning, and no failure. */
export async function openConsole(
  { console: address, ops, tls }: ConsoleConfig,
  { base, port: apiPort }: Pick<Service, 'base' | 'port'>,
  log: Pick<Logger, 'warn'>,
  folder = BUILT,
): Promise<ServedConsole | undefined> {
  if (address === undefined) return undefined
  const { host, port } = address
  const other = otherOnPort(port, apiPort, ops?.port)
  if (other !== undefined) {
    log.warn(
      `the console is not served: ${port} is the port of ${other}; choose another one with --console-port`,
    )
    return undefined
  }
  try {
    const server = await startPageServer({ host, port, tls, base, folder })
    const scheme = tls === undefined ? 'http' : 'https'
    return { url: `${scheme}://${nameFor(host, tls && base)}:${server.port}/`, close: server.close }
  } catch (error) {
    log.warn(`the console is not served: ${explain(error, host, port)}`)
    return undefined
  }
}

function explain(error: unknown, host: string, port: number): string {
  if (error instanceof NotBuiltError) {
    const path = relative(process.cwd(), ROOT)
    return `it is not built; build it with: npm ${path === '' ? '' : `--prefix ${path} `}run build`
  }
  const explained = explainListening(error, { host, port }, CONSOLE_FLAGS)
  const sentence = explained instanceof Error ? explained.message : String(explained)
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Those by which a browser on this machine gets to it as well. */
const HERE = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost']

/** `certified`: the base, where there is a certificate, since that is for the name in it. */
const nameFor = (host: string, certified: string | undefined): string =>
  certified !== undefined ? new URL(certified).hostname : HERE.includes(host) ? 'localhost' : hostInUrl(host)
