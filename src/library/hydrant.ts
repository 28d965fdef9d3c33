import type { AnyApi } from 'hydrant-client'
import type { Program } from '../api/index.ts'
import { createAddressReader, type WebClient } from '../auth/index.ts'
import { type Config, readConfig, SETTINGS, UsageError } from '../config/index.ts'
import { requireRuntime } from '../runtime.ts'
import {
  createLog,
  type EmbeddedService,
  fitConnections,
  type Log,
  loadModel,
  migrateAndOpen,
  openConsole,
  openOps,
  openService,
  startService,
} from '../service/index.ts'
import { toProgramError } from '../service/problems/index.ts'
import { suggestion } from '../text.ts'
import { readApiObject } from '../vocabulary/api-file.ts'
import { createListener, handleWeb, type NodeListener } from './requests.ts'
import type { HydrantOptions, MembersOf } from './types.ts'

/** An API that runs in this process. */
export interface Hydrant<Api = AnyApi> {
  /** The public base URL: addresses begin with it, and its path is where the API is mounted. */
  readonly base: string
  /** Where it listens; undefined where `port` was not given. */
  readonly port: number | undefined
  /**
   * Answers a request without a port, from the gate on. Without the address of the client exchanges are 503.
   *
   * ```ts
   * const response = await hydrant.handle(new Request('http://localhost:8080/api/orders'), { address: '192.0.2.7' })
   * ```
   */
  handle(request: Request, client?: WebClient): Promise<Response>
  /** For `createServer` of node:http and node:http2, `app.use` of Express, and others; in front of what reads bodies. */
  readonly listener: NodeListener
  /** Members, read and written as the program. */
  readonly members: MembersOf<Api>
  /** Finishes what is in flight, ends streams, and closes the database. */
  close(): Promise<void>
}

const PROGRAM_OPTIONS = ['apiFile', 'api', 'hooks', 'operations', 'log']
/** Settings that only the command line has, and what to do instead. */
const COMMAND_LINE_ONLY: ReadonlyMap<string, string> = new Map([
  ['with', 'give hooks and operations themselves'],
  ['watch', 'restart the program, for example with node --watch'],
])

/**
 * Everything that `hydrant serve` does, in a program of one's own.
 *
 * ```ts
 * const hydrant = await createHydrant({ apiFile: 'shop.yaml', db: 'sqlite:shop.db', port: 8080 })
 * ```
 */
export async function createHydrant<Api = AnyApi>(options: HydrantOptions<Api>): Promise<Hydrant<Api>> {
  requireRuntime()
  const asked = readOptions({ ...options })
  const log = options.log ?? (await createLog(asked.logFormat ?? 'json', asked.logLevel))
  const listens = options.port !== undefined
  const config = listens ? fitConnections(asked, log) : asked
  const program = { hooks: options.hooks, operations: options.operations } as Program
  const { apiFile, api } = options
  const given = apiFile ?? (await readApiObject(api ?? {}, config.access, program.operations))
  const model = await loadModel(given, config, program)
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const ops = listens ? await openOps(config.ops, log) : undefined
    if (ops !== undefined) closing.push(ops.close)
    const store = await migrateAndOpen(model, { config, log, ops })
    closing.push(store.close)
    const parts = { config, model, store, log, metrics: ops?.metrics, program }
    const service: EmbeddedService & { readonly port?: number } = await (listens
      ? startService
      : openService)(parts)
    closing.push(service.close)
    const { base, port } = service
    const console = port === undefined ? undefined : await openConsole(config, { base, port }, log)
    if (console !== undefined) closing.push(console.close)
    ops?.setReady({ reachable: store.reachable, problem: () => undefined, metrics: undefined })
    const own = serveWithoutPort(service, config, log)
    closing.push(own.close)
    return { ...own, base, port, members: service.members as unknown as MembersOf<Api>, close }
  } catch (error) {
    await close()
    throw toProgramError(error)
  }
}

/** The settings among the options, as if they were flags; TypeError for what is none, or is wrong. */
function readOptions(given: Readonly<Record<string, unknown>>): Config {
  const names = Object.keys(SETTINGS).filter((name) => !COMMAND_LINE_ONLY.has(name))
  const flags: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(given)) {
    const instead = COMMAND_LINE_ONLY.get(name)
    if (instead !== undefined) throw new TypeError(`${name} is for the command line; ${instead}.`)
    if (value === undefined || PROGRAM_OPTIONS.includes(name)) continue
    if (!names.includes(name))
      throw new TypeError(`${name} is no option; ${suggestion(name, [...PROGRAM_OPTIONS, ...names])}`)
    flags[name] = typeof value === 'boolean' ? value : [value].flat().join(',')
  }
  if ((given.apiFile === undefined) === (given.api === undefined))
    throw new TypeError('Give either apiFile, the path of an API file, or api, the same as an object.')
  try {
    const config = readConfig(flags, {})
    if (config.workers === 1) return config
    throw new TypeError('workers: a program is one process; "hydrant serve --workers" starts several.')
  } catch (error) {
    if (error instanceof UsageError) throw new TypeError(asOptions(error.message), { cause: error })
    throw error
  }
}

/** What messages call a flag is an option here: `--page-size` → `pageSize`. */
const asOptions = (message: string): string =>
  message.replaceAll(/--([a-z][a-z-]*)/g, (_, flag: string) =>
    flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )

/** `handle` and `listener`, beside the service's own port or without one. */
function serveWithoutPort(service: EmbeddedService, config: Config, log: Log) {
  const ended = new AbortController()
  const running = new Set<Promise<unknown>>()
  const app: typeof service.app = async (request) => {
    if (ended.signal.aborted) throw new Error('This Hydrant is closed.')
    const response = service.app(request)
    running.add(response)
    return response.finally(() => running.delete(response))
  }
  const parts = { app, readAddress: createAddressReader(config.trusted), closing: ended.signal }
  // Without authentication there are no exchanges, and streams are counted by address.
  const peer = config.mode === 'open' ? '' : undefined
  return {
    handle: (request: Request, { address = peer }: WebClient = {}) => handleWeb(request, { address }, parts),
    listener: createListener(parts, (err) => log.error({ err }, 'a request could not be answered')),
    async close() {
      ended.abort()
      await Promise.allSettled(running)
    },
  }
}
