// The reads of a transaction, which must still hold when its writes are carried out (library.md, Transactions).
import { isWrite, keyOfMember, nameOfStep, type StepName, type TransactionStep } from './member.ts'
import type { Page } from './member-store.ts'
import type { Filter, Selection } from './selection.ts'

/** How long the check of a page may take, since other writers wait for it; after that the page counts as changed. */
export const CHECK_MS = 1_000

/** Collects the members that the steps write, as far as they have been carried out. */
export class WrittenMembers {
  readonly #keys = new Set<string>()

  static of(steps: readonly TransactionStep[]): WrittenMembers {
    const written = new WrittenMembers()
    for (const step of steps) written.add(step)
    return written
  }

  add(step: TransactionStep): void {
    if (isWrite(step)) this.#keys.add(keyOfMember(nameOfStep(step)))
  }

  /**
   * The content of a page, without what changes with every commit: a member that the transaction itself has written
   * gets its version then.
   */
  stateOf(className: string, { members, total, more, edges }: Page): string {
    const shown = members.map(({ id, version }) =>
      this.#keys.has(keyOfMember({ className, id })) ? [id] : [id, version],
    )
    // A cursor continues after the last member, and a new member gets its place only with the commit.
    return JSON.stringify([shown, total ?? null, more && edges?.last.sequence])
  }
}

/** The classes whose members decide what a selection finds. */
export function classesRead(className: string, { filters, order }: Selection): ReadonlySet<string> {
  const found = new Set([className])
  const addFrom = (some: readonly Filter[]): void => {
    for (const filter of some) {
      if (filter.test === 'some' || filter.test === 'none') {
        if (filter.step.kind !== 'embedded') found.add(filter.step.className)
        addFrom(filter.filters)
      } else if (filter.test === 'any') addFrom(filter.filters)
    }
  }
  addFrom(filters)
  for (const { through = [] } of order)
    for (const step of through) {
      found.add(step.className)
      addFrom(step.filters)
    }
  return found
}

/** What steps rely on: members, or whole classes for pages and for members that were not found. */
export function namesIn(steps: readonly TransactionStep[]): StepName[] {
  return steps.flatMap((step): StepName[] => {
    if (step.kind === 'add') return []
    const { className } = step
    if (step.kind === 'page') {
      const classes = [...classesRead(className, step.selection)]
      const pages = classes.map((one): StepName => ({ kind: 'page', className: one, id: '' }))
      return [...pages, ...namesIn(step.after ?? [])]
    }
    const isAbsent = step.kind === 'read' && step.version === undefined
    return isAbsent ? [{ kind: 'page', className, id: '' }, nameOfStep(step)] : [nameOfStep(step)]
  })
}
