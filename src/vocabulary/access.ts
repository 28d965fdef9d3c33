import type { AccessRules, Class, Operation, RuleName, Who } from './model.ts'

const EVERYONE: Who = { everyone: true, owner: false, roles: [] }

const GROUPS: Readonly<Record<Operation, RuleName>> = {
  list: 'view',
  read: 'view',
  create: 'write',
  update: 'write',
  replace: 'write',
  delete: 'write',
}

/** The rules that count for an operation, from the first on (access.md, In the API file). */
export const ruleNamesOf = (operation: Operation): readonly RuleName[] => [
  operation,
  GROUPS[operation],
  'all',
]

/** The first rule that says something counts: of the class, then of the file. */
export function whoMay({ file, classes }: AccessRules, className: string, operation: Operation): Who {
  const names = ruleNamesOf(operation)
  const declared = [classes.get(className), file].flatMap((rules) => names.map((name) => rules?.get(name)))
  return declared.find((who) => who !== undefined) ?? EVERYONE
}

/** What a set of roles may do: with any member, with those that the user owns, or with none. */
export type Right = 'any' | 'own' | 'none'

export type Rights = Readonly<Record<Operation, Right>>

export const ALL_RIGHTS: Rights = {
  list: 'any',
  read: 'any',
  create: 'any',
  update: 'any',
  replace: 'any',
  delete: 'any',
}

export function rightTo({ everyone, owner, roles }: Who, held: readonly string[]): Right {
  if (everyone || roles.some((role) => held.includes(role))) return 'any'
  return owner ? 'own' : 'none'
}

/** Says who may: `Only an editor or an author may create articles.` `one`: of a single member, which has an owner. */
export function refusalOf(who: Who, operation: Operation, cls: Class, one = false): string {
  const what = one ? 'this member' : (cls.collection ?? cls.title)
  const allowed = [...who.roles.map(withArticle), ...(who.owner ? ['its owner'] : [])]
  if (allowed.length === 0) return `Nobody may ${operation} ${what}.`
  const last = allowed.pop()
  const all = allowed.length === 0 ? last : `${allowed.join(', ')} or ${last}`
  return `Only ${all} may ${operation} ${what}.`
}

const withArticle = (role: string): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
