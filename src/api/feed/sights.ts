import type { Awaitable } from '../../database/index.ts'
import type { Change, FollowedTarget } from '../../members/index.ts'
import {
  type AccountStep,
  accountSteps,
  followedPaths,
  isTied,
  type Model,
  storedClasses,
  type Ties,
} from '../../vocabulary/index.ts'
import type { Access } from '../access/access.ts'
import { type AccessUser, covers, type Relation, STRANGER } from '../access/ties.ts'
import type { NamedAt, SideOfChange } from './named-at.ts'

/** How a user sees a change: its kind for this user, and the relation of the member to the user at that time. */
export interface SeenChange {
  readonly kind: Change['kind']
  readonly relation: Relation
}

/**
 * A class with a path through another class to accounts: changes of the other's members take its members into sight, or
 * out of it.
 */
export interface Dependent {
  readonly className: string
  readonly path: string
  /** The link of the other class that names the accounts. */
  readonly property: string
}

/** Judges changes by the log: what a user could see before each of them, and after it (people.md, Rules that follow a link). */
export interface Sights {
  /** Undefined if the user could see the member neither before nor after. */
  seenAs(change: Change, access: Access, user: AccessUser): Awaitable<SeenChange | undefined>
  /** The same list for all users. */
  dependentsOf(className: string): readonly Dependent[]
  /** Whether the user's account was named before the change, or after it, and not both. */
  isMoved(change: Change, dependent: Dependent, user: AccessUser): boolean
  /** Whether one of the paths leads through another class. */
  hasLongPath(className: string, paths: readonly string[]): boolean
}

/** `model`: the whole model, since a path leads to accounts whatever the user may read on the way. */
export function createSights(model: Model, isNamedAt: NamedAt): Sights {
  const steps = new Map(
    storedClasses(model).flatMap((cls) =>
      followedPaths(model, cls).map(
        (path) => [`${cls.name} ${path}`, accountSteps(model.classes, cls, path) ?? []] as const,
      ),
    ),
  )
  const stepsOf = (className: string, path: string): readonly AccountStep[] =>
    steps.get(`${className} ${path}`) ?? []
  const dependents = findDependents(model, stepsOf)

  function leads(path: string, change: Change, side: SideOfChange, number: number): Awaitable<boolean> {
    const [first, second] = stepsOf(change.className, path)
    const targets = (first && change.followed?.get(first.property)?.[side]) ?? []
    if (second === undefined || first === undefined) return targets.includes(number)
    const isItself = (id: FollowedTarget) => id === change.id && first.className === change.className
    if (targets.some(isItself) && change.followed?.get(second.property)?.[side].includes(number)) return true
    const ids = targets.filter((id) => !isItself(id)).map(String)
    if (ids.length === 0) return false
    return isNamedAt({ ...first, ids, link: second.property }, change.position, side, number)
  }

  /** Which of the paths led to the user's account. */
  function pathsOn(
    side: SideOfChange,
    paths: readonly string[],
    change: Change,
    number: number,
  ): Awaitable<readonly string[]> {
    const led = paths.map((path) => leads(path, change, side, number))
    const chosen = (all: readonly unknown[]) => paths.filter((_, index) => all[index])
    return led.some((one) => one instanceof Promise) ? Promise.all(led).then(chosen) : chosen(led)
  }

  /** Which of the ties held. */
  function relationOn(side: SideOfChange, ties: Ties, change: Change, user: AccessUser): Awaitable<Relation> {
    if (user === undefined) return STRANGER
    const owner = ties.owner && change.owner === user.number
    if (ties.paths.length === 0) return { owner, paths: ties.paths }
    return then(pathsOn(side, ties.paths, change, user.number), (paths) => ({ owner, paths }))
  }

  return {
    seenAs(change, { rights: { read }, ties }, user) {
      const { kind } = change
      if (read === 'none') return undefined
      const after = kind === 'delete' ? STRANGER : relationOn('after', ties, change, user)
      if (!isTied(read)) return then(after, (relation) => ({ kind, relation }))
      const before = kind === 'create' ? STRANGER : relationOn('before', read, change, user)
      return then(before, (former) =>
        then(after, (relation) => {
          const [was, is] = [covers(read, former), covers(read, relation)]
          if (was && is) return { kind, relation }
          if (is) return { kind: 'create', relation }
          return was ? { kind: 'delete', relation: STRANGER } : undefined
        }),
      )
    },
    dependentsOf: (className) => dependents.get(className) ?? [],
    isMoved({ kind, followed }, { property }, user) {
      // Nothing can link to a new member before it exists.
      if (user === undefined || kind === 'create') return false
      const links = followed?.get(property)
      return links !== undefined && links.before.includes(user.number) !== links.after.includes(user.number)
    },
    hasLongPath: (className, paths) => paths.some((path) => stepsOf(className, path).length > 1),
  }
}

function findDependents(
  model: Model,
  stepsOf: (className: string, path: string) => readonly AccountStep[],
): ReadonlyMap<string, readonly Dependent[]> {
  const found = storedClasses(model).flatMap((cls) =>
    followedPaths(model, cls).flatMap((path) => {
      const [first, second] = stepsOf(cls.name, path)
      if (first === undefined || second === undefined) return []
      return [
        { through: first.className, dependent: { className: cls.name, path, property: second.property } },
      ]
    }),
  )
  const grouped = Map.groupBy(found, ({ through }) => through)
  return new Map([...grouped].map(([name, all]) => [name, all.map(({ dependent }) => dependent)]))
}

/** Goes on at once if the value is there: most changes need not wait for anything. */
function then<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value as T)
}

/** Whether users read members of the class by this path, and not all of them. */
export const isReadBy = ({ rights: { read } }: Access, path: string): boolean =>
  isTied(read) && read.paths.includes(path)
