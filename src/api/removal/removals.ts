import type { Principal } from '../../auth/index.ts'
import {
  addressOf,
  keyOfMember,
  type MemberName,
  type MemberStore,
  type RemoveOutcome,
} from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import { storeFor } from '../acting-store.ts'
import { BatchStore, CHANGED_MEANWHILE, concurrentChanges } from '../batch/overlay.ts'
import { pauseUntil, transactionOf } from '../batch/prepare.ts'
import { createWriteTogether } from '../batch/run.ts'
import type { Work } from '../batch/turns.ts'
import { withLookups } from '../lookups.ts'
import { apiProblem } from '../problems/index.ts'
import { withHooks } from '../program/hooked-store.ts'
import type {
  ClassDependencies,
  Outcome,
  RemovalPreview,
  Removals,
  RemovalTransaction,
  ResourceDependencies,
  Write,
} from '../types.ts'
import { refusedByStore } from '../write-errors.ts'
import { type OtherMember, type PlanDependencies, planRemoval } from './plan.ts'
import type { RemovalRules } from './rules.ts'

interface RemovalDependencies extends Pick<ResourceDependencies, 'batchLimits'> {
  readonly rules: RemovalRules
  readonly members: MemberStore
  /** The classes as the same user sees them. */
  readonly classes: ReadonlyMap<string, ClassDependencies>
  readonly workOf: (user: string) => Work
}

/** How often a preview is tried, if members that it has found are gone before they are read. */
const MAX_PREVIEWS = 3

type WriteInTransaction = Write & { readonly transaction: RemovalTransaction }

export function createRemovals(dependencies: RemovalDependencies): Removals {
  const { rules, members, classes, batchLimits, workOf } = dependencies
  const writeTogether = createWriteTogether(members)
  const workFor = (principal: Principal | undefined) => workOf(String(principal?.number ?? ''))

  return { affectsOthers: rules.affectsOthers, inTransaction, withOthers, preview }

  async function inTransaction(
    write: Write,
    { hooks }: ClassDependencies,
    remove: (write: Write) => Promise<Outcome>,
  ): Promise<Outcome> {
    const work = workFor(write.principal)
    const { waitFor } = work

    async function prepare(until: number, onHooks: () => void) {
      const overlay = new BatchStore(members, { most: 2 * batchLimits.bytes, waitFor })
      const steps = { pause: () => pauseUntil(work, until), beforeHooks: onHooks }
      const transaction = transactionOf(overlay, steps)
      if (hooks !== undefined) onHooks()
      // The body has been read.
      const again = { ...write, body: () => ({}), waitFor, transaction }
      const { result } = await overlay.prepare((store) =>
        remove({ ...again, store: storeFor(write.principal, store) }),
      )
      return { overlay, result }
    }

    try {
      const { result } = await writeTogether({ work, prepare })
      return await result
    } catch (error) {
      throw error instanceof Problem && error.code === 'BatchTooLong' ? apiProblem('RemovalTooLong') : error
    }
  }

  async function withOthers(
    id: string,
    write: WriteInTransaction,
    own: ClassDependencies,
    remove: () => Promise<RemoveOutcome>,
  ): Promise<RemoveOutcome> {
    const { transaction, store, principal } = write
    const { prepare, pause, unlink } = transaction
    const root = { className: own.cls.name, id }
    const plan = await planRemoval({ ...root, cls: own }, { classes, rules, store, principal, pause })
    const removed = [...plan.deleted, root]
    const gone = new Set(removed.map(keyOfMember))
    const results: Promise<void>[] = []
    const prepareEach = async (
      others: readonly OtherMember[],
      run: (one: OtherMember, cls: ClassDependencies) => Promise<void>,
    ) => {
      for (const one of others) {
        await pause()
        const cls = classes.get(one.className) as ClassDependencies
        if (cls.hooks !== undefined) transaction.beforeHooks(one)
        results.push((await prepare(() => run(one, cls))).result)
      }
    }
    await prepareEach(plan.changed, (one, cls) => unset(one, cls, write, (to) => gone.has(keyOfMember(to))))
    unlink(removed)
    await prepareEach(plan.deleted, (one, cls) => removeToo(one, cls, write))
    const [outcome] = await Promise.all([remove(), ...results])
    return outcome
  }

  async function preview(
    id: string,
    own: ClassDependencies,
    principal: Principal | undefined,
  ): Promise<RemovalPreview> {
    const work = workFor(principal)
    const planned: PlanDependencies = { classes, rules, store: members, principal, pause: work.pause }
    const root = { className: own.cls.name, id, cls: own }
    for (let tries = 1; ; tries++)
      try {
        const { deleted, changed } = await work.inLine(() => planRemoval(root, planned))
        return { deleted: deleted.map(addressOfOther), changed: changed.map(addressOfOther) }
      } catch (error) {
        if (error !== CHANGED_MEANWHILE) throw error
        if (tries === MAX_PREVIEWS) throw concurrentChanges()
      }
  }

  function addressOfOther({ className, id }: MemberName): string {
    const { cls, base } = classes.get(className) as ClassDependencies
    return addressOf(cls, base)(id)
  }
}

/** Takes the links to removed members out of one that stays: a write of that member like any other. */
async function unset(
  { className, id, owner }: OtherMember,
  cls: ClassDependencies,
  write: WriteInTransaction,
  isGone: (target: MemberName) => boolean,
): Promise<void> {
  const { access, input, now } = cls
  const { principal } = write
  // A member of any version: if a link that was added since does not say `unset`, the store refuses.
  const changed = await withLookups((lookups) =>
    withHooks(cls, 'update', write).change(className, id, undefined, (current) => {
      if (current.owner !== owner) throw CHANGED_MEANWHILE
      const without = input.withoutLinks(current, isGone, now(), principal)
      return access.limitLinks(without, principal, { lookups, store: write.store })
    }),
  )
  if (changed.outcome === 'refused') throw refusedByStore(changed)
  if (changed.outcome !== 'changed') throw CHANGED_MEANWHILE
}

async function removeToo(
  { className, id, version }: OtherMember,
  cls: ClassDependencies,
  write: WriteInTransaction,
): Promise<void> {
  const removed = await withHooks(cls, 'delete', write).remove(className, id, [version])
  if (removed.outcome !== 'removed') throw CHANGED_MEANWHILE
}
