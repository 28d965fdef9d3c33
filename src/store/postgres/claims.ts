/** What a piece of work has for itself, and what it only needs to stay as it is. */
export interface Claims {
  readonly owns: readonly string[]
  readonly needs: readonly string[]
}

/**
 * Lets work begin that has nothing to do with what came before it and has not ended: what owns a thing waits for all
 * before it that own or need the thing, and what needs it for those that own it. The result is the same as if each had
 * waited for all before it.
 */
export interface Ordering<T extends Claims> {
  /** Whether it may begin at once. */
  enter(work: T): boolean
  /** What may begin now. */
  leave(work: T): T[]
}

interface Entry<T> {
  readonly work: T
  /** How many it waits for. */
  before: number
  readonly after: Entry<T>[]
}

interface Holders<T> {
  owner: Entry<T> | undefined
  readonly needing: Set<Entry<T>>
}

export function createOrdering<T extends Claims>(): Ordering<T> {
  /** Of each thing, the last work that owns it, and what needs it since. */
  const holders = new Map<string, Holders<T>>()
  const entries = new Map<T, Entry<T>>()

  function waitFor(before: Entry<T>, entry: Entry<T>): void {
    before.after.push(entry)
    entry.before++
  }

  function own(thing: string, entry: Entry<T>): void {
    const found = holders.get(thing)
    if (found?.owner !== undefined) waitFor(found.owner, entry)
    for (const needing of found?.needing ?? []) waitFor(needing, entry)
    holders.set(thing, { owner: entry, needing: new Set() })
  }

  function need(thing: string, entry: Entry<T>): void {
    const found = holders.get(thing) ?? { owner: undefined, needing: new Set() }
    if (found.owner === entry || found.needing.has(entry)) return
    if (found.owner !== undefined) waitFor(found.owner, entry)
    found.needing.add(entry)
    holders.set(thing, found)
  }

  function letGo(thing: string, entry: Entry<T>): void {
    const found = holders.get(thing)
    if (found === undefined) return
    if (found.owner === entry) found.owner = undefined
    found.needing.delete(entry)
    if (found.owner === undefined && found.needing.size === 0) holders.delete(thing)
  }

  return {
    enter(work) {
      const entry: Entry<T> = { work, before: 0, after: [] }
      entries.set(work, entry)
      for (const thing of work.owns) own(thing, entry)
      for (const thing of work.needs) need(thing, entry)
      return entry.before === 0
    },
    leave(work) {
      const entry = entries.get(work) as Entry<T>
      entries.delete(work)
      for (const thing of [...work.owns, ...work.needs]) letGo(thing, entry)
      return entry.after.flatMap((next) => (--next.before === 0 ? [next.work] : []))
    },
  }
}
