import type { Hooks } from '../api/index.ts'
import type { App } from '../app.ts'
import { createAddressReader, readAddressRange } from '../auth/index.ts'
import { defaultBase } from '../config/index.ts'
import { unavailable } from '../errors.ts'
import {
  commonHeaders,
  errorResponse,
  noStoreHeaders,
  type ServerLimits,
  startServer,
} from '../http/index.ts'
import type { Store } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import { type ApiParts, createApiOpener } from './api.ts'
import type { MembersOf } from './members.ts'

export interface ServiceParts extends ApiParts {
  readonly model: Model
  readonly store: Store
  readonly limits?: Partial<ServerLimits>
}

export interface Service {
  readonly base: string
  readonly port: number
  /** Serves another model from another store, on the same connections; requests wait meanwhile. Undefined without `watch`. */
  readonly takeOver?:
    | ((open: () => Promise<{ readonly model: Model; readonly store: Store }>) => Promise<void>)
    | undefined
  /** Finishes what is in flight. The store stays open, for its owner to close. */
  close(): Promise<void>
}

/** A service in the process of the program that has started it. */
export interface EmbeddedService extends Omit<Service, 'port'> {
  readonly app: App
  readonly members: MembersOf
  /** For an import, which writes without the app. */
  readonly hooks: Hooks | undefined
}

/** Opens a service without a port. */
export async function openService({ model, store, ...parts }: ServiceParts): Promise<EmbeddedService> {
  const api = await createApiOpener(parts)(model, store)
  const { base = defaultBase(8080, 'http') } = parts.config
  return { base, ...api.createApp(base), close: api.close }
}

/** Starts a service on the port of its settings. */
export async function startService(parts: ServiceParts): Promise<EmbeddedService & Service> {
  const { config, model, store, log } = parts
  const openApi = createApiOpener(parts)
  let api = await openApi(model, store)
  let held: ReplaceableApp | undefined
  let served: ReturnType<typeof api.createApp> | undefined
  let base = config.base ?? ''
  const server = await startServer({
    host: config.host,
    port: config.port,
    tls: config.tls,
    readAddress: createAddressReader(
      config.trusted.map(readAddressRange).filter((range) => range !== undefined),
    ),
    ...(parts.limits === undefined ? {} : { limits: parts.limits }),
    createApp(port) {
      base = config.base ?? defaultBase(port, config.tls === undefined ? 'http' : 'https')
      const headers = noStoreHeaders(commonHeaders(base))
      served = api.createApp(base)
      const { app } = served
      if (config.watch) held = createReplaceableApp(app, headers)
      return {
        app: held?.app ?? app,
        noStoreHeaders: headers,
        onFault: (err) => log.error({ err }, 'a request could not be answered'),
      }
    },
  })
  const replaceable = held
  return {
    ...(served as unknown as ReturnType<typeof api.createApp>),
    base,
    port: server.port,
    takeOver:
      replaceable &&
      ((open) =>
        replaceable.replace(async () => {
          const next = await open()
          const opened = await openApi(next.model, next.store)
          await api.close()
          api = opened
          return api.createApp(base).app
        })),
    async close() {
      await server.close()
      // After the server, so that hooks of the last request can finish.
      await api.close()
    },
  }
}

/** An app that can be replaced by another one between two requests. */
export interface ReplaceableApp {
  readonly app: App
  /** Waits for requests in flight, and holds new ones meanwhile. Where `next` throws, the app stays as it was. */
  replace(next: () => Promise<App>): Promise<void>
}

/** Longer than most migrations take, and shorter than clients wait. */
const LONGEST_MS = 20_000

export function createReplaceableApp(
  first: App,
  headers: readonly string[],
  longestMs = LONGEST_MS,
): ReplaceableApp {
  let current = first
  let running = 0
  let onIdle = () => {}
  let held: Promise<void> | undefined

  return {
    async app(request) {
      while (held !== undefined)
        if (!(await isDoneWithin(held, longestMs))) return errorResponse(BUSY, headers)
      running++
      try {
        return await current(request)
      } finally {
        running--
        if (running === 0) onIdle()
      }
    },
    async replace(next) {
      const done = Promise.withResolvers<void>()
      held = done.promise
      try {
        if (running > 0) {
          await new Promise<void>((resolve) => {
            onIdle = resolve
          })
        }
        current = await next()
      } finally {
        held = undefined
        done.resolve()
      }
    },
  }
}

const BUSY = unavailable('A changed API file is being applied; try again.', 1)

async function isDoneWithin(done: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([done.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
