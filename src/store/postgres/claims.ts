/** What a piece of work has for itself, and what it only needs to stay as it is. */
export interface Claims {
  readonly owns: readonly string[]
  readonly needs: readonly string[]
}

/** Calls `start` when the work may begin, which may be at once. Returns what is to be called when it has ended. */
export type Enter = (claims: Claims, start: () => void) => () => void

interface Work {
  readonly start: () => void
  /** How many it waits for. */
  before: number
  readonly after: Work[]
}

interface Holders {
  /** The last work that owns the thing. */
  owner: Work | undefined
  /** What needs it since. */
  readonly needing: Set<Work>
}

/**
 * Lets work begin that has nothing to do with what came before it and has not ended: what owns a thing waits for all
 * before it that own or need the thing, and what needs it for those that own it. The result is the same as if each had
 * waited for all before it.
 */
export function createOrdering(): Enter {
  const holders = new Map<string, Holders>()

  function waitFor(before: Work, work: Work): void {
    before.after.push(work)
    work.before++
  }

  function own(thing: string, work: Work): void {
    const found = holders.get(thing)
    if (found?.owner !== undefined) waitFor(found.owner, work)
    for (const needing of found?.needing ?? []) waitFor(needing, work)
    holders.set(thing, { owner: work, needing: new Set() })
  }

  function need(thing: string, work: Work): void {
    const found = holders.get(thing) ?? { owner: undefined, needing: new Set() }
    if (found.owner === work || found.needing.has(work)) return
    if (found.owner !== undefined) waitFor(found.owner, work)
    found.needing.add(work)
    holders.set(thing, found)
  }

  function letGo(thing: string, work: Work): void {
    const found = holders.get(thing)
    if (found === undefined) return
    if (found.owner === work) found.owner = undefined
    found.needing.delete(work)
    if (found.owner === undefined && found.needing.size === 0) holders.delete(thing)
  }

  return ({ owns, needs }, start) => {
    const work: Work = { start, before: 0, after: [] }
    for (const thing of owns) own(thing, work)
    for (const thing of needs) need(thing, work)
    if (work.before === 0) start()
    return () => {
      for (const thing of [...owns, ...needs]) letGo(thing, work)
      for (const next of work.after) if (--next.before === 0) next.start()
    }
  }
}
