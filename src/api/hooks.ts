import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from '../auth/index.ts'
import { HttpError, invalid, unavailable } from '../errors.ts'
import { type JsonObject, readJson } from '../json.ts'
import type { Changed, MemberStore, Removed, StoredMember, WholeText, Written } from '../store/index.ts'
import type { Class, DeclaredOperation, Operation } from '../vocabulary/index.ts'

/** What a hook is told of a write (library.md). */
export interface HookArguments {
  readonly operation: Operation
  /** As it is to be written, or was; of a removal as it was. In the API's own terms, and a copy of the hook's own. */
  readonly member: unknown
  /** As it was; undefined for a creation. */
  readonly before: unknown
  /** Undefined for the program itself, and with authentication off. */
  readonly principal: Caller | undefined
  /** The members of a collection, read and written as this principal. */
  readonly members: unknown
}

/** A principal as programs see it: without its token. */
export type Caller = Pick<Principal, 'userId' | 'roles'>

/** Code of a program around the writes of a class. */
export interface ClassHooks {
  beforeWrite?(write: HookArguments): unknown
  afterWrite?(write: HookArguments): unknown
  beforeDelete?(write: HookArguments): unknown
}

/** What an operation of one's own is told (library.md), of the member as it was read. All values are copies of its own. */
export interface OperationCall extends Pick<HookArguments, 'member' | 'principal' | 'members'> {
  /** What was sent, checked; undefined where nothing is expected. */
  readonly body: unknown
}

/** An operation of one's own with the code that carries it out. */
export interface ProgramOperation extends DeclaredOperation {
  handle(call: OperationCall): unknown
}

export interface HookParts {
  /** By the names of classes. */
  readonly hooks?: Readonly<Record<string, ClassHooks>> | undefined
  /** By the names of classes, then by their own. */
  readonly operations?: Readonly<Record<string, Readonly<Record<string, ProgramOperation>>>> | undefined
  /** How long a promise of a hook may take. */
  readonly hookMs: number
  /** Told what a hook has thrown after the commit. */
  readonly onFault: (error: unknown) => void
  readonly membersAs: (principal: Principal | undefined) => unknown
}

type StoredText = Pick<StoredMember, 'id' | 'body' | 'holes'>

/** A write as its hooks are told of it. */
interface Told {
  readonly operation: Operation
  readonly member: StoredText
  readonly before?: StoredText | undefined
  readonly principal: Principal | undefined
}

/** How many hooks, each of which writes through `members`, the running code is within. */
const depth = new AsyncLocalStorage<number>()
/** A hook may cause itself (library.md): so deep they nest. */
const DEEPEST = 8

/** 500 for a write by a hook that was caused by too many others. */
export function limitHookDepth(): void {
  if ((depth.getStore() ?? 0) <= DEEPEST) return
  throw new HttpError(500, `Hooks have written through members more than ${DEEPEST} deep; one causes itself.`)
}

export type Hooks = ReturnType<typeof createHooks>
export type HooksOfClass = NonNullable<ReturnType<Hooks['of']>>

/** The hooks of a program. A class without any has none around its writes, which so cost what they did. */
export function createHooks({ hooks = {}, operations = {}, hookMs, onFault, membersAs }: HookParts) {
  const running = new Set<Promise<void>>()

  /** 503 for a promise that is not settled in time; what comes of it later is thrown away. */
  async function settled(name: string, lateness: string, run: () => unknown): Promise<unknown> {
    const late = Promise.withResolvers<never>()
    const sentence = `${name} has not answered in time; ${lateness}`
    const timer = setTimeout(() => late.reject(unavailable(sentence, 1)), hookMs)
    try {
      return await Promise.race([within(run), late.promise])
    } catch (error) {
      throw asAnswer(error)
    } finally {
      clearTimeout(timer)
    }
  }

  const callerOf = (principal: Principal | undefined) => ({
    principal: principal && { userId: principal.userId, roles: [...principal.roles] },
    members: membersAs(principal),
  })

  return {
    /** Carries out an operation of one's own; what it returns is for the caller to check. */
    carryOut(
      className: string,
      name: string,
      { principal, ...told }: Pick<OperationCall, 'member' | 'body'> & { principal: Principal | undefined },
    ): Promise<unknown> {
      const lateness = 'it may have been carried out in part. Look before you send it again.'
      return settled(`The operation ${name} of ${className}`, lateness, () =>
        operations[className]?.[name]?.handle({ ...told, ...callerOf(principal) }),
      )
    },
    /** `represent`: a member as JSON without its context. */
    of(cls: Class, represent: (member: StoredMember) => string) {
      const own = Object.hasOwn(hooks, cls.name) ? hooks[cls.name] : undefined
      if (own === undefined) return undefined
      // Parsed for each call: what a hook changes in its arguments is its own.
      const plain = (member: StoredText): unknown =>
        JSON.parse(represent({ ...member, version: 0, owner: undefined }))
      const tell = ({ operation, member, before, principal }: Told): HookArguments => ({
        operation,
        member: plain(member),
        before: before && plain(before),
        ...callerOf(principal),
      })
      const run = (name: keyof ClassHooks, told: Told) =>
        own[name] &&
        settled(`The hook ${name} of ${cls.name}`, 'nothing was written. Try again.', () =>
          own[name]?.(tell(told)),
        )
      return {
        /** What is written instead, as if it had been sent; undefined where it stays. */
        async beforeWrite(told: Told): Promise<JsonObject | undefined> {
          const returned = await run('beforeWrite', told)
          return returned === undefined ? undefined : asSent(returned, cls)
        },
        beforeDelete: (told: Told) => run('beforeDelete', told),
        /** After the commit. No answer waits for it, and what it throws changes nothing. */
        afterWrite(told: Told): void {
          if (own.afterWrite === undefined) return
          const done: Promise<void> = within(() => own.afterWrite?.(tell(told)))
            .then(() => {}, onFault)
            .finally(() => running.delete(done))
          running.add(done)
        },
      }
    },
    /** Until those that run after a commit are done, or have had the time of a hook: what they write with is then closed. */
    async idle(): Promise<void> {
      const late = Promise.withResolvers<'late'>()
      const timer = setTimeout(late.resolve, hookMs, 'late')
      while (running.size > 0)
        if ((await Promise.race([Promise.all(running), late.promise])) === 'late') break
      clearTimeout(timer)
    },
  }
}

