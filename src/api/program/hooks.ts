import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from '../../auth/index.ts'
import { limitTime } from '../../deadline.ts'
import { type JsonObject, readJson, writeJson } from '../../json.ts'
import type {
  ChangeOutcome,
  MemberStore,
  RemoveOutcome,
  StoredMember,
  WholeText,
} from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import type { Class, DeclaredOperation, Operation } from '../../vocabulary/index.ts'
import type { ProgramFollower } from '../followers/follower.ts'
import { apiProblem } from '../problems/index.ts'
import type { Transactions } from '../transactions/types.ts'
import { readThrown } from './program-error.ts'

/** The argument of a hook (library.md). */
interface HookArguments {
  readonly operation: Operation
  /** The member that will be, or was, written; for a removal, the removed member. A copy, in the API's own terms. */
  readonly member: unknown
  /** The member before the write; undefined for a creation. */
  readonly before: unknown
  /** Undefined for the program itself, and with authentication off. */
  readonly principal: Caller | undefined
  /** The members of a collection, read and written as this principal. */
  readonly members: unknown
}

/** A principal as programs see it: without its token. */
export type Caller = Pick<Principal, 'userId' | 'roles'>

/** A program's code that runs before and after the writes of a class. */
interface ClassHooks {
  beforeWrite?(write: HookArguments): unknown
  afterWrite?(write: HookArguments): unknown
  beforeDelete?(write: HookArguments): unknown
}

/** The argument of a custom operation (library.md); `member` is as it was read. All values are copies. */
export interface OperationCall extends Pick<HookArguments, 'member' | 'principal' | 'members'> {
  /** The validated body; undefined if the operation expects none. */
  readonly body: unknown
}

/** A custom operation with the code that carries it out. */
interface ProgramOperation extends DeclaredOperation {
  handle(call: OperationCall): unknown
}

/** The hooks, custom operations and followers of a program (library.md). */
export interface Program {
  /** Keyed by class name. */
  readonly hooks?: Readonly<Record<string, ClassHooks>> | undefined
  /** Keyed by class name, then by the name of the operation. */
  readonly operations?: Readonly<Record<string, Readonly<Record<string, ProgramOperation>>>> | undefined
  /** Keyed by the name of the follower. */
  readonly followers?: Readonly<Record<string, ProgramFollower>> | undefined
}

interface HookDependencies extends Program {
  /** How long a hook or an operation may take. */
  readonly hookMs: number
  /** Called with the error of a hook that ran after the commit. */
  readonly onFault: (error: unknown) => void
  readonly membersAs: (principal: Principal | undefined) => unknown
  readonly transactions: Transactions
}

type HookedText = Pick<StoredMember, 'id' | 'body' | 'baseUrlOffsets'>

/** A write that hooks are run for, with its members as they are stored. */
interface PendingWrite {
  readonly operation: Operation
  readonly member: HookedText
  readonly before?: HookedText | undefined
  readonly principal: Principal | undefined
}

/** How many hooks the running code is nested in, each caused by a write of the one before. */
const depth = new AsyncLocalStorage<number>()
/** A hook may cause itself: this ends the recursion (library.md). */
const DEEPEST = 8

/** Runs code outside of any hook, even if a hook has woken it. */
export const outsideHooks = <T>(run: () => T): T => depth.run(0, run)

/** Refuses a write by a hook that is nested too deep. */
export function limitHookDepth(): void {
  if ((depth.getStore() ?? 0) > DEEPEST) throw apiProblem('HooksTooDeep', { max: DEEPEST })
}

/** The hooks and operations of a program. Writes of a class without hooks cost nothing more. */
export class ProgramHooks {
  readonly #dependencies: HookDependencies
  /** Hooks that run after a commit. */
  readonly #running = new Set<Promise<void>>()

  constructor(dependencies: HookDependencies) {
    this.#dependencies = dependencies
  }

  get transactions(): Transactions {
    return this.#dependencies.transactions
  }

  /** Whether an operation and its writes are one transaction. */
  isTransaction(className: string, operation: string): boolean {
    return this.#dependencies.operations?.[className]?.[operation]?.transaction === true
  }

  /** Carries out an operation of the program. The caller validates what it returns. */
  carryOut(
    className: string,
    operation: string,
    { principal, ...about }: Pick<OperationCall, 'member' | 'body'> & { principal: Principal | undefined },
  ): Promise<unknown> {
    const { operations = {} } = this.#dependencies
    const isTransaction = this.isTransaction(className, operation)
    const late = () =>
      apiProblem('OperationTimeout', { operation, className, isTransaction, retryAfterSeconds: 1 })
    return this.run(late, () =>
      operations[className]?.[operation]?.handle({ ...about, ...this.callerOf(principal) }),
    )
  }

  /** The hooks of one class; undefined if it has none. `represent`: returns a member as JSON without its context. */
  of(cls: Class, represent: (member: StoredMember) => string): HooksOfClass | undefined {
    const { hooks = {} } = this.#dependencies
    const own = Object.hasOwn(hooks, cls.name) ? hooks[cls.name] : undefined
    return own && new HooksOfClass(cls, own, represent, this)
  }

