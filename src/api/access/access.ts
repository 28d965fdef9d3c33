import type { Awaitable } from '../../database/index.ts'
import { createPause } from '../../deadline.ts'
import {
  keyOfMember,
  type Link,
  type MemberContent,
  type MemberName,
  type Selection,
  type StoredMember,
} from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import { NO_CIPHER, type NumberCipher } from '../../seal.ts'
import {
  ACCOUNT,
  type Class,
  type CustomOperation,
  isTied,
  type Model,
  type Right,
  type Rights,
  type RuledOperation,
  rightTo,
  type Ties,
  topProperty,
  whoMay,
} from '../../vocabulary/index.ts'
import type { Lookups } from '../lookups.ts'
import { apiProblem } from '../problems/index.ts'
import type { StepClass } from '../query/restrict.ts'
import type { PropertyView, PropertyViews } from './property-views.ts'
import { RoleRights } from './role-rights.ts'
import type { Scope } from './scope.ts'
import {
  type AccessUser,
  covers,
  NO_NUMBER,
  type Relation,
  STRANGER,
  type TiedMember,
  type TieReader,
  type TieStore,
  tiesOf,
} from './ties.ts'

type AnyOperation = RuledOperation | CustomOperation

/** The members that a list shows. */
const listedRight = ({ list, read }: Rights): Right => (isTied(list) && read === 'any' ? list : read)

/** The rights of users with these roles, by class. `sealOf`: the cipher for a purpose. */
export function createAccess(
  model: Model,
  userRoles: readonly string[] | undefined,
  sealOf: (purpose: string) => NumberCipher,
  ties: TieReader,
): (cls: Class) => Access {
  const rights = new RoleRights(model, userRoles, ties)
  return (cls) => new Access(cls, rights, sealOf)
}

/** The rights of one set of roles to the members of a class (access.md, On the wire). */
export class Access {
  readonly rights: Rights
  /**
   * The versions in ETags, which are numbers of the class: users who may not read all of its members would see from them
   * how much others write.
   */
  readonly versions: NumberCipher
  /** What the users see of members; undefined if every property is for them. */
  readonly views: PropertyViews | undefined
  readonly #cls: Class
  readonly #all: RoleRights
  /** The ties on which any of the rights depends. */
  readonly ties: Ties

  constructor(cls: Class, all: RoleRights, sealOf: (purpose: string) => NumberCipher) {
    this.#cls = cls
    this.#all = all
    this.rights = all.of(cls.name)
    this.versions =
      all.rules === undefined ? NO_CIPHER : sealVersions(this.rights, sealOf(`version of ${cls.name}`))
    const served = [
      ...cls.operations,
      ...(cls.customOperations ?? []),
      ...(cls.history ? ['history' as const] : []),
    ]
    const ofOperations = served.map((one) => this.rightTo(one))
    this.views = all.viewsOf(cls.name)
    const { ties = STRANGER } = this.views ?? {}
    this.ties = tiesOf([...ofOperations, this.rights.read, ties])
  }

