import type { StoredMember } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'

/** SQLite looks members up on this thread: this many take about a millisecond. */
const AT_ONCE = 250

/** The members that a response still needs, in the order of the page. */
export interface LookUps {
  /** `origin`: the first member of the page that needs it. Each member is looked up once, found or not. */
  ask(cls: Class, id: string, origin: number): void
  /**
   * Looks up what was asked for, until `byteBudget` is used up. Returns the first origin whose members were not looked up,
   * infinity if there is none.
   */
  run(byteBudget: number): Promise<number>
}

export interface LookUpDependencies {
  /** Finds members in the order of their ids, as many as fit into `bytes`. */
  find(cls: Class, ids: readonly string[], bytes: number): Promise<readonly StoredMember[]>
  /** Yields to other requests; awaited often. */
  pause(): Promise<void> | undefined
}

/** The members that the response has already. */
interface KnownMembers {
  has(cls: Class, id: string): boolean
  /** Returns how many bytes the member counts. */
  add(cls: Class, member: StoredMember): number
}

export function createLookUps(known: KnownMembers, { find, pause }: LookUpDependencies): LookUps {
  const asked = new Map<Class, Set<string>>()
  const waiting: { readonly cls: Class; readonly id: string; readonly origin: number }[] = []

  function idsAsked(cls: Class): Set<string> {
    const ids = asked.get(cls) ?? new Set()
    asked.set(cls, ids)
    return ids
  }

  return {
    ask(cls, id, origin) {
      const ids = idsAsked(cls)
      if (ids.has(id) || known.has(cls, id)) return
      ids.add(id)
      waiting.push({ cls, id, origin })
    },
    async run(byteBudget) {
      let left = byteBudget
      for (const next of portionsOf(waiting.splice(0))) {
        if (left <= 0) return next[0]?.origin ?? Number.POSITIVE_INFINITY
        const bytes = left
        // One lookup for each class. On PostgreSQL they run concurrently.
        const found = [...Map.groupBy(next, ({ cls }) => cls)].map(async ([cls, some]) => {
          for (const member of await find(
            cls,
            some.map(({ id }) => id),
            bytes,
          ))
            left -= known.add(cls, member)
        })
        await Promise.all(found)
        await pause()
      }
      return Number.POSITIVE_INFINITY
    },
  }
}

function* portionsOf<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}
