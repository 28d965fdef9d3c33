import { type Program, ProgramHooks } from '../api/index.ts'
import { createApp, createDispatch } from '../app.ts'
import {
  type Clock,
  createAddressReader,
  createClock,
  hashQueueSize,
  lowerHashPriority,
  openGate,
  startSweeper,
  throttleKey,
} from '../auth/index.ts'
import { type Config, defaultBase } from '../config/index.ts'
import { createFairQueue, createSlots, type Slots } from '../fair-queue.ts'
import { type App, BodyMemory, commonHeaders, noStoreHeaders, type ServerLimits } from '../http/index.ts'
import { type ServerOptions, startServer } from '../http/server.ts'
import { Problem } from '../problem.ts'
import type { Store } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import { type Log, withRequestLog } from './log.ts'
import { createMembers, forProgram, type MembersOf } from './members.ts'
import type { Metrics } from './ops.ts'
import { linesOf } from './problems/index.ts'
import { createReplaceableApp } from './replaceable-app.ts'

export interface ServiceParts {
  readonly config: Config
  readonly model: Model
  readonly store: Store
  readonly log: Log
  readonly limits?: Partial<ServerLimits>
  readonly clock?: Clock
  /** The hash slots of the host, where several processes share them. */
  readonly slots?: Slots | undefined
  /** Undefined where nothing is counted. */
  readonly metrics?: Metrics | undefined
  readonly program?: Program | undefined
  /** Where another process listens on the port: see ServerOptions. */
  readonly takeFrom?: ServerOptions['takeFrom']
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
  readonly hooks: ProgramHooks | undefined
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
  let held: ReturnType<typeof createReplaceableApp> | undefined
  let served: ReturnType<typeof api.createApp> | undefined
  let base = config.base ?? ''
  const server = await startServer({
    host: config.host,
    port: config.port,
    tls: config.tls,
    readAddress: createAddressReader(config.trusted),
    networkOf: throttleKey,
    limits: {
      connections: config.maxConnections,
      earlyBytes: config.bodyMemory / EARLY_PART,
      ...parts.limits,
    },
    takeFrom: parts.takeFrom,
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

/** Of the memory for bodies, one part in so many is for those of which nobody knows yet whether they are admitted. */
const EARLY_PART = 4

/** How many changes of the feed are removed at once. */
const SWEEP_BATCH = 2_000
/** Short, so that what is older than `--history` says is soon 410. */
const SWEEP_INTERVAL_MS = 5_000

/** Returns a function that opens the API of a model on a store, with the gate in front of it and without a port. */
function createApiOpener(parts: Omit<ServiceParts, 'model' | 'store'>) {
  const { config, log, metrics, program = {}, clock = createClock() } = parts
  // Not awaited: until it is done, hashing only has the priority of a request.
  lowerHashPriority().catch((err: unknown) => log.debug({ err }, 'hashing keeps its priority'))
  const hashing = createFairQueue(parts.slots ?? createSlots(hashQueueSize()))
  metrics?.watchHashes(hashing)
  const bodies = new BodyMemory(config.bodyMemory * (1 - 1 / EARLY_PART), parts.limits)
  let served: Store | undefined
  metrics?.watchClock(async () => {
    const there = await served?.auth.databaseTime?.()
    return there === undefined ? undefined : clock.now() - there
  })
  const onError = (err: unknown) =>
    // A database that is busy or cannot be reached needs no stack trace.
    log.warn(
      err instanceof Problem ? { reason: linesOf(err).join(' ') } : { err },
      'something failed beside a request and will be tried again',
    )

  return async (model: Model, store: Store) => {
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
    served = store
    const secret = await store.auth.nonceSecret()
    const epoch = await store.changes.epoch()
    // By the clock that has timed the changes.
    const changeTime = async () => (await store.auth.databaseTime?.()) ?? clock.now()
    const sweeper = startSweeper(
      async () => store.changes.sweep(await changeTime(), config.history, SWEEP_BATCH),
      onError,
      SWEEP_INTERVAL_MS,
    )
    const hooks =
      (program.hooks ?? program.operations) &&
      new ProgramHooks({
        ...program,
        hookMs: config.hookMs,
        onFault: (err) => log.error({ err }, 'a hook has failed after the commit'),
        membersAs: (principal) => membersAs(principal),
      })
    let membersAs: ReturnType<typeof createMembers>
    const replaced = new AbortController()

    return {
      /** The store stays open, for its owner to close. */
      async close() {
        replaced.abort()
        await gate.close()
        await sweeper.stop()
        await hooks?.idle()
      },
      createApp(base: string) {
        const parts = {
          ...{ ...config, base, model, store, secret, epoch, clock, hooks, bodies },
          replaced: replaced.signal,
          onFault: (err: unknown, requestId: string) => log.error({ err, requestId }, 'a request failed'),
        }
        const dispatch = createDispatch(parts)
        let programVisit: typeof dispatch | undefined
        membersAs = createMembers({
          ...{ model, base, dispatch },
          // Most programs never write by themselves: these resources are created on first use.
          dispatchAsProgram(...given) {
            programVisit ??= createDispatch({ ...parts, model: forProgram(model) })
            return programVisit(...given)
          },
        })
        const app = createApp({ ...parts, gate: metrics?.countExchanges(gate.admit) ?? gate.admit }, dispatch)
        const counted = metrics?.countRequests(app) ?? app
        const level = config.requestLevel
        const logged = level ? withRequestLog(counted, base, model, log[level].bind(log)) : counted
        return { app: logged, members: membersAs(undefined), hooks }
      },
    }
  }
}
