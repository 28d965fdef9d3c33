import type { AnyApi } from 'hydrant-client'
import type { Program } from '../api/index.ts'
import { createAddressReader, type WebClient } from '../auth/index.ts'
import { type Config, readConfig, SETTINGS } from '../config/index.ts'
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
import { readApiObject } from '../vocabulary/api-file.ts'
import { OPTIONS, optionProblem } from './problems.ts'
import { createListener, handleWeb, type NodeListener } from './requests.ts'
import type { HydrantOptions, MembersOf } from './types.ts'

/** An API that runs in this process. */
export interface Hydrant<Api = AnyApi> {
  /** The public base URL: addresses begin with it, and its path is where the API is mounted. */
  readonly base: string
  /** The port that it listens on; undefined if `port` was not given. */
  readonly port: number | undefined
  /**
   * Responds to a request without a port, beginning with the gate. Without the address of the client, exchanges get 503.
   *
   * ```ts
   * const response = await hydrant.handle(new Request('http://localhost:8080/api/orders'), { address: '192.0.2.7' })
   * ```
   */
  handle(request: Request, client?: WebClient): Promise<Response>
  /** For `createServer` of node:http and node:http2, `app.use` of Express, and others; before any middleware that reads bodies. */
  readonly listener: NodeListener
  /** Members, read and written as the program. */
  readonly members: MembersOf<Api>
  /** Finishes requests and calls of followers in flight, ends streams, and closes the database. */
  close(): Promise<void>
}

const PROGRAM_OPTIONS = ['apiFile', 'api', 'hooks', 'operations', 'followers', 'log']
/** Settings that only the command line has. */
const COMMAND_LINE_ONLY: ReadonlyMap<string, 'ModuleOption' | 'WatchOption'> = new Map([
  ['with', 'ModuleOption'],
  ['watch', 'WatchOption'],
])

/**
 * Everything that `hydrant serve` does, in your own program.
 *
 * ```ts
 * const hydrant = await createHydrant({ apiFile: 'shop.yaml', db: 'sqlite:shop.db', port: 8080 })
 * ```
 */
export async function createHydrant<Api = AnyApi>(options: HydrantOptions<Api>): Promise<Hydrant<Api>> {
  requireRuntime()
  try {
    return await start(options)
  } catch (error) {
    throw toProgramError(error, OPTIONS)
  }
}

async function start<Api>(options: HydrantOptions<Api>): Promise<Hydrant<Api>> {
  const asked = readOptions({ ...options })
  const log = options.log ?? (await createLog(asked.logFormat ?? 'json', asked.logLevel))
  const listens = options.port !== undefined
  const config = listens ? fitConnections(asked, log) : asked
  const { hooks, operations, followers } = options
  const program = { hooks, operations, followers } as Program
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
    const open = listens ? startService : openService
    const service: EmbeddedService & { readonly port?: number } = await open({
      ...{ config, model, store, log, program },
      metrics: ops?.metrics,
    })
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

/** Reads the settings among the options as if they were flags. */
function readOptions(given: Readonly<Record<string, unknown>>): Config {
  const names = Object.keys(SETTINGS).filter((name) => !COMMAND_LINE_ONLY.has(name))
  const flags: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(given)) {
    const code = COMMAND_LINE_ONLY.get(name)
    if (code !== undefined) throw optionProblem(code)
    if (value === undefined || PROGRAM_OPTIONS.includes(name) || isWebhookList(name, value)) continue
    if (!names.includes(name))
      throw optionProblem('NotAnOption', { name, known: [...PROGRAM_OPTIONS, ...names] })
    flags[name] = typeof value === 'boolean' ? value : [value].flat().join(',')
  }
  if ((given.apiFile === undefined) === (given.api === undefined)) throw optionProblem('OneApi')
  const config = readConfig(flags, {})
  const { webhooks } = given as Pick<HydrantOptions, 'webhooks'>
  if (config.workers === 1) return { ...config, webhooks }
  throw optionProblem('OneProcess')
}

/** A program may list webhooks itself, where the setting names a file. */
const isWebhookList = (name: string, value: unknown): boolean =>
  name === 'webhooks' && typeof value !== 'string'

/** `handle` and `listener`, with or without the service's own port. */
function serveWithoutPort(service: EmbeddedService, config: Config, log: Log) {
  const ended = new AbortController()
  const running = new Set<Promise<unknown>>()
  const app: typeof service.app = async (request) => {
    if (ended.signal.aborted) throw new Error('This Hydrant is closed.')
    const response = service.app(request)
    running.add(response)
    return response.finally(() => running.delete(response))
  }
  const dependencies = { app, readAddress: createAddressReader(config.trusted), closing: ended.signal }
  // Without authentication there are no exchanges, and streams are counted by address.
  const peer = config.mode === 'open' ? '' : undefined
  return {
    handle: (request: Request, { address = peer }: WebClient = {}) =>
      handleWeb(request, { address }, dependencies),
    listener: createListener(dependencies, (err) => log.error({ err }, 'a request could not be answered')),
    async close() {
      ended.abort()
      await Promise.allSettled(running)
    },
  }
}
