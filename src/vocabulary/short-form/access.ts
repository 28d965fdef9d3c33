import { suggestion } from '../../text.ts'
import { rightTo, ruleNamesOf, WHO_WORDS, whoMay, whoOf } from '../access.ts'
import {
  type AccessRules,
  type Class,
  hasCollection,
  OPERATIONS,
  type Operation,
  type RuleName,
  type Rules,
  storedClasses,
  type Who,
} from '../model.ts'
import { RULE_NAMES } from './keys.ts'
import { type Entries, type Entry, readEntries, type Value } from './yaml.ts'

const ROLE = /^[a-z][a-z0-9-]{0,63}$/

export interface AccessParts {
  /** Of the file: `roles` and `access` are looked for. */
  readonly entries: Entries
  /** The `access` of each class that has one. */
  readonly ofClasses: ReadonlyMap<string, Entry>
  readonly classes: readonly Class[]
  /** What another file has said already. */
  readonly before?: AccessRules | undefined
}

/** Who may do what (access.md, In the API file); undefined where nothing is said. */
export function readAccess({ entries, ofClasses, classes, before }: AccessParts): AccessRules | undefined {
  const [declared, access] = [entries.get('roles'), entries.get('access')]
  if (declared === undefined && access === undefined && ofClasses.size === 0) return before
  const roles = [...new Set([...(before?.roles ?? []), ...(declared ? readRoles(declared) : [])])]
  /** Where each rule stands, for what is found when all of them are known. */
  const places = new Map<Who, Value>()
  const read = (entry: Entry, has: (operation: Operation) => boolean) => readRules(entry, roles, has, places)
  if (access !== undefined && before !== undefined && before.file.size > 0)
    access.key.problem('the API file has access rules for all classes already; keep one of them')
  const own = new Map<string, Rules>()
  for (const [name, entry] of ofClasses) {
    if (before?.classes.has(name))
      entry.key.problem(`the API file has access rules for ${name} already; keep one of them`)
    const cls = storedClasses({ classes }).find((one) => one.name === name)
    if (cls === undefined && classes.some((one) => one.name === name))
      entry.key.problem(`${name} has no operations of its own: who may do what is said where it is embedded`)
    own.set(
      name,
      read(entry, (operation) => cls?.operations.has(operation) ?? true),
    )
  }
  const rules = {
    roles,
    file: access === undefined ? (before?.file ?? new Map()) : read(access, () => true),
    classes: new Map([...(before?.classes ?? []), ...own]),
  }
  for (const cls of storedClasses({ classes })) checkClass(cls, rules, places)
  return rules
}

function readRoles({ value }: Entry): string[] {
  const roles: string[] = []
  for (const element of value.elements) {
    const role = element.json
    if (typeof role !== 'string' || !ROLE.test(role))
      element.problem(
        'a role must be a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter',
      )
    else if (WHO_WORDS.includes(role))
      element.problem(`a role cannot be called "${role}", which has a meaning of its own in access rules`)
    else if (roles.includes(role)) element.problem(`"${role}" is in the roles twice; keep one of them`)
    else roles.push(role)
  }
  return roles
}

function readRules(
  { value }: Entry,
  roles: readonly string[],
  has: (operation: Operation) => boolean,
  places: Map<Who, Value>,
): Rules {
  const rules = new Map<RuleName, Who>()
  for (const { name, key, value: said } of readEntries(value, '"access"', RULE_NAMES).values()) {
    const operation = OPERATIONS.find((known) => known === name)
    if (operation !== undefined && !has(operation))
      key.problem(`the class does not have the operation ${name}; see its "operations"`)
    const who = readWho(said, roles)
    rules.set(name as RuleName, who)
    places.set(who, said)
  }
  return rules
}

function readWho(value: Value, roles: readonly string[]): Who {
  const known = [...roles, ...WHO_WORDS]
  const names = value.elements.flatMap((element): string[] => {
    const name = element.json
    if (typeof name === 'string' && known.includes(name)) return [name]
    const given = typeof name === 'string' ? `"${name}"` : 'this'
    element.problem(
      `${given} is neither a declared role nor ${WHO_WORDS.join(', ')}; ${suggestion(String(name), known)}`,
    )
    return []
  })
  if (value.isEmpty || value.elements.length === 0)
    value.problem('an empty list says nothing; write nobody, everyone or roles')
  if (names.includes('nobody') && names.length > 1)
    value.problem('"nobody" stands alone: nobody else may be beside it')
  return whoOf(names)
}

/** What only shows when all rules are known, at the rule that it comes from. */
function checkClass(cls: Class, rules: AccessRules, places: ReadonlyMap<Who, Value>): void {
  const may = (operation: Operation) => whoMay(rules, cls.name, operation)
  const problem = (operation: Operation, message: string) => places.get(may(operation))?.problem(message)
  for (const operation of cls.operations) {
    if (!may(operation).owner) continue
    if (!hasCollection(cls))
      problem(operation, `${cls.name} is a single resource, which has no owner: name roles or everyone`)
    else if (operation === 'create')
      problem(operation, `"owner" says nothing about who may create ${cls.collection}: ${CREATE}`)
  }
  if (!cls.operations.has('read')) return
  for (const operation of ['update', 'replace', 'delete'] as const) {
    if (!cls.operations.has(operation)) continue
    const blind = blindTo(may('read'), may(operation))
    if (blind !== undefined)
      problem(
        operation,
        `${blind} may ${operation} ${cls.collection ?? cls.name} and not read: allow both or neither`,
      )
  }
}

const CREATE = `what is created has no owner yet; say it in "create", which counts before ${ruleNamesOf('create').slice(1).join(' and ')}`

/** Somebody who may change what it may not read. */
function blindTo(read: Who, change: Who): string | undefined {
  if (read.everyone) return undefined
  if (change.everyone) return 'everyone'
  return (
    change.roles.find((role) => rightTo(read, [role]) !== 'any') ??
    (change.owner && !read.owner ? 'the owner' : undefined)
  )
}
