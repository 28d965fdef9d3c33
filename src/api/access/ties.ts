import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { createPause } from '../../deadline.ts'
import {
  createScanValues,
  type Filter,
  idOf,
  type MemberName,
  type MemberStore,
  type ScanValues,
} from '../../members/index.ts'
import {
  type AccountStep,
  accountSteps,
  isTied,
  type Model,
  type Right,
  type Ties,
} from '../../vocabulary/index.ts'

/** A user, as rules know them; undefined for people who have not signed in, and without authentication. */
export type AccessUser = Pick<Principal, 'userId' | 'number' | 'roles'> | undefined

/** A member, as far as it is known: absent fields are read if a rule needs them. */
export interface TiedMember extends MemberName {
  readonly owner?: number | undefined
  readonly body?: string
}

/** The relation of a member to a user: of the ties that matter for the user's rights, those that hold. */
export type Relation = Ties

export const STRANGER: Relation = { owner: false, paths: [] }

/** Whether a right includes a member with this relation to the user. */
export const covers = (right: Right, { owner, paths }: Relation): boolean =>
  isTied(right) ? (right.owner && owner) || right.paths.some((path) => paths.includes(path)) : right === 'any'

/** The ties of all rights together. */
export function tiesOf(rights: Iterable<Right>): Ties {
  const ties = [...rights].filter(isTied)
  return {
    owner: ties.some(({ owner }) => owner),
    paths: [...new Set(ties.flatMap(({ paths }) => paths))],
  }
}

/** Finds out what members have to do with users (people.md, Rules that follow a link): as stored now. */
export interface TieReader {
  /** Which of the ties hold. `store`: as a batch leaves it, where there is one. */
  relationOf(ties: Ties, member: TiedMember, user: AccessUser, store?: TieStore): Awaitable<Relation>
  /** The members of a class for which one of the ties holds. */
  filterOf(ties: Ties, className: string, user: AccessUser): Filter
  /** The classes that the paths lead through, before the accounts. */
  classesOf(ties: Ties, className: string): readonly string[]
}

export type TieStore = Pick<MemberStore, 'find'>

export function createTieReader({ classes }: Pick<Model, 'classes'>, committed: TieStore): TieReader {
  const byName = new Map(classes.map((cls) => [cls.name, cls]))
  const idsAt = createIdsAt()
  const stepsOf = (className: string, path: string): readonly AccountStep[] => {
    const cls = byName.get(className)
    return (cls && accountSteps(classes, cls, path)) ?? []
  }

  async function leads(
    path: string,
    { className, body = '' }: TiedMember,
    account: string,
    store: TieStore,
  ): Promise<boolean> {
    const [first, second] = stepsOf(className, path)
    if (first === undefined) return false
    const targets = idsAt(body, first.property)
    if (second === undefined) return targets.includes(account)
    const pause = createPause()
    for (const id of targets) {
      await pause()
      const found = await store.find(first.className, id)
      if (found && idsAt(found.body, second.property).includes(account)) return true
    }
    return false
  }

  async function readRelation(
    ties: Ties,
    member: TiedMember,
    user: NonNullable<AccessUser>,
    store: TieStore,
  ): Promise<Relation> {
    const isKnown = hasOwner(member) && (member.body !== undefined || ties.paths.length === 0)
    const stored = isKnown ? member : await store.find(member.className, member.id)
    if (stored === undefined) return STRANGER
    const paths: string[] = []
    const found = { ...member, ...stored }
    for (const path of ties.paths) if (await leads(path, found, String(user.userId), store)) paths.push(path)
    return { owner: ties.owner && found.owner === user.number, paths }
  }

  return {
    relationOf(ties, member, user, store = committed) {
      if (user === undefined) return STRANGER
      if (ties.paths.length > 0 || !hasOwner(member)) return readRelation(ties, member, user, store)
      return ties.owner && member.owner === user.number ? OWNER : STRANGER
    },
    filterOf({ owner, paths }, className, user) {
      const account = String(user?.userId ?? '')
      const filters: Filter[] = paths.map((path) => filterOf(stepsOf(className, path), account))
      const [only] = filters
      if (filters.length === 1 && !owner && only?.test === 'in') return { ...only, isScope: true }
      if (owner) filters.unshift({ test: 'owner', owner: user?.number ?? NO_NUMBER })
      return filters.length === 1 ? (filters[0] as Filter) : { test: 'any', filters }
    },
    classesOf: ({ paths }, className) =>
      paths.flatMap((path) => stepsOf(className, path).slice(0, -1)).map((step) => step.className),
  }
}

const hasOwner = (member: TiedMember): boolean => Object.hasOwn(member, 'owner')

const OWNER: Relation = { owner: true, paths: [] }

/** No user has this number. */
export const NO_NUMBER = 0

/** Finds the ids of the members that a property links to, without parsing the rest of the text. */
export function createIdsAt(): (body: string, name: string) => readonly string[] {
  const scans = new Map<string, ScanValues>()
  return (body, name) => {
    const scan = scans.get(name) ?? createScanValues(new Map([[name, 0]]))
    scans.set(name, scan)
    let ids: string[] = []
    scan(body, (_, from, to) => {
      ids = [JSON.parse(body.slice(from, to))].flat().map((path) => idOf(String(path)))
    })
    return ids
  }
}

function filterOf([step, ...rest]: readonly AccountStep[], account: string): Filter {
  if (step === undefined) return { test: 'any', filters: [] }
  const { property, className } = step
  if (rest.length === 0) return { property, test: 'in', keys: [account] }
  return { test: 'some', step: { kind: 'link', property, className }, filters: [filterOf(rest, account)] }
}
