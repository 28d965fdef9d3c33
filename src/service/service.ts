import { type App, createApp } from '../app.ts'
import {
  type Clock,
  createAddressReader,
  createClock,
  createHashQueue,
  defaultQueue,
  type HashSlots,
  lowerHashPriority,
  openGate,
  readAddressRange,
  startSweeper,
} from '../auth/index.ts'
import { type Config, defaultBase } from '../config/index.ts'
import { HttpError } from '../errors.ts'
import { commonHeaders, noStoreHeaders, type ServerLimits, startServer, toOriginForm } from '../http/index.ts'
import type { Store } from '../store/index.ts'
import { type Model, RESERVED_PATHS, storedClasses } from '../vocabulary/index.ts'
import { createHoldable, type Holdable } from './holdable.ts'
import type { Metrics } from './ops/metrics.ts'

/** Where a running service reports; pino fits. */
export interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
  debug(details: object, message: string): void
}

export interface ServiceParts {
  readonly config: Config
  readonly model: Model
  readonly store: Store
  readonly log: Log
  readonly clock?: Clock
  readonly limits?: Partial<ServerLimits>
  /** Where several processes share those of the host. */
  readonly slots?: HashSlots | undefined
  /** Nothing is counted without. */
  readonly metrics?: Metrics | undefined
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

/** Changes of the feed that are removed at once. */
const SWEEP_BATCH = 2_000

/** All that runs while an API is served, put together from its settings. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, model, store, log, metrics, clock = createClock() } = parts
  // Nothing waits for it: a hash before it is done only has the priority of a request.
  lowerHashPriority().catch((err: unknown) => log.debug({ err }, 'hashing keeps its priority'))
  const hashing = createHashQueue(defaultQueue(), parts.slots)
  metrics?.watchHashes(hashing)
  const onError = (err: unknown) =>
    // That the database is away, or busy, needs no stack.
    log.warn(
      err instanceof HttpError ? { reason: err.message } : { err },
      'something failed beside a request and will be tried again',
    )
  let api = await openApi(model, store)
  let held: Holdable | undefined
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
      const app = api.createApp(base)
      if (config.watch) held = createHoldable(app, headers)
      return {
        app: held?.app ?? app,
        noStoreHeaders: headers,
        onFault: (err) => log.error({ err }, 'a request could not be answered'),
      }
    },
  })
  const holdable = held
  return {
    base,
    port: server.port,
    takeOver:
      holdable &&
      ((open) =>
        holdable.exchange(async () => {
          const next = await open()
          const opened = await openApi(next.model, next.store)
          await api.close()
          api = opened
          return api.createApp(base)
        })),
    async close() {
      await api.close()
      await server.close()
    },
  }

  /** The app of a model on a store, and the gate in front of it. */
  async function openApi(model: Model, store: Store) {
    const gate = await openGate({
      ...config,
      hashing,
      store: store.auth,
      clock,
      onWrongClock: (sentence, byMs) => log.warn({ byMs }, sentence),
      onFailure: ({ address, userId }) => {
        metrics?.countWrong()
        log.warn({ user: userId, address }, 'a wrong paraphrase')
      },
      onError,
    })
    const [secret, epoch] = [await store.auth.nonceSecret(), await store.changes.epoch()]
    const sweeper = startSweeper(() => store.changes.sweep(clock.now(), config.history, SWEEP_BATCH), onError)
    const replaced = new AbortController()
    return {
      async close() {
        replaced.abort()
        await gate.close()
        await sweeper.stop()
      },
      createApp(base: string): App {
        const app = createApp({
          ...config,
          base,
          model,
          store,
          secret,
          epoch,
          clock,
          replaced: replaced.signal,
          gate: metrics?.countExchanges(gate.admit) ?? gate.admit,
          onFault: (err, requestId) => log.error({ err, requestId }, 'a request failed'),
        })
        const counted = metrics?.countRequests(app) ?? app
        const level = config.requestLevel
        return level ? withRequestLog(counted, shownPaths(base, model), log[level].bind(log)) : counted
      },
    }
  }
}

function shownPaths(base: string, model: Model): (target: string) => string {
  const names = storedClasses(model).map((cls) => cls.collection ?? cls.name)
  return createShownPath(new URL(base).pathname.replace(/\/$/, ''), new Set([...RESERVED_PATHS, ...names]))
}

/** The app, with one line for each request: no query and no header, since a client may put a secret in each. */
const withRequestLog =
  (app: App, shownPath: (target: string) => string, write: Log['info']): App =>
  async (request) => {
    const started = performance.now()
    const response = await app(request)
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    write({ method: request.method, path: shownPath(request.target), status: response.status, ms }, 'request')
    return response
  }

/** As the server chooses ids; a nonce is of version 8. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MOST_SEGMENTS = 4

/**
 * As much of a target as a log may have: `names` that are served and ids that the server chose. The rest may be a token
 * or a paraphrase that a careless client has put there, in any spelling.
 */
export function createShownPath(mount: string, names: ReadonlySet<string>): (target: string) => string {
  const show = (segment: string): string =>
    segment === '' || ID.test(segment) || names.has(decode(segment)) ? segment : '…'
  return (target) => {
    if (target === '*') return target
    const [path = ''] = toOriginForm(target).split('?', 1)
    if (!path.startsWith(`${mount}/`)) return path === mount ? path : '…'
    const segments = path.slice(mount.length).split('/', MOST_SEGMENTS)
    return mount + segments.map(show).join('/')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Not percent-encoded UTF-8: no name either.
    return segment
  }
}
