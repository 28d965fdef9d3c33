import type { ForeignWrites } from './foreign-writes.ts'

/** Numbers that name the present state of each class: a state that has passed never comes back. */
export interface ClassStates {
  of(className: string): number
  /** Call inside the transaction that changes the class. */
  change(className: string): void
}

export function createClassStates(classNames: readonly string[], foreignWrites: ForeignWrites): ClassStates {
  const states = new Map(classNames.map((name) => [name, 0]))
  let latest = 0
  let seenWrites: number | undefined

  return {
    of(className) {
      const writes = foreignWrites()
      if (writes !== seenWrites) {
        // What was written is not known, so everything may have changed.
        latest += 1
        for (const name of states.keys()) states.set(name, latest)
        seenWrites = writes
      }
      return states.get(className) ?? 0
    },
    change(className) {
      latest += 1
      states.set(className, latest)
    },
  }
}
