import {
  type ExplainFailure,
  isWrite,
  keyOfMember,
  type MemberCheck,
  type MemberName,
  type MemberWrite,
  type Page,
  type PageCheck,
  type Selection,
  type TransactionStep,
  WrittenMembers,
} from '../../members/index.ts'
import { Effects } from '../batch/effects.ts'

/** A part of a transaction, which is undone if it throws. */
export interface TransactionPart {
  /** Undefined for the transaction itself. */
  readonly within: TransactionPart | undefined
  isUndone: boolean
}

export const isUndone = (part: TransactionPart | undefined): boolean =>
  part !== undefined && (part.isUndone || isUndone(part.within))

interface RecordedWrite {
  readonly step: MemberWrite
  /** Its effect on the members, as the transaction sees them. */
  readonly affect: (effects: Effects) => void
  readonly part: TransactionPart | undefined
  /** Undefined for members that a removal takes along. */
  readonly explain: ExplainFailure<never> | undefined
}

/** Everything that one run of a transaction has read and written, in the order in which the store has to see it. */
export class RecordedSteps {
  /** The versions of members that were there before the run. */
  readonly #reads = new Map<string, MemberCheck>()
  /** Pages by the number of writes before them. */
  readonly #pages = new Map<number, PageCheck[]>()
  /** Pages that show writes which were undone. */
  readonly #undonePages: PageCheck[] = []
  #writes: RecordedWrite[] = []
  /** Whether the run has seen two versions of one member. */
  isTorn = false

  /** `version`: undefined if there is no such member. */
  addRead({ className, id }: MemberName, version: number | undefined): void {
    const key = keyOfMember({ className, id })
    const known = this.#reads.get(key)
    if (known === undefined) this.#reads.set(key, { kind: 'read', className, id, version })
    else if (known.version !== version) this.isTorn = true
  }

  addWrite(write: RecordedWrite): void {
    this.#writes.push(write)
  }

  /** `shown`: the writes that the page shows. */
  addPage(className: string, selection: Selection, page: Page, shown: readonly MemberWrite[]): void {
    const state = WrittenMembers.of(shown).stateOf(className, page)
    const check: PageCheck = { kind: 'page', className, selection, state }
    const after = shown.length
    if (shown.every((step, index) => this.#writes[index]?.step === step))
      this.#pages.set(after, [...(this.#pages.get(after) ?? []), check])
    else this.#undonePages.push({ ...check, after: shown })
  }

  get writes(): readonly MemberWrite[] {
    return this.#writes.map(({ step }) => step)
  }

  get effects(): Effects {
    const effects = new Effects()
    for (const { affect } of this.#writes) affect(effects)
    return effects
  }

  /** Takes back the writes of parts that are undone, but keeps what was read: it has decided what the program did. */
  undo(): void {
    const first = this.#writes.findIndex(({ part }) => isUndone(part))
    if (first === -1) return
    for (const [count, pages] of [...this.#pages].filter(([one]) => one > first)) {
      const after = this.writes.slice(0, count)
      this.#undonePages.push(...pages.map((page) => ({ ...page, after })))
      this.#pages.delete(count)
    }
    this.#writes = this.#writes.filter(({ part }) => !isUndone(part))
  }

  get all(): readonly TransactionStep[] {
    const pagesAfter = (count: number) => this.#pages.get(count) ?? []
    return [
      ...this.#reads.values(),
      ...this.#undonePages,
      ...pagesAfter(0),
      ...this.#writes.flatMap(({ step }, index) => [step, ...pagesAfter(index + 1)]),
    ]
  }

  /** The function that creates the error of a write that the store has refused. */
  explainerOf(step: TransactionStep | undefined): ExplainFailure<never> | undefined {
    return step && isWrite(step) ? this.#writes.find((one) => one.step === step)?.explain : undefined
  }
}
