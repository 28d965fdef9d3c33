import {
  type Explain,
  isWrite,
  keyOfMember,
  type MemberName,
  type MemberWrite,
  type Page,
  type Selection,
  type TransactionStep,
  WrittenMembers,
} from '../../members/index.ts'

interface RecordedWrite {
  readonly step: MemberWrite
  /** Undefined for members that a removal takes along. */
  readonly explain: Explain<never> | undefined
}

type PageCheck = Extract<TransactionStep, { readonly kind: 'page' }>

/** Everything that one run of a transaction has read and written, in the order in which the store has to see it. */
export class RecordedSteps {
  /** The versions of members that were there before the run. */
  readonly #reads = new Map<string, Extract<TransactionStep, { readonly kind: 'read' }>>()
  /** Pages by the number of writes before them. */
  readonly #pages = new Map<number, PageCheck[]>()
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

  addWrite(step: MemberWrite, explain?: Explain<never>): void {
    this.#writes.push({ step, explain })
  }

  /** `after`: how many of the writes the page shows. */
  addPage(className: string, selection: Selection, page: Page, after: number): void {
    const written = new WrittenMembers()
    for (const { step } of this.#writes.slice(0, after)) written.add(step)
    const check: PageCheck = {
      ...{ kind: 'page', className, selection },
      state: written.stateOf(className, page),
    }
    this.#pages.set(after, [...(this.#pages.get(after) ?? []), check])
  }

  get writes(): readonly MemberWrite[] {
    return this.#writes.map(({ step }) => step)
  }

  /** Takes writes back, and keeps what was read: it has decided what the program did. */
  keepWrites(count: number): void {
    this.#writes = this.#writes.slice(0, count)
    for (const after of [...this.#pages.keys()].filter((one) => one > count)) this.#pages.delete(after)
  }

  get all(): readonly TransactionStep[] {
    const pagesAfter = (count: number) => this.#pages.get(count) ?? []
    return [
      ...this.#reads.values(),
      ...pagesAfter(0),
      ...this.#writes.flatMap(({ step }, index) => [step, ...pagesAfter(index + 1)]),
    ]
  }

  /** What makes the error of a write that the store has refused. */
  explainerOf(step: TransactionStep | undefined): Explain<never> | undefined {
    return step && isWrite(step) ? this.#writes.find((one) => one.step === step)?.explain : undefined
  }
}
