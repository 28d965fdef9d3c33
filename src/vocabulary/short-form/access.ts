import {
  EVERYONE,
  hasPropertyRules,
  NO_RULES,
  NOBODY,
  RESERVED_GRANTEES,
  readGrantees,
  rightTo,
  ruleNamesOf,
  whoMay,
} from '../access/access.ts'
import { accountSteps, listAccountPaths, readAccountPath } from '../access/account-paths.ts'
import type { FileProblem } from '../file-problems.ts'
import {
  type AccessRules,
  type AccountRules,
  type Class,
  type Grantees,
  hasCollection,
  type Operation,
  RULE_NAMES,
  RULED_OPERATIONS,
  type RuledOperation,
  type RuleName,
  type Rules,
  storedClasses,
} from '../model.ts'
import { ROLE } from '../names.ts'
import { type FileEntries, type FileEntry, type FileValue, readEntries } from './yaml.ts'

export interface AccessSources {
  /** The entries of the file and of each of its classes, which may have `roles` and `access`. */
  readonly entries: FileEntries
  readonly ofClasses: Iterable<readonly [className: string, entries: FileEntries]>
  readonly classes: readonly Class[]
  /** The roles that this file declares, and those of the API file beside it. */
  readonly roles: readonly string[]
  /** The rules of the API file, if an access file is read beside it. */
  readonly before?: AccessRules | undefined
}

/** Reads who may do what (access.md, In the API file); undefined if the file has no rules. */
export function readAccess({
  entries,
  ofClasses,
  classes,
  roles,
  before,
}: AccessSources): AccessRules | undefined {
  const [declared, access] = [entries.get('roles'), entries.get('access')]
  const narrower = [...ofClasses].flatMap(([name, said]) => {
    const entry = said.get('access')
    return entry === undefined ? [] : [{ name, entry }]
  })
  const stored = storedClasses({ classes })
  if ((declared ?? access) === undefined && narrower.length === 0 && !stored.some(hasPropertyRules))
    return before
  const known = before ?? NO_RULES
  /** The position of each rule, for problems that are found when all rules are known. */
  const positions = new Map<Grantees, FileValue>()
  if (access !== undefined && known.file.size > 0) access.key.problem('RulesTwice', { className: undefined })
  const own = narrower.map(({ name, entry }) => {
    if (known.classes.has(name)) entry.key.problem('RulesTwice', { className: name })
    const cls = stored.find((one) => one.name === name)
    if (cls === undefined && classes.some((one) => one.name === name))
      entry.key.problem('RulesOfEmbedded', { className: name })
    const readPath = (path: string) => cls !== undefined && readAccountPath(classes, cls, path)
    const listPaths = () => (cls && hasCollection(cls) ? listAccountPaths(classes, cls) : [])
    return [name, readRules(entry, { roles, positions, readPath, listPaths, cls })] as const
  })
  const isSomewhere = (path: string) => stored.some((cls) => accountSteps(classes, cls, path) !== undefined)
  const rules = {
    roles,
    file: access === undefined ? known.file : readRules(access, { roles, positions, readPath: isSomewhere }),
    classes: new Map([...known.classes, ...own]),
  }
  // The rules for accounts are checked elsewhere.
  for (const cls of stored) if (!cls.isBuiltIn) checkClass(cls, classes, rules, positions)
  return rules
}

/** The roles that the file declares, and those of the API file beside it. */
export function rolesIn(entries: FileEntries, { roles }: AccessRules = NO_RULES): readonly string[] {
  const declared = entries.get('roles')
  return [...new Set([...roles, ...(declared ? readRoles(declared) : [])])]
}

function readRoles({ value }: FileEntry): string[] {
  const roles: string[] = []
  for (const element of value.elements) {
    const role = element.json
    if (typeof role !== 'string' || !ROLE.test(role)) element.problem('InvalidRole')
    else if (RESERVED_GRANTEES.includes(role)) element.problem('ReservedRole', { role })
    else if (roles.includes(role)) element.problem('DuplicateRole', { role })
    // A role that is refused is still known, so that its rules are not refused as well.
    if (typeof role === 'string') roles.push(role)
  }
  return roles
}

type WhoContext = Omit<Parameters<typeof readGrantees>[1], 'refuse'>

interface RuleContext extends WhoContext {
  readonly positions: Map<Grantees, FileValue>
  /** The class that the rules are for; undefined where they are for every class. */
  readonly cls?: Class | undefined
}

function readRules({ value }: FileEntry, context: RuleContext): Rules {
  const { positions, cls } = context
  const served = cls === undefined ? RULED_OPERATIONS : servedBy(cls)
  const rules = new Map<RuleName, Grantees>()
  const entries = readEntries(value, { kind: 'access' }, RULE_NAMES)
  // The rule that decides about creating, in which no owner can stand.
  const forCreate = served.includes('create') && ruleNamesOf('create').find((name) => entries.has(name))
  for (const { name, key, value: said } of entries.values()) {
    const isServed = (operation: string) => served.some((one) => one === operation)
    if (RULED_OPERATIONS.some((operation) => operation === name) && !isServed(name))
      key.problem('RuleWithoutOperation', { operation: name })
    const isView = VIEWS.includes(name)
    const isOwned = name !== forCreate && (cls === undefined || hasCollection(cls))
    const unfit = [...(isView ? [] : ['anyone']), ...(isOwned ? [] : ['owner'])]
    const grantees = readWho(said, { ...context, unfit })
    if (grantees?.anyone && !isView) said.problem('AnyoneOnlyReads')
    // A rule that is refused causes no other problem.
    rules.set(name as RuleName, grantees ?? EVERYONE)
    if (grantees !== undefined) positions.set(grantees, said)
  }
  return rules
}

