import { basename, extname } from 'node:path'
import type { ProblemPlace } from '../../problem.ts'
import { nearest } from '../../text.ts'
import { markOwned } from '../access/access.ts'
import { ACCOUNT_OUTLINE, accountClass } from '../accounts.ts'
import { type Conflict, findConflicts, findUnused } from '../conflicts.ts'
import type { ApiFile, ApiFileResult, Findings } from '../findings.ts'
import { finishClasses, type Outline } from '../finish-classes.ts'
import {
  ACCOUNT,
  type Class,
  linkedNames,
  type Model,
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
} from '../model.ts'
import { plural } from '../names.ts'
import { readAccess, readAccounts, rolesIn } from './access.ts'
import { readClassKeys, typedKeys } from './class-keys.ts'
import { withHistory } from './history.ts'
import { FILE_KEYS } from './keys.ts'
import { readProperty } from './property.ts'
import { checkPropertyRules, withPropertyRules } from './property-rules.ts'
import { readYaml } from './read-yaml.ts'
import { FileEntries, type FileEntry, type FileValue, readEntries } from './yaml.ts'

/**
 * Reads the short form of an API file (hypermedia.md, The API file): YAML, and so JSON too. `used`: classes that custom
 * operations expect or return.
 */
export function readShortForm(text: string, fileName: string, used: readonly unknown[] = []): ApiFileResult {
  const fileTitle = basename(fileName, extname(fileName))
  const { findings, value: model } = readYaml(text, 'EmptyApiFile', (root, found) =>
    readModel(root, fileTitle, found, used),
  )
  return findings.result(model)
}

/** Reads roles and access from a file beside the API file (access.md, In the API file). */
export function readAccessFile(text: string, { model, notes }: ApiFile): ApiFileResult {
  const { classes } = model
  const { findings, value: ruled } = readYaml(text, 'EmptyAccessFile', (root): Model => {
    const entries = readEntries(root, { kind: 'access file' }, ['roles', 'access', 'accounts', 'classes'])
    const said = entries.get('classes')
    const names = classes.map(({ name }) => name)
    const found = said === undefined ? [] : [...readEntries(said.value, { kind: 'classes' }, names).values()]
    const ofClasses = found.map(
      ({ name, value }) =>
        [name, readEntries(value, { kind: 'class rules', className: name }, ['access'])] as const,
    )
    const roles = rolesIn(entries, model.access)
    const access = readAccess({ entries, ofClasses, classes, roles, before: model.access })
    if (model.accounts !== undefined) entries.get('accounts')?.key.problem('AccountsTwice')
    const accounts = model.accounts ?? readAccounts(entries, roles)
    return { ...model, classes: markOwned(classes, access), access, ...(accounts && { accounts }) }
  })
  const result = findings.result(ruled)
  return 'problems' in result ? result : { ...result, notes }
}

function readModel(root: FileValue, fileTitle: string, findings: Findings, used: readonly unknown[]): Model {
  const entries = readEntries(root, { kind: 'file' }, Object.keys(FILE_KEYS))
  const classes = entries.get('classes')
  const named = classes === undefined ? new FileEntries() : readEntries(classes.value, { kind: 'classes' })
  named.get('properties')?.key.problem('PropertiesOutsideClass')
  named.delete('properties')
  const found = [...named.values()]
  if (found.length === 0 && !findings.hasProblems) {
    const at = classes?.value ?? root
    at.problem('NoClass')
  }
  entries.text('$schema')
  const title = entries.text('title')
  if (title === undefined) findings.note('TitleFromFile', { title: fileTitle })
  const classNames = new Set(named.keys())
  const outlines = found.map((entry) => outlineClass(entry, classNames, findings))
  const roles = rolesIn(entries)
  const byClass = new Map(outlines.map((outline) => [outline.name, outline.entries]))
  const ruled = withHistory(readClasses(outlines, findings, roles), entries, byClass)
  const access = readAccess({ entries, ofClasses: byClass, classes: ruled, roles })
  checkPropertyRules(ruled, access, outlines)
  const accounts = readAccounts(entries, roles)
  const model = {
    title: title ?? fileTitle,
    description: entries.text('description') ?? '',
    classes: markOwned(ruled, access),
    ...(access && { access }),
    ...(accounts && { accounts }),
  }
  const byName = new Map(outlines.toReversed().map((outline) => [outline.name, outline]))
  const report = (conflict: Conflict) => findings.at(positionOf(conflict, byName)).add(conflict.problem)
  findConflicts(model).forEach(report)
  // A class may be unused only because of another problem in the file, such as a misspelt type.
  const meant = findings.hasProblems ? meantTypes(outlines) : new Set()
  findUnused(model)
    .filter(({ className }) => !meant.has(className) && !used.includes(className))
    .forEach(report)
  return model
}

/** The classes of the file, and that of accounts if some property links to them. */
function readClasses(
  outlines: readonly ClassOutline[],
  findings: Findings,
  roles: readonly string[],
): readonly Class[] {
  const names = outlines.map(({ name }) => name)
  const classNames = new Set([...names, ACCOUNT])
  const finished = finishClasses<ClassOutline | typeof ACCOUNT_OUTLINE>(
    names.includes(ACCOUNT) ? outlines : [...outlines, ACCOUNT_OUTLINE],
    (owner, rangeTo) => {
      if (!('entries' in owner)) return accountClass()
      const reading = { owner, classNames, rangeTo }
      const properties = owner.properties.map((entry) => readProperty(entry, reading))
      return { properties, ...readClass(owner, findings) }
    },
  )
  const linked = linkedNames(finished)
  const used = finished.filter(({ name, isBuiltIn }) => isBuiltIn === undefined || linked.has(name))
  return withPropertyRules(used, outlines, roles)
}