  /** Waits for the hooks that run after a commit, at most as long as a hook may take: the store is closed next. */
  async idle(): Promise<void> {
    const allEnded = async () => {
      while (this.#running.size > 0) await Promise.all(this.#running)
    }
    await limitTime(allEnded(), this.#dependencies.hookMs, () => undefined).catch(() => {})
  }

  callerOf(principal: Principal | undefined): Pick<OperationCall, 'principal' | 'members'> {
    return {
      principal: principal && { userId: principal.userId, roles: [...principal.roles] },
      members: this.#dependencies.membersAs(principal),
    }
  }

  /** Rejects with `late` if a promise is not settled in time; its late result is discarded. */
  async run(late: () => Problem, run: () => unknown): Promise<unknown> {
    try {
      return await limitTime(runNested(run), this.#dependencies.hookMs, late)
    } catch (error) {
      throw readThrown(error)
    }
  }

  /** Runs after the commit, in the background; only `idle` waits for it, and errors are only reported. */
  runBeside(run: () => unknown): void {
    const transaction = this.transactions.current()
    if (transaction !== undefined) {
      transaction.afterCommit(() => this.runBeside(run))
      return
    }
    const done: Promise<void> = runNested(run)
      .then(() => {}, this.#dependencies.onFault)
      .finally(() => this.#running.delete(done))
    this.#running.add(done)
  }
}

/** The hooks of one class. */
export class HooksOfClass {
  readonly #cls: Class
  readonly #own: ClassHooks
  readonly #represent: (member: StoredMember) => string
  readonly #program: ProgramHooks

  constructor(
    cls: Class,
    own: ClassHooks,
    represent: (member: StoredMember) => string,
    program: ProgramHooks,
  ) {
    this.#cls = cls
    this.#own = own
    this.#represent = represent
    this.#program = program
  }

  /** The values to write instead; undefined if the hook has returned nothing. */
  async beforeWrite(about: PendingWrite): Promise<JsonObject | undefined> {
    const returned = await this.#run('beforeWrite', about)
    return returned === undefined ? undefined : readReturned(returned, this.#cls)
  }

  beforeDelete(about: PendingWrite): Promise<unknown> | undefined {
    return this.#run('beforeDelete', about)
  }

  /** Runs after the commit. No response waits for it. */
  afterWrite(about: PendingWrite): void {
    if (this.#own.afterWrite === undefined) return
    this.#program.runBeside(() => this.#own.afterWrite?.(this.#argumentsFor(about)))
  }

  #run(hook: keyof ClassHooks, about: PendingWrite): Promise<unknown> | undefined {
    if (this.#own[hook] === undefined) return undefined
    const late = () => apiProblem('HookTimeout', { hook, className: this.#cls.name, retryAfterSeconds: 1 })
    return this.#program.run(late, () => this.#own[hook]?.(this.#argumentsFor(about)))
  }

  #argumentsFor({ operation, member, before, principal }: PendingWrite): HookArguments {
    return {
      operation,
      member: this.#copyOf(member),
      before: before && this.#copyOf(before),
      ...this.#program.callerOf(principal),
    }
  }

  /** Parsed for each call, so that no hook can change what others get. */
  #copyOf(member: HookedText): unknown {
    return JSON.parse(this.#represent({ ...member, version: 0, owner: undefined }))
  }
}

/** Runs code one level deeper. Async, so that an error becomes a rejection. */
const runNested = async (run: () => unknown): Promise<unknown> =>
  depth.run((depth.getStore() ?? 0) + 1, async () => run())

/** An unusable value is a bug of the program: it becomes 500, and the client learns no more than its id. */
function readReturned(returned: unknown, { name }: Class): JsonObject {
  const text = writeJson(returned)
  if (text?.startsWith('{')) return readJson(text) as JsonObject
  throw new TypeError(`The hook beforeWrite of ${name} must return the values of the member, or nothing.`)
}

/** For suggestions when a name is misspelt. */
export const HOOK_NAMES = ['beforeWrite', 'afterWrite', 'beforeDelete']

/** How often a hook is run if other writers are faster (library.md). */
export const MAX_HOOK_RUNS = 3

/**
 * A write must replace the version that its hook saw, so `run` writes only to that version. If another write came first,
 * `run` is called again with the new version, unless `If-Match` rules that out.
 */
export async function retryWhileStale<T extends ChangeOutcome | RemoveOutcome>(
  store: Pick<MemberStore, 'findWithHidden'>,
  member: [className: string, id: string],
  expected: readonly number[] | undefined,
  run: (before: StoredMember & WholeText) => Promise<T>,
): Promise<T | { outcome: 'missing' } | { outcome: 'stale'; version: number }> {
  for (let runs = 0; runs < MAX_HOOK_RUNS; runs++) {
    const before = await store.findWithHidden(...member)
    if (before === undefined) return { outcome: 'missing' }
    if (expected?.includes(before.version) === false) return { outcome: 'stale', version: before.version }
    const done = await run(before)
    if (done.outcome !== 'stale' || expected !== undefined) return done
  }
  throw apiProblem('ConcurrentChanges', { members: 'member', retryAfterSeconds: 1 })
}
