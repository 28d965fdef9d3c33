import type { Principal } from '../../auth/index.ts'
import type { ChangeRange } from '../../members/index.ts'
import { hasCollection, isTied } from '../../vocabulary/index.ts'
import type { ClassDependencies } from '../types.ts'
import type { FeedQuery } from './query.ts'
import { isReadBy, type Sights } from './sights.ts'

/** The part of the log of a class that a user needs: all of it, or what has to do with the user. */
type Reach = 'all' | { readonly owner: boolean; readonly account: boolean }

type RangeView = Pick<ClassDependencies, 'cls' | 'access'>

const NOTHING = { owner: false, account: false }

/** Ranges of the log with all changes that have events for a user; undefined for the whole log. */
export function createRangesOf(views: ReadonlyMap<string, RangeView>, sights: Sights) {
  /** What the user needs for the events of the members themselves. */
  function ownReach({ cls, access }: RangeView): Reach {
    const { read } = access.rights
    if (!isTied(read)) return read === 'any' ? 'all' : NOTHING
    // The users that a longer path leads to are known only from each change.
    if (sights.hasLongPath(cls.name, read.paths)) return 'all'
    // A range by account leaves out what the user owns.
    return { owner: true, account: read.paths.length > 0 }
  }

  /** Whether changes of the class take members of another one into the user's sight, or out of it. */
  function movesOthers({ cls }: RangeView, query: FeedQuery): boolean {
    return sights.dependentsOf(cls.name).some(({ className, path }) => {
      const view = views.get(className)
      return view !== undefined && isReadBy(view.access, path) && isAsked(view, query)
    })
  }

  function rangesOfClass(
    view: RangeView,
    query: FeedQuery,
    user: Principal | undefined,
  ): readonly ChangeRange[] {
    const className = view.cls.name
    const reach = ownReach(view)
    const moves = user !== undefined && movesOthers(view, query)
    const isWanted = query.classNames?.has(className) !== false
    if (!isWanted || query.resources === undefined)
      return rangesFor(className, together(isWanted ? reach : NOTHING, moves), user)
    const named = rangesOfResources(view, query.resources, reach, user)
    if (!moves) return named
    return named.length === 0 ? rangesFor(className, together(NOTHING, true), user) : [{ className }]
  }

  return (query: FeedQuery, user: Principal | undefined): readonly ChangeRange[] | undefined => {
    const ranges = [...views.values()].flatMap((view) => rangesOfClass(view, query, user))
    const isWhole = ({ id, owner, account }: ChangeRange) => (id ?? owner ?? account) === undefined
    const isAll = ranges.length === views.size && ranges.every(isWhole)
    const isOpen = [...views.values()].every(({ access }) => access.rights.read === 'any')
    return isAll && isOpen ? undefined : ranges
  }
}

const together = (reach: Reach, moves: boolean): Reach =>
  reach === 'all' || !moves ? reach : { owner: true, account: true }

function rangesFor(className: string, reach: Reach, user: Principal | undefined): readonly ChangeRange[] {
  if (reach === 'all') return [{ className }]
  if (user === undefined) return []
  return [
    ...(reach.owner ? [{ className, owner: user.number }] : []),
    ...(reach.account ? [{ className, account: user.number }] : []),
  ]
}

function rangesOfResources(
  { cls }: RangeView,
  resources: NonNullable<FeedQuery['resources']>,
  reach: Reach,
  user: Principal | undefined,
): readonly ChangeRange[] {
  const ofClass = rangesFor(cls.name, reach, user)
  const [first] = ofClass
  if (first === undefined) return []
  const path = hasCollection(cls) ? cls.collection : cls.name
  const ofPath = [...resources.values()].filter(({ name }) => name === path)
  if (!hasCollection(cls)) return ofPath.some(({ id }) => id === undefined) ? ofClass : []
  // A single member has few changes: the accounts that they named are checked one by one.
  const range = ofClass.length > 1 ? { className: cls.name } : first
  return ofPath.flatMap(({ id }) => (id === undefined ? [] : [{ ...range, id }]))
}

/** Whether a query asks for changes of some members of a class. */
export function isAsked({ cls }: RangeView, { classNames, resources }: FeedQuery): boolean {
  if (classNames?.has(cls.name) === false) return false
  const path = hasCollection(cls) ? cls.collection : cls.name
  return resources === undefined || [...resources.values()].some(({ name }) => name === path)
}
