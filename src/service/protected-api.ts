import {
  type Accounts,
  createFeed,
  createTransactions,
  type Feed,
  followersOf,
  type Program,
  ProgramHooks,
} from '../api/index.ts'
import { createApp, createDispatch, createOpenDispatch } from '../app.ts'
import { type CheckOwnParaphrase, type Gate, type HashNew, openGate, startSweeper } from '../auth/index.ts'
import type { Config } from '../config/index.ts'
import type { App } from '../http/index.ts'
import { Problem } from '../problem.ts'
import type { Store } from '../store/index.ts'
import { linksToAccounts, type Model } from '../vocabulary/index.ts'
import { createAccounts } from './accounts.ts'
import type { Capacity } from './capacity.ts'
import { startCatchUp } from './catch-up.ts'
import { runFollowers } from './followers.ts'
import { type Log, withRequestLog } from './log.ts'
import { forProgram, type MembersByName } from './members.ts'
import type { Metrics } from './metrics/metrics.ts'
import { linesOf } from './problems/index.ts'
import { createProgramMembers, onFirstUse } from './program-members.ts'
import { listWebhooks, openWebhooks } from './webhooks.ts'

/** A model, the store of its members, and the base URL. */
export interface ServedModel {
  readonly model: Model
  readonly store: Store
  readonly base: string
}

export interface ApiDependencies {
  readonly config: Config
  readonly log: Log
  readonly capacity: Capacity
  /** Undefined if nothing is counted. */
  readonly metrics?: Metrics | undefined
  readonly program?: Program | undefined
}

/** The API of a model, behind its gate and without a port. */
export interface ProtectedApi {
  readonly app: App
  readonly members: MembersByName
  /** For an import, which writes without the app. */
  readonly hooks: ProgramHooks | undefined
  /** Waits for running calls of followers; `close` does so too. */
  stopFollowers(): Promise<void>
  /** The store stays open, for its owner to close. */
  close(): Promise<void>
}

export async function openApi(served: ServedModel, dependencies: ApiDependencies): Promise<ProtectedApi> {
  const { model, store, base } = served
  const { config, log, metrics, program, capacity } = dependencies
  // First, so that nothing is open if the list has become wrong since the start.
  const webhooks = await listWebhooks(config, model, program)
  const gate = await openCountingGate(store, dependencies)
  const sweeper = sweepPast(store, dependencies)
  const catchUp = startCatchUp(store.catchUp, { log, metrics, onError: logBackgroundErrors(log) })
  const replaced = new AbortController()
  const { signal } = replaced
  const feed = createFeed({ store, clock: capacity.clock, streams: config.streams, replaced: signal })
  const { dispatch, dispatchOpen, members, hooks, accounts, callDependencies } = await createApiDispatch(
    served,
    { ...dependencies, checkOwn: gate.checkOwn, hashNew: gate.hashNew },
    { replaced: signal, feed },
  )
  const mirror = await startMirror(accounts, log)
  const closing = new AbortController()
  const hooked = await openWebhooks(webhooks, { log, now: capacity.clock.now, closing: closing.signal })
  // Before the first request: a follower begins with the changes after its first start.
  const followers = await runFollowers([...followersOf(program?.followers), ...hooked], callDependencies, {
    ...{ store, feed, log, metrics, hookMs: config.hookMs },
    onError: logBackgroundErrors(log),
    now: changeTime(store, capacity),
  })
  async function stopFollowers(): Promise<void> {
    closing.abort()
    await followers?.stop()
  }
  const app = createApp(
    {
      ...{ base, dispatchOpen, gate: inStepAtSignIn(gate.admit, model, accounts), onFault: logFaults(log) },
      bodies: dependencies.capacity.bodies,
    },
    dispatch,
  )
  const counted = metrics?.countRequests(app) ?? app
  const level = config.requestLevel
  return {
    app: level ? withRequestLog(counted, base, model, log[level].bind(log)) : counted,
    members,
    hooks,
    stopFollowers,
    async close() {
      replaced.abort()
      await stopFollowers()
      await gate.close()
      await sweeper.stop()
      await catchUp.stop()
      await mirror.stop()
      await hooks?.idle()
    },
  }
}

/** Users change in other processes, too: links to new accounts work within a second. */
const MIRROR_MS = 900

async function startMirror(accounts: Accounts | undefined, log: Log): Promise<{ stop(): Promise<void> }> {
  if (accounts === undefined) return { stop: async () => {} }
  await accounts.mirror()
  return startSweeper(async () => accounts.mirror().then(() => false), logBackgroundErrors(log), MIRROR_MS)
}

/**
 * A user who was removed and added anew has the same address, and must not be taken for the former one: nobody signs in
 * before the accounts are up to date (people.md, People in data).
 */
function inStepAtSignIn(gate: Gate, { classes }: Model, accounts: Accounts | undefined): Gate {
  if (accounts === undefined || !classes.some(linksToAccounts)) return gate
  return async (request) => {
    const admission = await gate(request)
    const { verdict } = admission
    const isByParaphrase =
      verdict === 'exchanged' || (verdict === 'admitted' && admission.principal?.token === undefined)
    if (isByParaphrase) await accounts.mirror()
    return admission
  }
}

