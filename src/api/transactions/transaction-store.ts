import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type ChangeOutcome,
  type Compute,
  classesRead,
  type ExplainFailure,
  isDone,
  type MemberName,
  type MemberStore,
  type MemberWrite,
  nameOfStep,
  type Page,
  type RemoveOutcome,
  type Selection,
  type StoredMember,
  storeViolations,
  type TransactionStep,
  type WholeText,
  type WriteOutcome,
  type WriteStore,
} from '../../members/index.ts'
import { Effects } from '../batch/effects.ts'
import { CHANGED_MEANWHILE } from '../batch/overlay.ts'
import { apiProblem, validationFailed } from '../problems/index.ts'
import { isUndone, RecordedSteps, type TransactionPart } from './recorded-steps.ts'

/**
 * The store as one run of a transaction sees it: what is stored, with the writes of the run. Writes have their outcome at
 * once; the commit carries them out, and checks everything that was read.
 */
export class TransactionStore implements Omit<MemberStore, keyof WriteStore>, WriteStore {
  readonly #store: MemberStore
  /** How many characters the writes may have together. */
  readonly #most: number
  #effects = new Effects()
  /** The version of the latest uncommitted member: each has another one, which no stored member has. */
  #version = Number.MAX_SAFE_INTEGER
  #isOver = false
  /** The part that the running code belongs to: others may write beside it. */
  readonly #part = new AsyncLocalStorage<TransactionPart>()
  readonly steps = new RecordedSteps()

  constructor(store: MemberStore, most: number) {
    this.#store = store
    this.#most = most
  }

  /** Ends the run: the store refuses all later calls. */
  end(): void {
    this.#isOver = true
  }

  /** Takes the writes of `work` back if it throws. */
  async undoing<T>(work: () => Promise<T>): Promise<T> {
    const part: TransactionPart = { within: this.part, isUndone: false }
    try {
      return await this.#part.run(part, work)
    } catch (error) {
      part.isUndone = true
      this.steps.undo()
      this.#effects = this.steps.effects
      throw error
    }
  }

  get part(): TransactionPart | undefined {
    return this.#part.getStore()
  }

  /** Nothing that was read in a transaction is cached. */
  readonly state = (): undefined => undefined

  async find(className: string, id: string): Promise<StoredMember | undefined> {
    return this.#read({ className, id }, () => this.#store.find(className, id))
  }

  async findWithHidden(className: string, id: string): Promise<(StoredMember & WholeText) | undefined> {
    return this.#read({ className, id }, () => this.#store.findWithHidden(className, id))
  }

  async findAll(...[className, ids, bytes, owner]: Parameters<MemberStore['findAll']>) {
    const found = await Promise.all(ids.map((id) => this.find(className, id)))
    let left = bytes
    return found.flatMap((member) => {
      if (member === undefined || (owner !== undefined && member.owner !== owner) || left < 0) return []
      left -= Buffer.byteLength(member.body)
      return [member]
    })
  }

  async findHeads(className: string, ids: readonly string[]) {
    this.#requireOpen()
    const { own, others } = this.#effects.among(className, ids)
    const heads = await this.#store.findHeads(className, others)
    this.#requireOpen()
    const versions = new Map(heads.map(({ id, version }) => [id, version]))
    for (const id of others) this.steps.addRead({ className, id }, versions.get(id))
    return [...own, ...heads]
  }

  /** Not recorded: if another member has linked to one meanwhile, the store refuses its removal. */
  async linksTo(...[className, ids, limit, after]: Parameters<MemberStore['linksTo']>) {
    this.#requireOpen()
    const page = await this.#store.linksTo(className, ids, limit, after)
    return this.#effects.linksTo(className, ids, page, after === undefined)
  }

  async list(className: string, selection: Selection): Promise<Page> {
    this.#requireOpen()
    const { writes } = this.steps
    const classNames = classesRead(className, selection)
    const isAffected = writes.some((write) => classNames.has(write.className))
    const page = isAffected
      ? await this.listAfter(writes, className, selection)
      : await this.#store.list(className, selection)
    this.#requireOpen()
    this.steps.addPage(className, selection, page, writes)
    const members = page.members.map((member) => {
      const own = this.#effects.get({ className, id: member.id })
      return own === undefined ? member : { ...member, version: own.version }
    })
    return { ...page, members }
  }

  /** The page after writes of this run, which the store carries out and takes back. */
  async listAfter(...[steps, className, selection]: Parameters<MemberStore['listAfter']>): Promise<Page> {
    const found = await this.#store.listAfter(steps, className, selection)
    if (!('outcome' in found)) return found
    await this.throwRefusal(steps, [found])
    this.steps.isTorn = true
    throw CHANGED_MEANWHILE
  }

  /** Throws the error of the step that the store has refused. Returns if another writer was faster. */
  async throwRefusal(steps: readonly TransactionStep[], outcomes: readonly WriteOutcome[]): Promise<void> {
    const failed = outcomes.at(-1)
    if (failed?.outcome !== 'refused' && failed?.outcome !== 'linked') return
    const explain = this.steps.explainerOf(steps[outcomes.length - 1])
    if (explain !== undefined) throw await explain(failed as never)
    // A removal that takes others along is planned again if a link to one of them was added.
    if (failed.outcome === 'refused') throw validationFailed(...storeViolations(failed))
  }