/** How many misspelt types are compared with the names of all classes. */
const MAX_COMPARED = 100

/** The classes that the types of properties name, or nearly name. */
function meantTypes(outlines: readonly ClassOutline[]): ReadonlySet<unknown> {
  const names = outlines.map(({ name }) => name)
  const texts = outlines.flatMap(({ properties }) =>
    properties.flatMap(({ value }) => (value.find('type') ?? value).texts),
  )
  const types = new Set(texts)
  const known = new Set(names)
  const misspelt = [...types].filter((type) => !known.has(type)).slice(0, MAX_COMPARED)
  return new Set([...types, ...misspelt.map((type) => nearest(type, names))])
}

/** The position of the value that a conflict is about, or of its class or property if the file has no such value. */
function positionOf(
  { className, property, about, element = -1 }: Conflict,
  outlines: ReadonlyMap<string, ClassOutline>,
): ProblemPlace {
  const outline = outlines.get(className) as ClassOutline
  const { key, value } = outline.properties.find(({ name }) => name === property) ?? outline
  const found = value.find(about)
  return (found?.elements[element] ?? found ?? key).position
}

interface ClassOutline extends Outline, FileEntry {
  readonly entries: FileEntries
  readonly properties: readonly FileEntry[]
}

/** Links may point forward, so the names and collections of all classes are read before the properties of any. */
function outlineClass(entry: FileEntry, classNames: ReadonlySet<string>, findings: Findings): ClassOutline {
  const { name, value } = entry
  const entries = value.isEmpty ? new FileEntries() : readClassKeys(entry, classNames)
  const declared = entries.get('properties')?.value
  const isEmpty = declared === undefined || declared.isEmpty
  const properties = isEmpty
    ? []
    : [...readEntries(declared, { kind: 'properties', className: name }).values()]
  if (isEmpty)
    findings.doubt('NoProperties', { className: name, typed: typedKeys(entries, name, classNames) })
  const collection = readCollection(entries.get('collection'), name, findings)
  return { ...entry, entries, collection, properties }
}

function readCollection(entry: FileEntry | undefined, name: string, findings: Findings): string | undefined {
  if (entry === undefined) {
    const collection = plural(name).toLowerCase()
    findings.note('CollectionFromName', { className: name, collection })
    return collection
  }
  const value = entry.value.json
  if (value === false) return undefined
  if (typeof value === 'string') return value
  entry.value.problem('InvalidCollection')
  // A unique name, so that no second problem is reported for a shared collection.
  return `collection-of-${name}`
}

function readClass({ name, collection, entries }: ClassOutline, findings: Findings) {
  const operations = readOperations(entries.get('operations'), name)
  if (operations === undefined && collection !== undefined)
    findings.note('AllOperations', { className: name, operations: OPERATIONS })
  return {
    name,
    iri: entries.iri('iri'),
    title: entries.text('title') ?? name,
    description: entries.text('description') ?? '',
    collection,
    operations: operations ?? new Set<Operation>(collection === undefined ? [] : OPERATIONS),
    methods: collection === undefined ? SINGLE_METHODS : USUAL_METHODS,
    formerName: entries.text('was'),
    label: readLabel(entries.get('label'), name),
    plural: entries.text('plural'),
    uniqueTogether: readUniqueTogether(entries.get('unique'), name),
  }
}

/** The text elements of a list of names, or the one name; undefined where something else was written. */
function readNames({ elements, isList }: FileValue): readonly string[] | undefined {
  const names = elements.map(({ json }) => json)
  return names.every((name) => typeof name === 'string') && (isList || names.length === 1) ? names : undefined
}

function readLabel(entry: FileEntry | undefined, className: string): readonly string[] | undefined {
  if (entry === undefined) return undefined
  const names = readNames(entry.value)
  return names !== undefined && names.length > 0 ? names : entry.value.problem('LabelNotNames', { className })
}

function readUniqueTogether(entry: FileEntry | undefined, className: string): readonly (readonly string[])[] {
  if (entry === undefined) return []
  const { value } = entry
  const lists = value.elements.map((element) => (element.isList ? readNames(element) : undefined))
  if (value.isList && lists.every((names) => names !== undefined)) return lists
  value.problem('UniqueNotAList', { className })
  return []
}

function readOperations(entry: FileEntry | undefined, name: string): ReadonlySet<Operation> | undefined {
  if (entry === undefined) return undefined
  if (!entry.value.isList) return entry.value.problem('OperationsNotAList', { className: name })
  const operations = new Set<Operation>()
  for (const element of entry.value.elements) {
    const value = element.json
    const operation = OPERATIONS.find((known) => known === value)
    if (operation === undefined) {
      const given = typeof value === 'string' ? value : undefined
      element.problem('UnknownOperation', { name: given, known: OPERATIONS })
    } else if (operations.has(operation)) {
      element.problem('DuplicateOperation', { operation, className: name })
    } else {
      operations.add(operation)
    }
  }
  return operations
}