async function openCountingGate(store: Store, { config, log, metrics, capacity }: ApiDependencies) {
  const { mode, secrets, tokenTtlMs, nonceTtlMs, limits } = config
  const gate = await openGate({
    ...{ mode, secrets, tokenTtlMs, nonceTtlMs, limits },
    hashing: capacity.hashing,
    store: store.auth,
    clock: capacity.clock,
    onWrongClock: (sentence, byMs) => log.warn({ byMs }, sentence),
    onFailure: ({ address, claimed }) => {
      metrics?.countWrong()
      // What was sent as a name is not logged: it may be a paraphrase in the wrong place.
      log.warn(claimed > 0 ? { user: claimed, address } : { address }, 'a wrong passphrase')
    },
    onError: logBackgroundErrors(log),
  })
  return { ...gate, admit: metrics?.countExchanges(gate.admit) ?? gate.admit }
}

/** How many changes of the feed, or entries of histories, are removed at once. */
const SWEEP_BATCH = 2_000
/** Short, so that ids of changes older than `--history` soon get 410. */
const SWEEP_INTERVAL_MS = 5_000

/** The clock by which changes got their times. */
const changeTime =
  ({ auth }: Store, { clock }: Capacity) =>
  async (): Promise<number> =>
    (await auth.databaseTime?.()) ?? clock.now()

/** Sweeps the feed, and entries of histories that need not be kept any more. */
function sweepPast(store: Store, { config, log, capacity }: ApiDependencies) {
  const { changes, history } = store
  const findNow = changeTime(store, capacity)
  return startSweeper(
    async () => {
      const now = await findNow()
      const hasMoreChanges = await changes.sweep(now, config.history, SWEEP_BATCH)
      return (await history.sweep(now, SWEEP_BATCH)) || hasMoreChanges
    },
    logBackgroundErrors(log),
    SWEEP_INTERVAL_MS,
  )
}

/** The resources of a model, with the hooks of the program and the `members` that it uses. */
async function createApiDispatch(
  { model, store, base }: ServedModel,
  {
    config,
    log,
    program = {},
    capacity,
    checkOwn,
    hashNew,
  }: ApiDependencies & { readonly checkOwn: CheckOwnParaphrase; readonly hashNew: HashNew },
  { replaced, feed }: { readonly replaced: AbortSignal; readonly feed: Feed },
) {
  const transactions = createTransactions(store.members, 2 * config.batchLimits.bytes)
  const hooks =
    (program.hooks ?? program.operations) &&
    new ProgramHooks({
      ...program,
      hookMs: config.hookMs,
      onFault: (err) => log.error({ err }, 'a hook has failed after the commit'),
      // Hooks act through members, members send requests to the resources, and these run hooks.
      membersAs: (principal) => membersAs(principal),
      transactions,
    })
  const { mode, pageSizes, batchLimits, requireIfMatch, tokenTtlMs, streams, compression } = config
  const resources = {
    ...{ mode, pageSizes, batchLimits, requireIfMatch, tokenTtlMs, streams, compression },
    ...{ base, model, store, hooks, replaced, feed },
    clock: capacity.clock,
    secret: await store.auth.nonceSecret(),
    epoch: await store.changes.epoch(),
    onFault: logFaults(log),
  }
  // Where accounts are removed, they are members like any other.
  const dispatchRemovals = onFirstUse(() => createDispatch({ ...resources, model: forProgram(model) }))
  const accounts = createAccounts({
    ...{ model, base, store, checkOwn, hashNew, log },
    clock: capacity.clock,
    members: createProgramMembers({ resources, createDispatch, transactions, dispatch: dispatchRemovals })(
      undefined,
    ),
  })
  const dispatch = createDispatch({ ...resources, accounts })
  const membersAs = createProgramMembers({
    ...{ createDispatch, transactions, dispatch },
    resources: { ...resources, accounts },
  })
  const dispatchOpen = createOpenDispatch(resources, config.anyoneRequests)
  // A program may send a request from within a transaction, but the request does not belong to it.
  const dispatchOutside: typeof dispatch = (...args) =>
    transactions.current() === undefined ? dispatch(...args) : transactions.outside(() => dispatch(...args))
  const members = membersAs(undefined)
  const callDependencies = { ...resources, model: forProgram(model), accounts, members }
  return { dispatch: dispatchOutside, dispatchOpen, members, hooks, accounts, callDependencies }
}

const logFaults =
  (log: Log) =>
  (err: unknown, requestId: string): void =>
    log.error({ err, requestId }, 'a request failed')

const logBackgroundErrors =
  (log: Log) =>
  (err: unknown): void =>
    // A database that is busy or cannot be reached needs no stack trace.
    log.warn(
      err instanceof Problem ? { reason: linesOf(err).join(' ') } : { err },
      'something failed beside a request and will be tried again',
    )