/** The operations of the class, and reading the history of its members. */
const servedBy = ({ operations, history }: Class): readonly RuledOperation[] => [
  ...operations,
  ...(history === undefined ? [] : (['history'] as const)),
]

const VIEWS: readonly string[] = ['list', 'read', 'history', 'view']

/** The grantees that a value names; undefined if it is refused. */
export function readWho(said: FileValue, context: WhoContext): Grantees | undefined {
  const elements = said.isEmpty ? [] : said.elements
  let isRefused = false
  const refuse = (problem: FileProblem, index = -1) => {
    isRefused = true
    const at = elements[index] ?? said
    at.add(problem)
  }
  const names = elements.map(({ json }) => json)
  const grantees = readGrantees(names, { ...context, refuse })
  return isRefused ? undefined : grantees
}

const ACCOUNT_RULES = ['manage', 'view', 'rename'] as const

/** The words that cannot stand in each of them. */
const UNFIT_FOR_ACCOUNTS = {
  manage: ['anyone', 'owner', 'everyone'],
  view: ['anyone', 'owner'],
  rename: ['anyone', 'owner'],
} as const satisfies Record<keyof AccountRules, readonly string[]>

/** Who manages accounts, and who sees them (people.md, Accounts); undefined if the file does not say. */
export function readAccounts(entries: FileEntries, roles: readonly string[]): AccountRules | undefined {
  const entry = entries.get('accounts')
  if (entry === undefined) return undefined
  const said = readEntries(entry.value, { kind: 'accounts' }, ACCOUNT_RULES)
  const [manage, view, rename] = ACCOUNT_RULES.map((name) => {
    const value = said.get(name)?.value
    const grantees = value && readWho(value, accountContext(name, roles))
    const unfit = grantees && UNFIT_FOR_ACCOUNTS[name].find((word) => grantees[word])
    if (unfit !== undefined) value?.problem('AccountRuleUnfit', { rule: name, who: unfit })
    return unfit === undefined ? grantees : undefined
  })
  return { manage: manage ?? NOBODY, view: view ?? NOBODY, rename: rename ?? NOBODY }
}

function accountContext(rule: keyof AccountRules, roles: readonly string[]): WhoContext {
  const unfit = UNFIT_FOR_ACCOUNTS[rule]
  if (rule !== 'rename') return { roles, unfit }
  // A role is refused as such whether it is declared or not: declaring it would not help.
  const readPath = (who: string) => ({ code: 'AccountRuleUnfit', values: { rule, who } }) as const
  return { roles: [], readPath, unfit }
}

/** Reports problems that need all rules, each once, at the rule that causes it. */
function checkClass(
  cls: Class,
  classes: readonly Class[],
  rules: AccessRules,
  positions: ReadonlyMap<Grantees, FileValue>,
): void {
  const may = (operation: RuledOperation) => whoMay(rules, cls.name, operation)
  for (const [rule, operations] of Map.groupBy(servedBy(cls), may)) {
    const at = positions.get(rule)
    const missing = rule.paths.find((path) => accountSteps(classes, cls, path) === undefined)
    if (missing !== undefined) at?.problem('PathNotInClass', { path: missing, className: cls.name })
    else if (rule.paths.length > 0 && !hasCollection(cls))
      at?.problem('PathOfSingle', { className: cls.name })
    if (rule.owner && !hasCollection(cls)) at?.problem('NoOwnerOfSingle', { className: cls.name })
    else if (rule.owner && operations.includes('create'))
      at?.problem('OwnerCannotCreate', { collection: cls.collection })
    const changes = CHANGES.filter((operation) => operations.includes(operation))
    const who = cls.operations.has('read') ? blindTo(may('read'), rule) : undefined
    if (who !== undefined && changes.length > 0)
      at?.problem('ChangeWithoutRead', { who, operations: changes, what: cls.collection ?? cls.name })
  }
}

const CHANGES: readonly Operation[] = ['update', 'replace', 'delete']

/** A grantee that may act on members but not see them: a role, a path, or a word for others. */
export function blindTo(see: Grantees, act: Grantees): string | undefined {
  if (see.anyone) return undefined
  if (act.anyone) return 'anyone'
  if (see.everyone) return undefined
  if (act.everyone) return 'everyone'
  return (
    act.roles.find((role) => rightTo(see, [role]) !== 'any') ??
    (act.owner && !see.owner ? 'owner' : undefined) ??
    act.paths.find((path) => !see.paths.includes(path))
  )
}
