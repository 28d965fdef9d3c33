import type { FileProblem } from '../file-problems.ts'
import {
  type AccessRules,
  type Class,
  type CustomOperation,
  type Grantees,
  type Model,
  type Operation,
  RULED_OPERATIONS,
  type RuledOperation,
  type RuleName,
} from '../model.ts'

export const NOBODY: Grantees = { anyone: false, everyone: false, owner: false, roles: [], paths: [] }

export const EVERYONE: Grantees = { ...NOBODY, everyone: true }

export const NO_RULES: AccessRules = { roles: [], file: new Map(), classes: new Map() }

/** Grantees that are not roles. */
export const RESERVED_GRANTEES = ['anyone', 'everyone', 'owner', 'nobody']

interface GranteeContext {
  readonly roles: readonly string[]
  /** Whether this is a path to accounts, or why not; absent where no path can stand. */
  readPath?(name: string): boolean | FileProblem
  /** The paths that can stand there, for the suggestion in a problem. */
  listPaths?(): readonly string[]
  /** The words that cannot stand there, which no problem suggests. */
  readonly unfit?: readonly string[]
  /** Takes a problem, and the index of the name that has it. */
  refuse(problem: FileProblem, index?: number): void
}

/** Reads the names in a rule. */
export function readGrantees(
  names: readonly unknown[],
  { roles, readPath = () => false, listPaths = () => [], unfit = [], refuse }: GranteeContext,
): Grantees {
  const known = [...roles, ...RESERVED_GRANTEES]
  const listFitting = () => [
    ...roles,
    ...listPaths(),
    ...RESERVED_GRANTEES.filter((word) => !unfit.includes(word)),
  ]
  const paths: string[] = []
  for (const [index, name] of names.entries()) {
    if (known.includes(name as string)) continue
    const path = typeof name === 'string' && readPath(name)
    if (path === true) paths.push(name as string)
    else if (typeof path === 'object') refuse(path, index)
    else refuse({ code: 'UnknownGrantee', values: { name: textOf(name), known: listFitting() } }, index)
  }
  if (names.length === 0) refuse({ code: 'NoGrantee', values: {} })
  if (names.includes('nobody') && names.length > 1) refuse({ code: 'NobodyAndOthers', values: {} })
  const anyone = names.includes('anyone')
  return {
    anyone,
    everyone: anyone || names.includes('everyone'),
    owner: names.includes('owner'),
    roles: [...new Set((names as string[]).filter((name) => roles.includes(name)))],
    paths: [...new Set(paths)],
  }
}

const textOf = (name: unknown): string | undefined => (typeof name === 'string' ? name : undefined)

/** The rules for an operation, the most specific first (access.md, In the API file). */
export const ruleNamesOf = (operation: RuledOperation): readonly RuleName[] => [
  operation,
  isViewing(operation) ? 'view' : 'write',
  'all',
]

const isViewing = (operation: RuledOperation): boolean =>
  operation === 'list' || operation === 'read' || operation === 'history'

/**
 * The first rule applies: that of the class, then that of the file. Without a rule, everyone may; but a history is only
 * for users who may read the member.
 */
export function whoMay(
  rules: AccessRules | undefined,
  className: string,
  operation: RuledOperation,
): Grantees {
  const { file, classes } = rules ?? NO_RULES
  const names = ruleNamesOf(operation)
  const declared = [classes.get(className), file].flatMap((some) => names.map((name) => some?.get(name)))
  const found = declared.find((grantees) => grantees !== undefined)
  return found ?? (operation === 'history' ? whoMay(rules, className, 'read') : EVERYONE)
}

/** Whether properties of the class have rules of their own. */
export const hasPropertyRules = ({ properties }: Class): boolean =>
  properties.some(({ view, write }) => view !== undefined || write !== undefined)

/** Whether the class has custom operations that are not for everyone. */
export const hasLimitedOperations = ({ customOperations = [] }: Class): boolean =>
  customOperations.some(({ grantees }) => !grantees.everyone)