  rightTo(operation: AnyOperation): Right {
    return typeof operation === 'string'
      ? this.rights[operation]
      : rightTo(operation.grantees, this.#all.userRoles)
  }

  /** The problem that says who may do it. `one`: the operation is on a member that the user may read. */
  refusal(operation: AnyOperation, one = false): Problem {
    const { name, collection, title } = this.#cls
    const isOfApi = typeof operation === 'string'
    const { roles, owner, paths } = isOfApi ? whoMay(this.#all.rules, name, operation) : operation.grantees
    const known = paths.filter((path) => this.#all.knowsPath(name, path))
    return apiProblem('Forbidden', {
      roles,
      owner,
      paths: known,
      isForNamed: known.length < paths.length,
      operation: isOfApi ? operation : operation.name,
      what: one ? 'this member' : (collection ?? title),
    })
  }

  /** The relation of a member of this class to the user, as far as any right depends on it. */
  relationOf(member: RelatedMember, user: AccessUser, store?: TieStore): Awaitable<Relation> {
    const { owner, paths } = this.ties
    if (!owner && paths.length === 0) return STRANGER
    return this.#all.ties.relationOf(this.ties, this.#named(member), user, store)
  }

  #named({ id, owner, body }: RelatedMember): TiedMember {
    return { className: this.#cls.name, id, owner, ...(body !== undefined && { body }) }
  }

  mayReadBy(relation: Relation): boolean {
    return covers(this.rights.read, relation)
  }

  /** What the user sees of members of any class; undefined if that is the same for all of its members. */
  async viewsOf(
    className: string,
    members: readonly StoredMember[],
    user: AccessUser,
  ): Promise<MemberViews | undefined> {
    const views = this.#all.viewsOf(className)
    if (views?.areTied !== true) return undefined
    const found = new Map<StoredMember, PropertyView>()
    const pause = createPause()
    for (const member of members) {
      await pause()
      const relation = this.#all.ties.relationOf(views.viewTies, { className, ...member }, user)
      found.set(member, views.of(relation instanceof Promise ? await relation : (relation as Relation)))
    }
    return found
  }

  /** What a user with this relation sees of a member of this class; undefined if that is the same for all of them. */
  viewOf(member: StoredMember, relation: Relation): MemberViews | undefined {
    return this.views?.areTied ? new Map([[member, this.views.of(relation)]]) : undefined
  }

  /** The properties among these that the user sees of a member of any class; within embedded values, they are paths. */
  async shownOf(
    member: TiedMember,
    properties: readonly string[],
    user: AccessUser,
    store?: TieStore,
  ): Promise<readonly string[]> {
    const views = this.#all.viewsOf(member.className)
    if (views === undefined) return properties
    const { hidden } = views.of(await this.#all.ties.relationOf(views.viewTies, member, user, store))
    return properties.filter((path) => !hidden.has(topProperty(path)))
  }

  /** Whether there are properties of the class that these users may not see, or not of all of its members. */
  restricts(className: string): boolean {
    return this.#all.viewsOf(className) !== undefined
  }

  /** Whether what a user may do or see depends on links of the member. */
  get followsLinks(): boolean {
    return this.ties.paths.length > 0
  }

  /** The classes whose members decide what is shown of the members of this one. */
  get classesOfViews(): readonly string[] {
    return this.#all.ties.classesOf(this.views?.viewTies ?? STRANGER, this.#cls.name)
  }

  /** Throws if the operation is not for this user on a member with this relation. */
  requireRight(operation: AnyOperation, relation: Relation): void {
    if (!covers(this.rightTo(operation), relation)) throw this.refusal(operation, true)
  }

  /** Whether the user may carry out the operation on this member. */
  async may(
    operation: AnyOperation,
    member: RelatedMember,
    user: AccessUser,
    store?: TieStore,
  ): Promise<boolean> {
    return this.#all.covers(this.rightTo(operation), this.#named(member), user, store)
  }

  /** A member of any class that the user may not read does not exist for that user. */
  async mayReadOf(member: TiedMember, user: AccessUser, store?: TieStore): Promise<boolean> {
    return this.#all.covers(this.#all.readRight(member.className), member, user, store)
  }

  /** The relation where it must be known at once (`Lookups`). */
  relationNow(member: StoredMember, user: AccessUser, { lookups, store }: AtOnce): Relation {
    const key = `${this.#cls.name} ${member.id} ${member.version}`
    return lookups.now(key, () => this.relationOf(member, user, store))
  }

  /** The members of a class that the user may read. */
  readScope(className: string, user: AccessUser): Scope {
    return this.#all.scopeOf(this.#all.of(className).read, className, user)
  }

  /** The members of this class on which the user may carry out the operation. */
  scopeTo(operation: RuledOperation, user: AccessUser): Scope {
    return this.#all.scopeOf(this.rights[operation], this.#cls.name, user)
  }

  /** Searches of people who have not signed in delay only each other (people.md, Anyone). */
  get place(): Selection['place'] {
    return this.#all.userRoles === undefined ? 'strangers' : undefined
  }

  /** The members that a list shows. */
  listedScope(user: AccessUser): Scope {
    return this.#all.scopeOf(listedRight(this.rights), this.#cls.name, user)
  }

  /** The members of a class that a path leads to: those that the user may read or, from the other side of a link, list. */
  rightBeyond({ kind, className }: StepClass): Right {
    const rights = this.#all.of(className)
    return kind === 'link' ? rights.read : listedRight(rights)
  }

  scopeBeyond(step: StepClass, user: AccessUser): Scope {
    return this.#all.scopeOf(this.rightBeyond(step), step.className, user)
  }

  /** Whether what a path leads to depends on the user. */
  isTiedBeyond(step: StepClass): boolean {
    return isTied(this.rightBeyond(step)) || this.#all.viewsOf(step.className)?.areTied === true
  }

  /**
   * Restricts links to targets that the user may read: the store takes any other for a dangling link. `hidden`: the
   * properties that the user may not see, whose links are not the user's.
   */
  limitLinks<T extends MemberContent>(
    written: T,
    user: AccessUser,
    { lookups, store }: AtOnce,
    hidden: ReadonlySet<string> = NONE,
  ): T {
    if (written.links.length === 0 || this.#all.rules === undefined) return written
    if (!this.#all.isRuled && !written.links.some(({ className }) => className === ACCOUNT)) return written
    const isOwn = ({ property }: Link) => !hidden.has(topProperty(property))
    const own = written.links.filter(isOwn)
    const scopes = new Map(own.map(({ className }) => [className, this.readScope(className, user)]))
    const followed = own.filter(({ className }) => scopes.get(className)?.kind === 'filter')
    const readable =
      followed.length === 0
        ? NONE
        : lookups.now(`targets ${followed.map(keyOfMember)}`, () => this.#readableOf(followed, user, store))
    const links = written.links.map((link) => {
      if (!isOwn(link)) return link
      const scope = scopes.get(link.className) ?? NO_MEMBERS
      if (scope.kind === 'all' || readable.has(keyOfMember(link))) return link
      return { ...link, targetOwner: scope.kind === 'owner' ? scope.owner : NO_NUMBER }
    })
    return { ...written, links }
  }

  /** The keys of the members among these that the user may read. */
  async #readableOf(
    names: readonly MemberName[],
    user: AccessUser,
    store?: TieStore,
  ): Promise<ReadonlySet<string>> {
    const readable = new Set<string>()
    const pause = createPause()
    // A body may name one member tens of thousands of times.
    const targets = new Map(
      names.map(({ className, id }) => [keyOfMember({ className, id }), { className, id }]),
    )
    for (const [key, target] of targets) {
      if (await this.mayReadOf(target, user, store)) readable.add(key)
      await pause()
    }
    return readable
  }
}

/** What a user sees of some members. */
export type MemberViews = ReadonlyMap<StoredMember, PropertyView>

const NONE: ReadonlySet<string> = new Set()
const NO_MEMBERS: Scope = { kind: 'none' }

/** A member of the class, with its text where it is known. */
type RelatedMember = Pick<StoredMember, 'id' | 'owner'> & Partial<Pick<StoredMember, 'body'>>

/** For checks that a step cannot wait for. */
export interface AtOnce {
  readonly lookups: Lookups
  readonly store?: TieStore | undefined
}

/**
 * Users who may read all members get plain numbers. They may send encrypted ones from before their roles changed. From
 * any other user, a plain number would be a guess.
 */
const sealVersions = ({ read }: Rights, sealed: NumberCipher): NumberCipher =>
  read === 'any'
    ? { seal: NO_CIPHER.seal, open: (text) => NO_CIPHER.open(text) ?? sealed.open(text) }
    : sealed
