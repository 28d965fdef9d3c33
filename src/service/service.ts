import { createAddressReader, throttleKey } from '../auth/index.ts'
import { defaultBase } from '../config/index.ts'
import { commonHeaders, noStoreHeaders } from '../http/index.ts'
import { type ServerOptions, startServer } from '../http/server.ts'
import type { Store } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import { type Capacity, type CapacityDependencies, createCapacity, earlyBytes } from './capacity.ts'
import { type ApiDependencies, openApi, type ProtectedApi, type ServedModel } from './protected-api.ts'
import { createReplaceableApp } from './replaceable-app.ts'

export interface ServiceDependencies
  extends Omit<ApiDependencies, 'capacity'>,
    Omit<CapacityDependencies, 'config'> {
  readonly model: Model
  readonly store: Store
  /** Set if another process listens on the port: see ServerOptions. */
  readonly takeFrom?: ServerOptions['takeFrom']
}

/** Serves another model from another store, with another program, on the same connections; requests wait meanwhile. */
type TakeOver = (
  open: () => Promise<Pick<ServedModel, 'model' | 'store'> & Pick<ApiDependencies, 'program'>>,
) => Promise<void>

export interface Service {
  readonly base: string
  readonly port: number
  /** Undefined without `--watch`. */
  readonly takeOver?: TakeOver | undefined
  /** Finishes requests in flight. The store stays open, for its owner to close. */
  close(): Promise<void>
}

/** A service in the process of the program that has started it. */
export interface EmbeddedService extends Omit<Service, 'port'>, ProtectedApi {}

/** Opens a service without a port. */
export async function openService(dependencies: ServiceDependencies): Promise<EmbeddedService> {
  const { config, model, store } = dependencies
  const { base = defaultBase(8080, 'http') } = config
  const capacity = createCapacity(dependencies)
  const api = await openApi({ model, store, base }, { ...dependencies, capacity })
  watchClock(dependencies, capacity, () => store)
  dependencies.metrics?.watchReplicas(() => store.replicas?.())
  return { base, ...api }
}

/** Starts a service on the port of its settings. */
export async function startService(dependencies: ServiceDependencies): Promise<EmbeddedService & Service> {
  const { config, model, store, log, limits, takeFrom } = dependencies
  const capacity = createCapacity(dependencies)
  const server = await startServer({
    host: config.host,
    port: config.port,
    tls: config.tls,
    readAddress: createAddressReader(config.trusted),
    networkOf: throttleKey,
    limits: { connections: config.maxConnections, earlyBytes: earlyBytes(config), ...limits },
    takeFrom,
    async createApp(port) {
      const base = config.base ?? defaultBase(port, config.tls === undefined ? 'http' : 'https')
      const headers = noStoreHeaders(commonHeaders(base))
      const api = await openApi({ model, store, base }, { ...dependencies, capacity })
      const replaceable = config.watch ? createReplaceableApp(api.app, headers) : undefined
      return {
        ...{ base, api, replaceable },
        app: replaceable?.app ?? api.app,
        noStoreHeaders: headers,
        onFault: (err) => log.error({ err }, 'a request could not be answered'),
      }
    },
  })
  const { base, api, replaceable } = server.served
  let current = { api, store }
  watchClock(dependencies, capacity, () => current.store)
  dependencies.metrics?.watchReplicas(() => current.store.replicas?.())
  const takeOver: TakeOver | undefined =
    replaceable &&
    (async (open) => {
      let closed: Promise<void> | undefined
      await replaceable.replace(async () => {
        const { program, ...next } = await open()
        const opened = await openApi({ ...next, base }, { ...dependencies, capacity, program })
        closed = current.api.close()
        current = { api: opened, store: next.store }
        return opened.app
      })
      // Requests do not wait for the calls of followers that run.
      await closed
    })
  return {
    ...api,
    base,
    port: server.port,
    takeOver,
    async close() {
      await Promise.all([server.close(), current.api.stopFollowers()])
      // After the server, so that hooks of the last request can finish.
      await current.api.close()
    },
  }
}

/** Measures how far the host's clock is ahead of the clock of the database that is served. */
function watchClock(
  { metrics }: Pick<ServiceDependencies, 'metrics'>,
  { clock }: Capacity,
  currentStore: () => Store,
): void {
  metrics?.watchClock(async () => {
    const there = await currentStore().auth.databaseTime?.()
    return there === undefined ? undefined : clock.now() - there
  })
}