/** Whether rules say who may do what: an API that only declares roles lets every user do everything (access.md). */
export const hasRules = ({ access = NO_RULES, classes }: Model): boolean =>
  [access.file, ...access.classes.values()].some(({ size }) => size > 0) ||
  classes.some((cls) => hasPropertyRules(cls) || hasLimitedOperations(cls))

/** Whether some users list only their own members. */
export const isListedByOwner = (rules: AccessRules | undefined, className: string): boolean =>
  (['list', 'read'] as const).some((operation) => whoMay(rules, className, operation).owner)

/** The links to accounts by which some users list members. */
export function listedByLinks(rules: AccessRules | undefined, className: string): readonly string[] {
  const paths = (['list', 'read'] as const).flatMap((operation) => whoMay(rules, className, operation).paths)
  return [...new Set(paths)].filter((path) => !path.includes('.'))
}

/** The members on which an operation is allowed: any, none, or those with ties to the user. */
export type Right = 'any' | 'none' | Ties

/** How a member must belong to a user: one of these is enough. */
export interface Ties {
  /** The user owns the member. */
  readonly owner: boolean
  /** One of these paths leads to the account of the user. */
  readonly paths: readonly string[]
}

/** Whether the right depends on the member. */
export const isTied = (right: Right): right is Ties => typeof right === 'object'

export type Rights = Readonly<Record<RuledOperation, Right>>

/** `userRoles`: undefined for people who have not signed in. */
export function rightTo(
  { anyone, everyone, owner, roles, paths }: Grantees,
  userRoles: readonly string[] | undefined,
): Right {
  if (anyone) return 'any'
  if (userRoles === undefined) return 'none'
  if (everyone || roles.some((role) => userRoles.includes(role))) return 'any'
  return owner || paths.length > 0 ? { owner, paths } : 'none'
}

/** What a set of roles may do with the members of a class. */
export function rightsOf(
  rules: AccessRules | undefined,
  className: string,
  userRoles: readonly string[] | undefined,
): Rights {
  const rightFor = (operation: RuledOperation) => rightTo(whoMay(rules, className, operation), userRoles)
  return Object.fromEntries(RULED_OPERATIONS.map((operation) => [operation, rightFor(operation)])) as Rights
}

/** Whether the API file lets anyone read something without signing in (people.md, Anyone). */
export const isForAnyone = ({ classes, access }: Model): boolean =>
  classes.some((cls) => cls.operations.has('read') && whoMay(access, cls.name, 'read').anyone)

/** The custom operations that the users of a permitted model may carry out. */
export const permittedOperations = ({ customOperations = [] }: Class): readonly CustomOperation[] =>
  customOperations.filter(({ isRefused }) => isRefused !== true)

/** The names of the classes that permitted custom operations expect and return. */
export const namesSent = (classes: readonly Class[]): ReadonlySet<string | undefined> =>
  new Set(classes.flatMap(permittedOperations).flatMap(({ expects, returns }) => [expects, returns]))

/** The operations on one member. */
export const MEMBER_OPERATIONS = ['read', 'update', 'replace', 'delete'] as const

/** Whether some users have the right to some members only. */
const dependsOnMember = ({ owner, paths }: Grantees): boolean => owner || paths.length > 0

export const markOwned = (classes: readonly Class[], rules: AccessRules | undefined): Class[] =>
  classes.map((cls) => {
    const isOwned = MEMBER_OPERATIONS.some(
      (operation) => cls.operations.has(operation) && dependsOnMember(whoMay(rules, cls.name, operation)),
    )
    return isOwned ? { ...cls, isOwned } : cls
  })

/** The class with only some of its operations. */
export const withOperations = (cls: Class, isWanted: (operation: Operation) => boolean): Class => ({
  ...cls,
  operations: new Set([...cls.operations].filter(isWanted)),
})
