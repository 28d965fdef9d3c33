import { BoundedMap } from '../../bounded-map.ts'
import type { Awaitable } from '../../database/index.ts'
import {
  type AccessRules,
  type Class,
  isTied,
  type Model,
  type Right,
  type Rights,
  rightsOf,
} from '../../vocabulary/index.ts'
import { createPropertyViews, type PropertyViews } from './property-views.ts'
import type { Scope } from './scope.ts'
import {
  type AccessUser,
  covers,
  type Relation,
  type TiedMember,
  type TieReader,
  type TieStore,
} from './ties.ts'

/** The rights of a set of roles to the members of every class, whether or not the API file shows the class. */
export class RoleRights {
  readonly rules: AccessRules | undefined
  /** Undefined for people who have not signed in. */
  readonly userRoles: readonly string[] | undefined
  readonly ties: TieReader
  readonly #classes: ReadonlyMap<string, Class>
  readonly #cache = new Map<string, Rights>()
  readonly #views = new Map<string, PropertyViews | undefined>()

  constructor({ access, classes }: Model, userRoles: readonly string[] | undefined, ties: TieReader) {
    this.rules = access
    this.userRoles = userRoles
    this.ties = ties
    this.#classes = new Map(classes.map((cls) => [cls.name, cls]))
  }

  /** Whether the API file has rules. */
  get isRuled(): boolean {
    return this.rules !== undefined && this.rules.isBuiltIn === undefined
  }

  of(className: string): Rights {
    const rights = this.#cache.get(className) ?? rightsOf(this.rules, className, this.userRoles)
    this.#cache.set(className, rights)
    return rights
  }

  /** When a class is removed from the file, so are its rules. Members that they hid from users must stay hidden. */
  readRight(className: string): Right {
    return !this.isRuled || this.#classes.has(className) ? this.of(className).read : 'none'
  }

  /** Undefined if every property of the class is for these users. */
  viewsOf(className: string): PropertyViews | undefined {
    if (!this.#views.has(className)) {
      const cls = this.rules === undefined ? undefined : this.#classes.get(className)
      this.#views.set(className, cls && createPropertyViews(cls, this.userRoles))
    }
    return this.#views.get(className)
  }

  /** Whether the users know the properties of a path to accounts. */
  knowsPath(className: string, path: string): boolean {
    const [first = '', second = ''] = path.split('.')
    const [through = ''] = this.ties.classesOf({ owner: false, paths: [path] }, className)
    return !this.viewsOf(className)?.hides(first) && !this.viewsOf(through)?.hides(second)
  }

  covers(right: Right, member: TiedMember, user: AccessUser, store?: TieStore): Awaitable<boolean> {
    if (!isTied(right)) return right === 'any'
    const relation = this.ties.relationOf(right, member, user, store)
    return relation instanceof Promise
      ? relation.then((found) => covers(right, found))
      : covers(right, relation as Relation)
  }

  scopeOf(right: Right, className: string, user: AccessUser): Scope {
    if (!isTied(right)) return { kind: right === 'any' ? 'all' : 'none' }
    if (user === undefined) return { kind: 'none' }
    if (right.paths.length === 0) return { kind: 'owner', owner: user.number }
    return { kind: 'filter', filter: this.ties.filterOf(right, className, user) }
  }
}

/** How many sets of roles have their resources cached; the oldest is evicted. */
const MAX_SETS = 64

/** Calls `make` once for each set of roles that users have; without rules, once for all users. */
export function memoizeByRoles<T>(
  rules: AccessRules | undefined,
  make: (userRoles: readonly string[]) => T,
): (user: AccessUser) => T {
  const withoutRoles = make([])
  if (rules === undefined) return () => withoutRoles
  const cache = new BoundedMap<string, T>(MAX_SETS)
  return (user) => {
    const userRoles = rules.roles.filter((role) => user?.roles.includes(role))
    if (userRoles.length === 0) return withoutRoles
    return cache.getOrInsertComputed(userRoles.join(' '), () => make(userRoles))
  }
}
