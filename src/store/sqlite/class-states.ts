import type { ForeignWrites } from './connection.ts'

/** Numbers that name the present state of each class: a state that has passed never comes back. */
export interface ClassStates {
  of(className: string): number
  /** The state when it was last looked at, for nothing: another process may have written since. */
  lastSeen(className: string): number
  /** What was read of the class in this state, read now if it was not. */
  recall<T>(className: string, state: number, read: () => T): T
  /** Call inside the transaction that changes the class. */
  change(className: string): void
}

export function createClassStates(classNames: readonly string[], foreignWrites: ForeignWrites): ClassStates {
  const states = new Map(classNames.map((name) => [name, 0]))
  let latest = 0
  let seenWrites: number | undefined
  const recalled = new Map<string, { readonly state: number; readonly value: unknown }>()

  function of(className: string): number {
    const writes = foreignWrites()
    if (writes !== seenWrites) {
      // What was written is not known, so everything may have changed.
      latest += 1
      for (const name of states.keys()) states.set(name, latest)
      seenWrites = writes
    }
    return states.get(className) ?? 0
  }

  return {
    of,
    lastSeen: (className) => states.get(className) ?? 0,
    recall<T>(className: string, state: number, read: () => T): T {
      const known = recalled.get(className)
      if (known?.state === state) return known.value as T
      const value = read()
      recalled.set(className, { state, value })
      return value
    },
    change(className) {
      latest += 1
      states.set(className, latest)
    },
  }
}
