import type { FileProblem } from './file-problems.ts'
import {
  type AccessRules,
  type Class,
  type CustomOperation,
  type Grantees,
  type Model,
  OPERATIONS,
  type Operation,
  type RuleName,
} from './model.ts'
import { withoutUnlisted } from './reverse-links.ts'

export const EVERYONE: Grantees = { everyone: true, owner: false, roles: [] }

export const NO_RULES: AccessRules = { roles: [], file: new Map(), classes: new Map() }

/** Grantees that are not roles. */
export const RESERVED_GRANTEES = ['everyone', 'owner', 'nobody']

/** Reads the names in a rule. `refuse` takes a problem, and the index of the name that has it. */
export function readGrantees(
  names: readonly unknown[],
  roles: readonly string[],
  refuse: (problem: FileProblem, index?: number) => void,
): Grantees {
  const known = [...roles, ...RESERVED_GRANTEES]
  for (const [index, name] of names.entries()) {
    if (known.includes(name as string)) continue
    const values = { name: typeof name === 'string' ? name : undefined, known }
    refuse({ code: 'UnknownGrantee', values }, index)
  }
  if (names.length === 0) refuse({ code: 'NoGrantee', values: {} })
  if (names.includes('nobody') && names.length > 1) refuse({ code: 'NobodyAndOthers', values: {} })
  return {
    everyone: names.includes('everyone'),
    owner: names.includes('owner'),
    roles: [...new Set((names as string[]).filter((name) => roles.includes(name)))],
  }
}

/** The rules for an operation, the most specific first (access.md, In the API file). */
export const ruleNamesOf = (operation: Operation): readonly RuleName[] => [
  operation,
  operation === 'list' || operation === 'read' ? 'view' : 'write',
  'all',
]

/** The first rule applies: that of the class, then that of the file. Without a rule, everyone may. */
export function whoMay(rules: AccessRules | undefined, className: string, operation: Operation): Grantees {
  const { file, classes } = rules ?? NO_RULES
  const names = ruleNamesOf(operation)
  const declared = [classes.get(className), file].flatMap((some) => names.map((name) => some?.get(name)))
  return declared.find((grantees) => grantees !== undefined) ?? EVERYONE
}

/** Whether some users list only their own members. */
export const isListedByOwner = (rules: AccessRules | undefined, className: string): boolean =>
  (['list', 'read'] as const).some((operation) => whoMay(rules, className, operation).owner)

/** Which members an operation is allowed on: any, those that the user owns, or none. */
export type Right = 'any' | 'own' | 'none'

export type Rights = Readonly<Record<Operation, Right>>

export function rightTo({ everyone, owner, roles }: Grantees, userRoles: readonly string[]): Right {
  if (everyone || roles.some((role) => userRoles.includes(role))) return 'any'
  return owner ? 'own' : 'none'
}

/** What a set of roles may do with the members of a class. */
export function rightsOf(
  rules: AccessRules | undefined,
  className: string,
  userRoles: readonly string[],
): Rights {
  const rightFor = (operation: Operation) => rightTo(whoMay(rules, className, operation), userRoles)
  return Object.fromEntries(OPERATIONS.map((operation) => [operation, rightFor(operation)])) as Rights
}

/** The custom operations that the users of a permitted model may carry out. */
export const permittedOperations = ({ customOperations = [] }: Class): readonly CustomOperation[] =>
  customOperations.filter(({ isRefused }) => isRefused !== true)

/** The names of the classes that permitted custom operations expect and return. */
export const namesSent = (classes: readonly Class[]): ReadonlySet<string | undefined> =>
  new Set(classes.flatMap(permittedOperations).flatMap(({ expects, returns }) => [expects, returns]))

/** The operations on one member. */
export const MEMBER_OPERATIONS = ['read', 'update', 'replace', 'delete'] as const

export const markOwned = (classes: readonly Class[], rules: AccessRules | undefined): Class[] =>
  classes.map((cls) => {
    const isOwned = MEMBER_OPERATIONS.some(
      (operation) => cls.operations.has(operation) && whoMay(rules, cls.name, operation).owner,
    )
    return isOwned ? { ...cls, isOwned } : cls
  })

/** The class with only some of its operations. */
export const withOperations = (cls: Class, isWanted: (operation: Operation) => boolean): Class => ({
  ...cls,
  operations: new Set([...cls.operations].filter(isWanted)),
})

/** A class none of whose members the users may see has no addresses either. */
const UNADDRESSED = { collection: undefined, reverseLinks: [] }

/**
 * The part of the model that a set of roles may see. A class without any allowed operation is in it only as the range of
 * another class's property, and then without properties (access.md, On the wire).
 */
export function permittedModel(model: Model, userRoles: readonly string[]): Model {
  const { access } = model
  if (access === undefined) return model
  const shownClasses = model.classes.map((cls) => {
    const rights = rightsOf(access, cls.name, userRoles)
    const shown = withOperations(cls, (operation) => rights[operation] !== 'none')
    if (cls.customOperations === undefined) return shown
    const isShown = ({ grantees }: CustomOperation) =>
      rights.read !== 'none' && rightTo(grantees, userRoles) !== 'none'
    const customOperations = cls.customOperations.map((one) =>
      isShown(one) ? one : { ...one, isRefused: true as const },
    )
    return { ...shown, customOperations }
  })
  const permitted = withoutUnlisted(shownClasses)
  const isUsable = (cls: Class) => cls.operations.size > 0 || permittedOperations(cls).length > 0
  // Classes that permitted custom operations expect or return are always described.
  const sent = namesSent(permitted)
  const linked = new Set<string>()
  const embedded = new Set<string>()
  const described = new Set(permitted.filter((cls) => isUsable(cls) || sent.has(cls.name)))
  // A class that is added while the set is iterated is visited too.
  for (const { properties } of described)
    for (const { range } of properties) {
      if (range.kind === 'link') linked.add(range.className)
      if (range.kind !== 'embedded') continue
      embedded.add(range.cls.name)
      described.add(range.cls)
    }
  const classes = permitted.flatMap((cls): Class[] => {
    if (isUsable(cls) || embedded.has(cls.name)) return [cls]
    if (sent.has(cls.name)) return [{ ...cls, ...UNADDRESSED }]
    return linked.has(cls.name) ? [{ ...cls, ...UNADDRESSED, properties: [] }] : []
  })
  return { ...model, classes }
}
