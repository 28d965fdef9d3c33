import { whoMay } from '../access/access.ts'
import { listAccountPaths, readAccountPath } from '../access/account-paths.ts'
import { fingerprintOf } from '../finish-classes.ts'
import { type AccessRules, type Class, embeddedNames, type Property } from '../model.ts'
import { blindTo, readWho } from './access.ts'
import type { FileEntry, FileValue } from './yaml.ts'

/** The entries of the properties of a class. */
interface PropertySource {
  readonly name: string
  readonly properties: readonly FileEntry[]
}

const RULES = ['view', 'write'] as const

/** The classes with the rules of their properties (people.md, Properties for some). */
export function withPropertyRules(
  classes: readonly Class[],
  sources: readonly PropertySource[],
  roles: readonly string[],
): Class[] {
  const embedded = embeddedNames(classes)
  return classes.map((cls) => {
    const source = sources.find(({ name }) => name === cls.name)
    const rules = new Map<string, Pick<Property, 'view' | 'write'>>()
    for (const { name, value } of source?.properties ?? []) {
      const readPath = (path: string) => readAccountPath(classes, cls, path)
      const listPaths = () => listAccountPaths(classes, cls)
      const read = RULES.flatMap((rule) => {
        const said = value.find(rule)
        if (said === undefined) return []
        const isEmbedded = embedded.has(cls.name)
        if (isEmbedded) said.problem('RuleWithinEmbedded', { name, className: cls.name })
        const unfit = rule === 'write' ? ['anyone'] : []
        const who = readWho(said, { roles, readPath, listPaths, unfit })
        const isUnfit = rule === 'write' && who?.anyone === true
        if (isUnfit) said.problem('AnyoneOnlyReads')
        // A rule that is refused causes no other problem.
        return who === undefined || isEmbedded || isUnfit ? [] : [[rule, who] as const]
      })
      if (read.length > 0) rules.set(name, Object.fromEntries(read))
    }
    if (rules.size === 0) return cls
    const properties = cls.properties.map((one) => ({ ...one, ...rules.get(one.name) }))
    // Rules decide how the words of texts are stored.
    return { ...cls, properties, fingerprint: fingerprintOf({ ...cls, properties }, cls.within) }
  })
}

/** Reports the problems of rules that need those of the class, at the property that has them. */
export function checkPropertyRules(
  classes: readonly Class[],
  rules: AccessRules | undefined,
  sources: readonly PropertySource[],
): void {
  for (const { name, properties } of sources) {
    const cls = classes.find((one) => one.name === name)
    if (cls === undefined) continue
    for (const entry of properties) {
      const property = cls.properties.find((one) => one.name === entry.name)
      if (property?.view !== undefined || property?.write !== undefined)
        checkRules(property, cls, rules, entry)
    }
  }
}

function checkRules(
  property: Property,
  cls: Class,
  rules: AccessRules | undefined,
  { key, value }: FileEntry,
): void {
  const { name, required, label } = { ...property, label: cls.label }
  const at = (rule: 'view' | 'write'): FileValue => value.find(rule) ?? key
  const seen = whoMay(rules, cls.name, 'read')
  const view = property.view ?? seen
  const blind = property.write && blindTo(view, property.write)
  if (blind !== undefined) at('write').problem('WriteWithoutView', { name, who: blind })
  const creators = cls.operations.has('create') ? whoMay(rules, cls.name, 'create') : undefined
  const isFilled = property.default !== undefined || property.always !== undefined || !property.writable
  const barred = required && !isFilled && creators ? blindTo(property.write ?? view, creators) : undefined
  if (barred !== undefined)
    at(property.write === undefined ? 'view' : 'write').problem('RequiredUnwritable', { name, who: barred })
  const unlabelled = label.includes(name) ? blindTo(view, seen) : undefined
  if (unlabelled !== undefined) at('view').problem('LabelHidden', { name, who: unlabelled })
}
