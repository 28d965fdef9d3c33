// Health and metrics, and the console: each on a port of its own, loaded where it is wanted.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Address, type Config, otherOnPort } from '../../config/index.ts'
import type { Service } from '../../service/index.ts'
import type { Checks, Metrics, Text } from '../../service/ops/index.ts'
import { CONSOLE_FLAGS, explainListening, hostInUrl, OPS_FLAGS } from './listening.ts'

/** Health and metrics of this command, for as long as it runs. */
export interface Ops {
  /** Of this process. */
  readonly metrics: Metrics
  /** The API is served: from now on the answer is whether it still is. `metrics`: of the workers, where there are some. */
  admit(checks: Checks & { readonly metrics?: (() => Promise<Text>) | undefined }): void
  /** It is not, for this reason. */
  refuse(why: string): void
  close(): Promise<void>
}

/** From the very beginning: that it is starting is an answer too. */
export async function openOps(address: Address | undefined, log: Logger): Promise<Ops | undefined> {
  if (address === undefined) return undefined
  const { host, port } = address
  const { createMetrics, createReadiness, startOpsServer } = await import('../../service/ops/index.ts')
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let collect = metrics.text
  const server = await startOpsServer({ host, port, lack: readiness.lack, metrics: () => collect() }).catch(
    (error: unknown) => {
      throw explainListening(error, { host, port }, OPS_FLAGS)
    },
  )
  log.info({ ops: `http://${hostInUrl(host)}:${server.port}` }, 'health and metrics')
  return {
    metrics,
    admit(checks) {
      collect = checks.metrics ?? metrics.text
      readiness.admit(checks)
    },
    refuse: readiness.refuse,
    close: server.close,
  }
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** From `src/` too, once it is built. */
const BUILT = fileURLToPath(new URL('../../../dist/console', import.meta.url))

/** The console, for as long as the API is served. */
export interface RunningConsole {
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
): Promise<RunningConsole | undefined> {
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
    const { startPageServer } = await import('../../service/console/index.ts')
    const server = await startPageServer({ host, port, tls, base, folder })
    const scheme = tls === undefined ? 'http' : 'https'
    return { url: `${scheme}://${nameFor(host, tls && base)}:${server.port}/`, close: server.close }
  } catch (error) {
    log.warn(`the console is not served: ${await explain(error, host, port)}`)
    return undefined
  }
}

async function explain(error: unknown, host: string, port: number): Promise<string> {
  const { NotBuiltError } = await import('../../service/console/index.ts')
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
