import type { UserRoles } from '../auth/index.ts'
import { BoundedMap } from '../bounded-map.ts'
import { HttpError } from '../errors.ts'
import type { MemberContent, StoredMember } from '../members/index.ts'
import { NO_CIPHER, type NumberCipher } from '../seal.ts'
import {
  type AccessRules,
  type Class,
  type Model,
  type Operation,
  type OwnOperation,
  type Right,
  type Rights,
  refusalOf,
  rightsOf,
  rightTo,
  whoMay,
} from '../vocabulary/index.ts'

type Owned = Pick<StoredMember, 'owner'>
type User = UserRoles | undefined
type AnyOperation = Operation | OwnOperation

const isOwn = ({ owner }: Owned, user: User): boolean => owner !== undefined && owner === user?.number

/** The owner whose members a right covers: undefined for any owner, 0, which is no user's number, for no member. */
function ownerFilter(right: Right, user: User): number | undefined {
  if (right === 'any') return undefined
  return right === 'own' ? (user?.number ?? 0) : 0
}

const covers = (right: Right, member: Owned, user: User): boolean =>
  right === 'any' || (right === 'own' && isOwn(member, user))

/** What one set of roles may do with the members of a class (access.md, On the wire). */
export type Access = ReturnType<ReturnType<typeof createAccess>>

/** What users with these roles may do, by class. `sealOf`: the seal for a purpose. */
export function createAccess(
  { access: rules, classes }: Model,
  userRoles: readonly string[],
  sealOf: (purpose: string) => NumberCipher,
) {
  const cache = new Map<string, Rights>()
  const inFile = new Set(classes.map(({ name }) => name))
  const rightsWith = (className: string): Rights => {
    const rights = cache.get(className) ?? rightsOf(rules, className, userRoles)
    cache.set(className, rights)
    return rights
  }
  /** Which members of a class the user may read, whether or not the API file shows the class. */
  const readRight = (className: string): Right => rightsWith(className).read
  const readOwner = (className: string, user: User) => ownerFilter(readRight(className), user)

  /**
   * Users who may read all members get plain numbers. They may send sealed ones from before their roles changed; a plain
   * number of any other user would be a guess.
   */
  function versionsOf({ name }: Class): NumberCipher {
    if (rules === undefined) return NO_CIPHER
    const sealed = sealOf(`version of ${name}`)
    if (readRight(name) !== 'any') return sealed
    return { seal: NO_CIPHER.seal, open: (text) => NO_CIPHER.open(text) ?? sealed.open(text) }
  }

  return (cls: Class) => {
    const rights = rightsWith(cls.name)
    const rightOf = (operation: AnyOperation): Right =>
      typeof operation === 'string' ? rights[operation] : rightTo(operation.grantees, userRoles)

    /** 403 with who may do it. `one`: the operation is on a member that the user may read. */
    function refusal(operation: AnyOperation, one = false): HttpError {
      const isOfApi = typeof operation === 'string'
      const who = isOfApi ? whoMay(rules, cls.name, operation) : operation.grantees
      return new HttpError(403, refusalOf(who, isOfApi ? operation : operation.name, cls, one))
    }

    return {
      rights,
      rightTo: rightOf,
      refusal,
      isOwn,
      readRight,
      readOwner,
      /**
       * The versions in ETags, which are numbers of the class: users who may not read all of its members would see from
       * them how much others write.
       */
      versions: versionsOf(cls),
      /** A member that the user may not read does not exist for that user. */
      mayRead: (member: Owned, user: User): boolean => covers(rights.read, member, user),
      /** The rules of a class leave the file with it. What they kept from users must not become everyone's by that. */
      mayReadOf: (className: string, member: Owned, user: User): boolean =>
        (rules === undefined || inFile.has(className)) && covers(readRight(className), member, user),
      /** 403 where the member is another user's and only an owner may. */
      requireRight(operation: AnyOperation, member: Owned, user: User): void {
        if (rightOf(operation) === 'own' && !isOwn(member, user)) throw refusal(operation, true)
      },
      /** Whose members a list shows. */
      listedOwner: (user: User): number | undefined =>
        ownerFilter(rights.list === 'own' && rights.read === 'any' ? 'own' : rights.read, user),
      /** Restricts links to targets that the user may read: the store takes any other for a dangling link. */
      limitLinks<T extends MemberContent>(written: T, user: User): T {
        if (rules === undefined || written.links.length === 0) return written
        const links = written.links.map((link) => {
          const targetOwner = readOwner(link.className, user)
          return targetOwner === undefined ? link : { ...link, targetOwner }
        })
        return { ...written, links }
      },
    }
  }
}

/** How many sets of roles have their resources cached; the oldest is evicted. */
const MAX_SETS = 64

/** Calls `make` once for each set of roles that users have; without rules, once for all users. */
export function memoizeByRoles<T>(
  rules: AccessRules | undefined,
  make: (userRoles: readonly string[]) => T,
): (user: User) => T {
  const withoutRoles = make([])
  if (rules === undefined) return () => withoutRoles
  const cache = new BoundedMap<string, T>(MAX_SETS)
  return (user) => {
    const userRoles = rules.roles.filter((role) => user?.roles.includes(role))
    if (userRoles.length === 0) return withoutRoles
    return cache.getOrInsertComputed(userRoles.join(' '), () => make(userRoles))
  }
}