  summarize(...args: Parameters<MemberStore['summarize']>) {
    this.#requireOpen()
    return this.#store.summarize(...args)
  }

  async add(...[className, member, explain]: Parameters<WriteStore['add']>) {
    this.#requireOpen()
    if (this.#effects.get({ className, id: member.id }) !== undefined) return { outcome: 'exists' } as const
    return this.#add(className, member, explain)
  }

  async change(
    ...[className, id, expected, compute, explain]: Parameters<WriteStore['change']>
  ): Promise<ChangeOutcome> {
    const current = await this.#current(className, id)
    if (current === undefined) return { outcome: 'missing' }
    if (expected?.includes(current.version) === false) return { outcome: 'stale', version: current.version }
    const isOwn = this.#effects.has({ className, id })
    const { owner, version } = current
    const written = compute(current)
    const step = { kind: 'change', className, id, expected: isOwn ? undefined : version, written } as const
    return { outcome: 'changed', member: this.#write(step, { id, owner, ...written }, explain) }
  }

  async remove(
    ...[className, id, expected, owner, actor, explain]: Parameters<WriteStore['remove']>
  ): Promise<RemoveOutcome> {
    const current = await this.#current(className, id)
    if (current === undefined || (owner !== undefined && current.owner !== owner))
      return { outcome: 'missing' }
    const { version } = current
    if (expected?.includes(version) === false) return { outcome: 'stale', version }
    const isOwn = this.#effects.has({ className, id })
    const versions = isOwn ? undefined : [version]
    const step = { kind: 'remove', className, id, expected: versions, owner, actor } as const
    this.#record(step, (effects) => effects.remove({ className, id }, current), explain)
    return { outcome: 'removed' }
  }

  /** The writes of a removal that takes other members along, which has read them here. */
  async writeAll(steps: readonly TransactionStep[]): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = []
    await this.undoing(async () => {
      for (const step of steps) {
        const outcome = await this.#carryOut(step)
        outcomes.push(outcome)
        if (!isDone(outcome)) throw CHANGED_MEANWHILE
      }
    }).catch((error: unknown) => {
      if (error !== CHANGED_MEANWHILE) throw error
    })
    return outcomes
  }

  async writeAllLocked(...[, compute]: Parameters<MemberStore['writeAllLocked']>) {
    return this.writeAll(await compute(this))
  }

  async addAll(members: Parameters<MemberStore['addAll']>[0]) {
    return Promise.all(members.map(({ className, member }) => this.add(className, member)))
  }

  async #carryOut(step: TransactionStep): Promise<WriteOutcome> {
    const { className, id } = nameOfStep(step)
    if (step.kind === 'add') return this.add(className, step.member)
    if (step.kind === 'remove') return this.remove(className, id, step.expected, step.owner, step.actor)
    if (step.kind === 'unlink') {
      this.#record(step, () => {})
      return { outcome: 'unlinked' }
    }
    if (step.kind !== 'change') return { outcome: 'unchanged' }
    const expected = step.expected === undefined ? undefined : [step.expected]
    const changed = await this.change(className, id, expected, () => step.written)
    return changed.outcome === 'changed' ? { outcome: 'changed', version: changed.member.version } : changed
  }

  #add(className: string, member: Parameters<WriteStore['add']>[1], explain?: ExplainFailure<never>) {
    const step = { kind: 'add', className, member } as const
    const { version } = this.#write(step, { ...member, owner: member.owner }, explain)
    return { outcome: 'added', version } as const
  }

  #write(
    step: MemberWrite,
    member: ReturnType<Compute> & Pick<StoredMember, 'id' | 'owner'>,
    explain: ExplainFailure<never> | undefined,
  ): StoredMember {
    this.#version -= 1
    const version = this.#version
    this.#record(step, (effects) => effects.write(step.className, { ...member, version }), explain)
    const { id, body, baseUrlOffsets, owner } = member
    return { id, version, body, baseUrlOffsets, owner }
  }

  #record(step: MemberWrite, affect: (effects: Effects) => void, explain?: ExplainFailure<never>): void {
    // The function may have ended while the member was read.
    this.#requireOpen()
    affect(this.#effects)
    if (this.#effects.length > this.#most) {
      this.#effects = this.steps.effects
      throw apiProblem('TransactionTooLong')
    }
    this.steps.addWrite({ step, affect, part: this.part, explain })
  }

  /** The member as the writes leave it. The run may write it again while it is read. */
  async #current(className: string, id: string): Promise<(StoredMember & WholeText) | undefined> {
    const stored = await this.findWithHidden(className, id)
    return this.#effects.has({ className, id }) ? this.#effects.get({ className, id }) : stored
  }

  async #read<T extends StoredMember>(
    name: MemberName,
    find: () => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    this.#requireOpen()
    if (this.#effects.has(name)) return this.#effects.get(name) as T | undefined
    const found = await find()
    this.#requireOpen()
    this.steps.addRead(name, found?.version)
    return found
  }

  #requireOpen(): void {
    if (this.#isOver || isUndone(this.part)) throw apiProblem('TransactionOver')
  }
}
