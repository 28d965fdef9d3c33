import { createHooks, type Hooks } from '../api/index.ts'
import { type App, createApp, createVisit } from '../app.ts'
import {
  type Clock,
  createClock,
  createHashQueue,
  type HashSlots,
  lowerHashPriority,
  openGate,
  startSweeper,
} from '../auth/index.ts'
import type { Config } from '../config/index.ts'
import { HttpError } from '../errors.ts'
import { toOriginForm } from '../http/index.ts'
import type { Store } from '../store/index.ts'
import { type Model, RESERVED_PATHS, storedClasses } from '../vocabulary/index.ts'
import type { Log } from './log.ts'
import { createMembers, forProgram, type MembersOf } from './members.ts'
import type { Metrics } from './ops.ts'
import type { Program } from './startup.ts'

export interface ApiParts {
  readonly config: Config
  readonly log: Log
  readonly clock?: Clock
  /** The hash slots of the host, where several processes share them. */
  readonly slots?: HashSlots | undefined
  /** Undefined where nothing is counted. */
  readonly metrics?: Metrics | undefined
  readonly program?: Program | undefined
}

/** An API on an open store, without a port. */
export interface OpenedApi {
  createApp(base: string): {
    readonly app: App
    readonly members: MembersOf
    readonly hooks: Hooks | undefined
  }
  /** The store stays open, for its owner to close. */
  close(): Promise<void>
}

/** How many changes of the feed are removed at once. */
const SWEEP_BATCH = 2_000

/** Returns a function that opens the app of a model on a store, with the gate in front of it. */
export function createApiOpener(parts: ApiParts): (model: Model, store: Store) => Promise<OpenedApi> {
  const { config, log, metrics, program = {}, clock = createClock() } = parts
  // Not awaited: until it is done, hashing only has the priority of a request.
  lowerHashPriority().catch((err: unknown) => log.debug({ err }, 'hashing keeps its priority'))
  const hashing = createHashQueue(parts.slots)
  metrics?.watchHashes(hashing)
  const onError = (err: unknown) =>
    // A database that is busy or cannot be reached needs no stack trace.
    log.warn(
      err instanceof HttpError ? { reason: err.message } : { err },
      'something failed beside a request and will be tried again',
    )

  return async (model, store) => {
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
    const hooks =
      (program.hooks ?? program.operations) &&
      createHooks({
        ...program,
        hookMs: config.hookMs,
        onFault: (err) => log.error({ err }, 'a hook has failed after the commit'),
        membersAs: (principal) => membersAs(principal),
      })
    let membersAs: ReturnType<typeof createMembers>
    const replaced = new AbortController()

    return {
      async close() {
        replaced.abort()
        await gate.close()
        await sweeper.stop()
        await hooks?.idle()
      },
      createApp(base) {
        const parts = {
          ...{ ...config, base, model, store, secret, epoch, clock, hooks },
          replaced: replaced.signal,
        }
        const visit = createVisit(parts)
        membersAs = createMembers({ model, base, visit, visitAsProgram: visitAsProgram() })
        const app = createApp(
          {
            ...parts,
            gate: metrics?.countExchanges(gate.admit) ?? gate.admit,
            onFault: (err, requestId) => log.error({ err, requestId }, 'a request failed'),
          },
          visit,
        )
        const counted = metrics?.countRequests(app) ?? app
        const level = config.requestLevel
        const logged = level
          ? withRequestLog(counted, loggedPaths(base, model), log[level].bind(log))
          : counted
        return { app: logged, members: membersAs(undefined), hooks }

        /** Most programs never write by themselves: these resources are created on first use. */
        function visitAsProgram(): typeof visit {
          let created: typeof visit | undefined
          return (...given) => {
            created ??= createVisit({ ...parts, model: forProgram(model) })
            return created(...given)
          }
        }
      },
    }
  }
}

function loggedPaths(base: string, model: Model): (target: string) => string {
  const names = storedClasses(model).flatMap(({ name, collection, ownOperations = [] }) => [
    collection ?? name,
    ...ownOperations.map((operation) => operation.name),
  ])
  return createLoggedPath(new URL(base).pathname.replace(/\/$/, ''), new Set([...RESERVED_PATHS, ...names]))
}

/** Logs a line for each request, without query and headers: a client may put a secret into them. */
const withRequestLog =
  (app: App, loggedPath: (target: string) => string, write: Log['info']): App =>
  async (request) => {
    const started = performance.now()
    const response = await app(request)
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    write(
      { method: request.method, path: loggedPath(request.target), status: response.status, ms },
      'request',
    )
    return response
  }

/** An id that the server has chosen, a UUID of version 7; a nonce has version 8. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MAX_SEGMENTS = 4

/**
 * The parts of a target that may be logged: `names` that are served, and ids that the server has chosen. The rest may be a
 * token or a paraphrase that a careless client has put there.
 */
export function createLoggedPath(mount: string, names: ReadonlySet<string>): (target: string) => string {
  const show = (segment: string): string =>
    segment === '' || ID.test(segment) || names.has(decode(segment)) ? segment : '…'
  return (target) => {
    if (target === '*') return target
    const [path = ''] = toOriginForm(target).split('?', 1)
    if (!path.startsWith(`${mount}/`)) return path === mount ? path : '…'
    const segments = path.slice(mount.length).split('/', MAX_SEGMENTS)
    return mount + segments.map(show).join('/')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // What is not percent-encoded UTF-8 is no name either.
    return segment
  }
}
