import type { Principal } from '../auth/index.ts'
import { BoundedMap } from '../bounded-map.ts'
import { HttpError } from '../errors.ts'
import { createSeal, PLAIN, type Seal } from '../seal.ts'
import type { Link, StoredMember, Written } from '../store/index.ts'
import {
  type AccessRules,
  ALL_RIGHTS,
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
type User = Principal | undefined
type AnyOperation = Operation | OwnOperation

const isOwn = ({ owner }: Owned, user: User): boolean => owner !== undefined && owner === user?.number

/** What one set of roles may do with the members of a class (access.md, On the wire). */
export interface Access {
  readonly rights: Rights
  /**
   * Versions in ETags and sequence numbers in cursors, which are numbers of the class: users who may not read all of its
   * members would see from them how much others write.
   */
  readonly versions: Seal
  readonly sequences: Seal
  rightTo(operation: AnyOperation): Right
  /** 403 that says who may. `one`: of a member that the user may read. */
  refusal(operation: AnyOperation, one?: boolean): HttpError
  isOwn(member: Owned, user: User): boolean
  /** Where not, the member is not there for this user. */
  mayRead(member: Owned, user: User): boolean
  /** 403 where the member is another user's and only an owner may. */
  requireRight(operation: AnyOperation, member: Owned, user: User): void
  /** Whose members a list shows: undefined for those of all, 0 for none. */
  listedOwner(user: User): number | undefined
  /** What is written, with its links to members that the user may not read as links to nothing. */
  limitLinks<T extends Written>(written: T, user: User): T
  /** As `mayRead`, of a class by its name, whether or not the API file shows it. */
  mayReadOf(className: string, member: Owned, user: User): boolean
  /** Whose members of a class the user may read: undefined for those of all, 0 for none. */
  readOwner(className: string, user: User): number | undefined
  /** Of which members of a class that depends. */
  readRight(className: string): Right
}

/** How much may be done by users with these roles, by class. `secret`: as for a seal. */
export function createAccess(
  { access: rules }: Model,
  held: readonly string[],
  secret: Buffer,
): (cls: Class) => Access {
  const known = new Map<string, Rights>()
  const rightsWith = (className: string): Rights => {
    if (rules === undefined) return ALL_RIGHTS
    const found = known.get(className) ?? rightsOf(rules, className, held)
    known.set(className, found)
    return found
  }
  const mayReadOf: Access['mayReadOf'] = (className, member, user) => {
    const { read } = rightsWith(className)
    return read === 'any' || (read === 'own' && isOwn(member, user))
  }

  function readOwner(className: string, user: User): number | undefined {
    const { read } = rightsWith(className)
    if (read === 'any') return undefined
    return read === 'own' ? (user?.number ?? 0) : 0
  }

  function limited(link: Link, user: User): Link {
    const targetOwner = readOwner(link.className, user)
    return targetOwner === undefined ? link : { ...link, targetOwner }
  }

  /** Where all may be read a sealed number is understood too, since roles change; elsewhere a plain one would be a guess. */
  function sealFor({ name }: Class, what: string): Seal {
    if (rules === undefined) return PLAIN
    const sealed = createSeal(secret, `${what} of ${name}`)
    if (rightsWith(name).read !== 'any') return sealed
    return { seal: PLAIN.seal, open: (text) => PLAIN.open(text) ?? sealed.open(text) }
  }

  return (cls) => {
    const rights = rightsWith(cls.name)
    const isOfOwn = rights.list === 'own' || rights.read !== 'any'

    function refusal(operation: AnyOperation, one = false): HttpError {
      if (rules === undefined) throw new Error('Without rules nothing is refused.')
      const isOfApi = typeof operation === 'string'
      const who = isOfApi ? whoMay(rules, cls.name, operation) : operation.who
      return new HttpError(403, refusalOf(who, isOfApi ? operation : operation.name, cls, one))
    }

    const rightOf = (operation: AnyOperation): Right =>
      typeof operation === 'string' ? rights[operation] : rightTo(operation.who, held)

    return {
      rights,
      rightTo: rightOf,
      versions: sealFor(cls, 'version'),
      sequences: sealFor(cls, 'sequence'),
      refusal,
      isOwn,
      mayReadOf,
      readOwner,
      readRight: (className) => rightsWith(className).read,
      mayRead: (member, user) => rights.read === 'any' || (rights.read === 'own' && isOwn(member, user)),
      requireRight(operation, member, user) {
        if (rightOf(operation) === 'own' && !isOwn(member, user)) throw refusal(operation, true)
      },
      listedOwner(user) {
        if (!isOfOwn) return undefined
        return rights.read === 'none' ? 0 : (user?.number ?? 0)
      },
      limitLinks(written, user) {
        if (rules === undefined || written.links.length === 0) return written
        return { ...written, links: written.links.map((link) => limited(link, user)) }
      },
    }
  }
}

/** So many sets of roles have their resources ready; further ones take the place of those made longest ago. */
const MOST_SETS = 64

/** What is made once for each set of roles; without rules once for all. */
export function byRoles<T>(
  rules: AccessRules | undefined,
  make: (held: readonly string[]) => T,
): (user: User) => T {
  const ofNone = make([])
  if (rules === undefined) return () => ofNone
  const made = new BoundedMap<string, T>(MOST_SETS)
  return (user) => {
    const held = rules.roles.filter((role) => user?.roles.includes(role))
    if (held.length === 0) return ofNone
    const key = held.join(' ')
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(held)
    made.set(key, fresh)
    return fresh
  }
}