/** Not in the turn of the caller: what it throws becomes a rejection. */
const within = async (run: () => unknown): Promise<unknown> =>
  depth.run((depth.getStore() ?? 0) + 1, async () => run())

/** Rubbish is the program's fault: 500, of which the client is told no more than its number. */
function asSent(returned: unknown, { name }: Class): JsonObject {
  const text = JSON.stringify(returned)
  if (text?.startsWith('{')) return readJson(text) as JsonObject
  throw new TypeError(`The hook beforeWrite of ${name} must return the values of the member, or nothing.`)
}

/** What a program throws to be answered. Its HttpError may be that of another copy of this package. */
function asAnswer(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'HttpError') return error
  const { status, message, headers = [], violations = [] } = error as HttpError
  if (!Number.isInteger(status) || status < 400 || status > 599)
    return new TypeError(`An HttpError has a status from 400 to 599, and not ${status}.`, { cause: error })
  return error instanceof HttpError ? error : new HttpError(status, message, { headers, violations })
}

/** 422 at one property: `throw violation('lines/0/quantity', 'must not be more than there are.')`. */
export const violation = (path: string, sentence: string): HttpError =>
  invalid([{ propertyPath: path, message: sentence }])

/** The names of hooks, for those who misspell one. */
export const HOOK_NAMES = ['beforeWrite', 'afterWrite', 'beforeDelete']

interface HookedChange extends Pick<Told, 'operation' | 'principal'> {
  /** Throws where the user may not do that with what is there. */
  permit(current: StoredMember): void
  /** What the hook returned instead of what was computed, checked. */
  restore(returned: JsonObject, before: StoredMember & WholeText): Written
}

type Changing = Pick<MemberStore, 'findWhole' | 'change' | 'remove'>

/** So often a hook is run where other writers are faster (library.md). */
export const MOST_HOOK_RUNS = 3

/** As the store changes and removes members, with the hooks of their class around that. */
export function withHooks(
  store: Changing,
  hooks: HooksOfClass,
  { operation, principal, permit, restore }: HookedChange,
): Pick<Changing, 'change' | 'remove'> {
  return {
    change: (className, id, expected, compute) =>
      onWhatIsThere<Changed>(store, [className, id], expected, async (before) => {
        const computed = compute(before)
        const told = { operation, before, principal }
        const returned = await hooks.beforeWrite({ ...told, member: { ...computed, id } })
        const written = returned === undefined ? computed : restore(returned, before)
        const changed = await store.change(className, id, [before.version], () => written)
        if (changed.outcome === 'changed') hooks.afterWrite({ ...told, member: changed.member })
        return changed
      }),
    remove: (className, id, expected, owner) =>
      onWhatIsThere<Removed>(store, [className, id], expected, async (before) => {
        permit(before)
        const told = { operation, member: before, before, principal }
        await hooks.beforeDelete(told)
        const removed = await store.remove(className, id, [before.version], owner)
        if (removed.outcome === 'removed') hooks.afterWrite(told)
        return removed
      }),
  }
}

/**
 * What a hook saw is what is replaced: `run` writes to that version alone, and is called again with what is there then
 * where another write came between, unless `If-Match` forbids that.
 */
async function onWhatIsThere<T extends Changed | Removed>(
  store: Changing,
  member: [className: string, id: string],
  expected: readonly number[] | undefined,
  run: (before: StoredMember & WholeText) => Promise<T>,
): Promise<T | { outcome: 'missing' } | { outcome: 'stale'; version: number }> {
  for (let runs = 0; runs < MOST_HOOK_RUNS; runs++) {
    const before = await store.findWhole(...member)
    if (before === undefined) return { outcome: 'missing' }
    if (expected?.includes(before.version) === false) return { outcome: 'stale', version: before.version }
    const done = await run(before)
    if (done.outcome !== 'stale' || expected !== undefined) return done
  }
  throw unavailable('Others are changing the same member; try again shortly.', 1)
}
