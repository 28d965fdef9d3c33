import { EVERYONE, NO_RULES, RESERVED_GRANTEES, readGrantees, rightTo, whoMay } from '../access.ts'
import type { FileProblem } from '../file-problems.ts'
import {
  type AccessRules,
  type Class,
  type Grantees,
  hasCollection,
  OPERATIONS,
  type Operation,
  RULE_NAMES,
  type RuleName,
  type Rules,
  storedClasses,
} from '../model.ts'
import { ROLE } from '../names.ts'
import { type FileEntries, type FileEntry, type FileValue, readEntries } from './yaml.ts'

interface AccessSources {
  /** The entries of the file and of each of its classes, which may have `roles` and `access`. */
  readonly entries: FileEntries
  readonly ofClasses: Iterable<readonly [className: string, entries: FileEntries]>
  readonly classes: readonly Class[]
  /** The rules of the API file, if an access file is read beside it. */
  readonly before?: AccessRules | undefined
}

/** Reads who may do what (access.md, In the API file); undefined if the file has no rules. */
export function readAccess({ entries, ofClasses, classes, before }: AccessSources): AccessRules | undefined {
  const [declared, access] = [entries.get('roles'), entries.get('access')]
  const narrower = [...ofClasses].flatMap(([name, said]) => {
    const entry = said.get('access')
    return entry === undefined ? [] : [{ name, entry }]
  })
  if (declared === undefined && access === undefined && narrower.length === 0) return before
  const known = before ?? NO_RULES
  const roles = [...new Set([...known.roles, ...(declared ? readRoles(declared) : [])])]
  /** The position of each rule, for problems that are found when all rules are known. */
  const positions = new Map<Grantees, FileValue>()
  if (access !== undefined && known.file.size > 0) access.key.problem('RulesTwice', { className: undefined })
  const stored = storedClasses({ classes })
  const own = narrower.map(({ name, entry }) => {
    if (known.classes.has(name)) entry.key.problem('RulesTwice', { className: name })
    const cls = stored.find((one) => one.name === name)
    if (cls === undefined && classes.some((one) => one.name === name))
      entry.key.problem('RulesOfEmbedded', { className: name })
    return [name, readRules(entry, roles, positions, cls?.operations)] as const
  })
  const rules = {
    roles,
    file: access === undefined ? known.file : readRules(access, roles, positions),
    classes: new Map([...known.classes, ...own]),
  }
  for (const cls of stored) checkClass(cls, rules, positions)
  return rules
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

/** `served`: the operations of the class. */
function readRules(
  { value }: FileEntry,
  roles: readonly string[],
  positions: Map<Grantees, FileValue>,
  served: ReadonlySet<string> = new Set(OPERATIONS),
): Rules {
  const rules = new Map<RuleName, Grantees>()
  for (const { name, key, value: said } of readEntries(value, { kind: 'access' }, RULE_NAMES).values()) {
    if (OPERATIONS.some((operation) => operation === name) && !served.has(name))
      key.problem('RuleWithoutOperation', { operation: name })
    const elements = said.isEmpty ? [] : said.elements
    let isRefused = false
    const refuse = (problem: FileProblem, index = -1) => {
      isRefused = true
      const at = elements[index] ?? said
      at.add(problem)
    }
    const names = elements.map(({ json }) => json)
    const grantees = readGrantees(names, roles, refuse)
    // A rule that is refused causes no other problem.
    rules.set(name as RuleName, isRefused ? EVERYONE : grantees)
    if (!isRefused) positions.set(grantees, said)
  }
  return rules
}

/** Reports problems that need all rules, each once, at the rule that causes it. */
function checkClass(cls: Class, rules: AccessRules, positions: ReadonlyMap<Grantees, FileValue>): void {
  const may = (operation: Operation) => whoMay(rules, cls.name, operation)
  for (const [rule, operations] of Map.groupBy(cls.operations, may)) {
    const at = positions.get(rule)
    if (rule.owner && !hasCollection(cls)) at?.problem('NoOwnerOfSingle', { className: cls.name })
    else if (rule.owner && operations.includes('create'))
      at?.problem('OwnerCannotCreate', { collection: cls.collection })
    const changes = operations.filter((operation) => CHANGES.includes(operation))
    const who = cls.operations.has('read') ? blindTo(may('read'), rule) : undefined
    if (who !== undefined && changes.length > 0)
      at?.problem('ChangeWithoutRead', { who, operations: changes, what: cls.collection ?? cls.name })
  }
}

const CHANGES: readonly Operation[] = ['update', 'replace', 'delete']

/** A role, or the owner, that may change members but not read them. */
function blindTo(read: Grantees, change: Grantees): string | undefined {
  if (read.everyone) return undefined
  if (change.everyone) return 'everyone'
  return (
    change.roles.find((role) => rightTo(read, [role]) !== 'any') ??
    (change.owner && !read.owner ? 'owner' : undefined)
  )
}
