import { BoundedMap } from '../../bounded-map.ts'
import { createPause } from '../../deadline.ts'
import { keyOfMember, type MemberName } from '../../members/index.ts'
import type { Store } from '../../store/index.ts'
import { ACCOUNT } from '../../vocabulary/index.ts'
import { createIdsAt } from '../access/ties.ts'

export type SideOfChange = 'before' | 'after'

/** The members in the middle of a path, and their link to accounts. */
interface Middle {
  readonly className: string
  readonly ids: readonly string[]
  readonly link: string
}

/**
 * Whether one of the members linked to the account of the user with this number, when the log was at a position.
 * `side`: whether the change at the position linked to the members before, or after it.
 */
export type NamedAt = (
  middle: Middle,
  position: number,
  side: SideOfChange,
  number: number,
) => Promise<boolean>

/** The accounts that a member named, from one position of the log to another. */
interface Interval {
  readonly from: number
  readonly to: number
  readonly numbers: ReadonlySet<unknown>
}

/** How many members have their last interval cached. */
const MAX_CACHED = 1_000

/**
 * Members on a path may have changed since. The log has the accounts before each of their changes, so the first change
 * after the position has them; without one, the present accounts are right.
 */
export function createNamedAt({ members, changes }: Pick<Store, 'members' | 'changes'>): NamedAt {
  const idsAt = createIdsAt()
  const cache = new BoundedMap<string, Interval>(MAX_CACHED)

  async function present({ className, id }: MemberName, link: string): Promise<Set<unknown>> {
    const found = await members.find(className, id)
    const ids = found === undefined ? [] : idsAt(found.body, link)
    const heads = ids.length === 0 ? [] : await members.findHeads(ACCOUNT, ids)
    return new Set(heads.map(({ owner }) => owner))
  }

  async function intervalAt(
    name: MemberName,
    link: string,
    position: number,
    side: SideOfChange,
  ): Promise<Interval> {
    const key = `${keyOfMember(name)} ${link}`
    const known = cache.get(key)
    if (known !== undefined && known.from <= position && position < known.to) return known
    // In this order: the log, read last, has every change that the others do not show.
    const last = await changes.last()
    const numbers = await present(name, link)
    const next = await changes.findNext(name, position)
    const logged = next?.followed?.get(link)
    // A member that was created after the one that links to it was created in the same transaction.
    if (next?.kind === 'create' && side === 'after')
      return { from: position, to: position, numbers: new Set(logged?.after) }
    const to = next?.position ?? Math.max(position, last?.position ?? 0) + 1
    const interval = { from: position, to, numbers: next === undefined ? numbers : new Set(logged?.before) }
    cache.set(key, interval)
    return interval
  }

  return async ({ className, ids, link }, position, side, number) => {
    const pause = createPause()
    for (const id of ids) {
      if ((await intervalAt({ className, id }, link, position, side)).numbers.has(number)) return true
      await pause()
    }
    return false
  }
}
