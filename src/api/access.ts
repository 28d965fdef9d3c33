import type { UserRoles } from '../auth/index.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { MemberContent, StoredMember } from '../members/index.ts'
import type { Problem } from '../problem.ts'
import { NO_CIPHER, type NumberCipher } from '../seal.ts'
import {
  type AccessRules,
  type Class,
  type CustomOperation,
  type Model,
  type Operation,
  type Right,
  type Rights,
  rightsOf,
  rightTo,
  whoMay,
} from '../vocabulary/index.ts'
import { apiProblem } from './problems/index.ts'
import type { StepClass } from './query/restrict.ts'

type Owned = Pick<StoredMember, 'owner'>
type AccessUser = UserRoles | undefined
type AnyOperation = Operation | CustomOperation

const isOwn = ({ owner }: Owned, user: AccessUser): boolean => owner !== undefined && owner === user?.number

/** The owner whose members a right covers. Undefined means any owner; 0, which is no user's number, means no member. */
function ownerFilter(right: Right, user: AccessUser): number | undefined {
  if (right === 'any') return undefined
  return right === 'own' ? (user?.number ?? 0) : 0
}

/** The members that a list shows. */
const listedRight = ({ list, read }: Rights): Right => (list === 'own' && read === 'any' ? 'own' : read)

const covers = (right: Right, member: Owned, user: AccessUser): boolean =>
  right === 'any' || (right === 'own' && isOwn(member, user))

/** The rights of users with these roles, by class. `sealOf`: the cipher for a purpose. */
export function createAccess(
  model: Model,
  userRoles: readonly string[],
  sealOf: (purpose: string) => NumberCipher,
): (cls: Class) => Access {
  const rights = new RoleRights(model, userRoles)
  return (cls) => new Access(cls, rights, sealOf)
}

/** The rights of a set of roles to the members of every class, whether or not the API file shows the class. */
class RoleRights {
  readonly rules: AccessRules | undefined
  readonly userRoles: readonly string[]
  readonly #inFile: ReadonlySet<string>
  readonly #cache = new Map<string, Rights>()

  constructor({ access, classes }: Model, userRoles: readonly string[]) {
    this.rules = access
    this.userRoles = userRoles
    this.#inFile = new Set(classes.map(({ name }) => name))
  }

  of(className: string): Rights {
    const rights = this.#cache.get(className) ?? rightsOf(this.rules, className, this.userRoles)
    this.#cache.set(className, rights)
    return rights
  }

  /** When a class is removed from the file, so are its rules. Members that they hid from users must stay hidden. */
  mayRead(className: string, member: Owned, user: AccessUser): boolean {
    const isRuled = this.rules === undefined || this.#inFile.has(className)
    return isRuled && covers(this.of(className).read, member, user)
  }
}

/** The rights of one set of roles to the members of a class (access.md, On the wire). */
export class Access {
  readonly rights: Rights
  /**
   * The versions in ETags, which are numbers of the class: users who may not read all of its members would see from them
   * how much others write.
   */
  readonly versions: NumberCipher
  readonly #cls: Class
  readonly #all: RoleRights

  constructor(cls: Class, all: RoleRights, sealOf: (purpose: string) => NumberCipher) {
    this.#cls = cls
    this.#all = all
    this.rights = all.of(cls.name)
    this.versions =
      all.rules === undefined ? NO_CIPHER : sealVersions(this.rights, sealOf(`version of ${cls.name}`))
  }

  rightTo(operation: AnyOperation): Right {
    return typeof operation === 'string'
      ? this.rights[operation]
      : rightTo(operation.grantees, this.#all.userRoles)
  }

  /** Says who may do it. `one`: the operation is on a member that the user may read. */
  refusal(operation: AnyOperation, one = false): Problem {
    const { name, collection, title } = this.#cls
    const isOfApi = typeof operation === 'string'
    const { roles, owner } = isOfApi ? whoMay(this.#all.rules, name, operation) : operation.grantees
    return apiProblem('Forbidden', {
      roles,
      owner,
      operation: isOfApi ? operation : operation.name,
      what: one ? 'this member' : (collection ?? title),
    })
  }

  /** Throws if only owners may carry out the operation, and the member belongs to another user. */
  requireRight(operation: AnyOperation, member: Owned, user: AccessUser): void {
    if (this.rightTo(operation) === 'own' && !isOwn(member, user)) throw this.refusal(operation, true)
  }

  /** Whether the user may do it with this member. */
  may(operation: Operation, member: Owned, user: AccessUser): boolean {
    return covers(this.rights[operation], member, user)
  }

  isOwn(member: Owned, user: AccessUser): boolean {
    return isOwn(member, user)
  }

  /** A member that the user may not read does not exist for that user. */
  mayRead(member: Owned, user: AccessUser): boolean {
    return covers(this.rights.read, member, user)
  }

  /** The same for a member of any class. */
  mayReadOf(className: string, member: Owned, user: AccessUser): boolean {
    return this.#all.mayRead(className, member, user)
  }

  /** The owner whose members of a class the user may read; see `ownerFilter`. */
  readOwner(className: string, user: AccessUser): number | undefined {
    return ownerFilter(this.#all.of(className).read, user)
  }

  /** The owner whose members a list shows; see `ownerFilter`. */
  listedOwner(user: AccessUser): number | undefined {
    return ownerFilter(listedRight(this.rights), user)
  }

  /** The members of a class that a path leads to: those that the user may read or, from the other side of a link, list. */
  rightBeyond({ kind, className }: StepClass): Right {
    const rights = this.#all.of(className)
    return kind === 'link' ? rights.read : listedRight(rights)
  }

  /** The owner whose members they are; see `ownerFilter`. */
  ownerBeyond(step: StepClass, user: AccessUser): number | undefined {
    return ownerFilter(this.rightBeyond(step), user)
  }

  /** Restricts links to targets that the user may read: the store takes any other for a dangling link. */
  limitLinks<T extends MemberContent>(written: T, user: AccessUser): T {
    if (this.#all.rules === undefined || written.links.length === 0) return written
    const links = written.links.map((link) => {
      const targetOwner = this.readOwner(link.className, user)
      return targetOwner === undefined ? link : { ...link, targetOwner }
    })
    return { ...written, links }
  }
}

/**
 * Users who may read all members get plain numbers. They may send encrypted ones from before their roles changed. From
 * any other user, a plain number would be a guess.
 */
const sealVersions = ({ read }: Rights, sealed: NumberCipher): NumberCipher =>
  read === 'any'
    ? { seal: NO_CIPHER.seal, open: (text) => NO_CIPHER.open(text) ?? sealed.open(text) }
    : sealed

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
