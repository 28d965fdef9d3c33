import type { FileProblem, PathRemedy } from './file-problems.ts'
import { isFilterable, keylessKind } from './keys.ts'
import {
  ACCOUNT,
  ACCOUNTS,
  type Class,
  embeddedNames,
  hasCollection,
  isSingle,
  isText,
  type Model,
  type Property,
  pathOf,
} from './model.ts'
import { findNameProblem, isClassName, isCollectionName, RDF, SERVER_RESOURCES } from './names.ts'
import { checkReverse } from './reverse-conflicts.ts'

/** A part of a model that cannot be served. The reader of each form knows its position in the file. */
export interface Conflict {
  readonly className: string
  /** The property that it is about; undefined for the class as a whole. */
  readonly property?: string | undefined
  /** `name`, or a key of the short form: `collection`, `iri`, `was`, `operations`, `unique` … */
  readonly about: string
  /** Where `about` is a list: the index of the element that it is about. */
  readonly element?: number | undefined
  readonly problem: FileProblem
}

/** Classes that every documentation has. */
export const RESERVED_CLASSES: readonly string[] = [
  ...['EntryPoint', 'ConstraintViolationList', ACCOUNT],
  ...SERVER_RESOURCES.map(({ className }) => className),
]

/** hypermedia.md, The API file; the entry point's own terms; and a term that breaks the JSON-LD processor. */
export const RESERVED_PATHS: readonly string[] = [
  ...['vocab', 'contexts', ACCOUNTS, 'summaries', 'collection', 'hydra', 'EntryPoint', 'hasOwnProperty'],
  ...SERVER_RESOURCES.map(({ path }) => path),
]

/** A body may be nested 32 levels deep (hypermedia.md, Limits), and every embedded value may be in a list. */
const DEEPEST = 12

/** Every representation has its context inline, with the terms of each embedded value wherever it is embedded. */
const MAX_TERMS = 10_000

/**
 * Conflicts between parts of a model, and names that cannot be served. `pathRemedy`: how this form of the file names a
 * collection.
 */
export function findConflicts(
  { classes }: Model,
  pathRemedy: Exclude<PathRemedy, 'name'> = 'collection',
): Conflict[] {
  const extents = new Map<Class, Extent>()
  const others = indexNames(classes)
  const byName = firstBy(classes, ({ name }) => name)
  const byPath = firstBy(classes, pathOf)
  const held = firstBy(classes.filter(hasCollection), ({ name }) => `${name}Collection`)
  const ofFile = classes.filter(({ isBuiltIn }) => isBuiltIn === undefined)
  return ofFile.flatMap((cls) => {
    const ofClass: ConflictCheck[] = [
      ['name', checkClassName(cls, others, held)],
      [hasCollection(cls) ? 'collection' : 'name', checkPath(cls, byPath, pathRemedy)],
      ['iri', checkClassIri(cls, others)],
      ['was', checkFormerName(cls, others, 'class')],
      ['operations', checkSingle(cls)],
      ['properties', checkExtent(cls, extentOf(cls, extents))],
      ...cls.label.map((name, index): ConflictCheck => ['label', checkLabel(name, cls), index]),
      ...cls.uniqueTogether.map(
        (names, index): ConflictCheck => ['unique', checkUniqueTogether(names, cls), index],
      ),
    ]
    const siblings = indexNames(cls.properties)
    const terms = new Set([...siblings.names, ...cls.reverseLinks.map(({ name }) => name)])
    const ofProperties = cls.properties.flatMap((property) => {
      const checks: ConflictCheck[] = [
        ...checkProperty(property, cls, siblings),
        ['iri', checkScheme(property, terms)],
        ['reverse', checkReverse(property, cls, byName)],
      ]
      return conflictsIn(checks, cls, property.name)
    })
    return [...conflictsIn(ofClass, cls), ...ofProperties]
  })
}

type FirstBy<T> = ReadonlyMap<string, T>

/** The first element with each key, which avoids comparing all pairs. */
function firstBy<T>(all: readonly T[], keyOf: (one: T) => string | undefined): FirstBy<T> {
  const first = new Map<string, T>()
  for (const one of all) {
    const key = keyOf(one)
    if (key !== undefined && !first.has(key)) first.set(key, one)
  }
  return first
}

/** Classes, or the properties of a class, by the values that must differ. */
interface NameIndex {
  readonly names: ReadonlySet<string>
  readonly byIri: FirstBy<Class | Property>
  readonly byFormerName: FirstBy<Class | Property>
  /** Names that occur twice. */
  readonly double: ReadonlySet<string>
}

function indexNames(all: readonly (Class | Property)[]): NameIndex {
  const seen = new Set<string>()
  const double = new Set<string>()
  for (const { name } of all) (seen.has(name) ? double : seen).add(name)
  return {
    double,
    names: seen,
    byIri: firstBy(all, ({ iri }) => iri),
    byFormerName: firstBy(all, ({ formerName }) => formerName),
  }
}

/** Classes that are neither served nor embedded. */
export function findUnused({ classes }: Model): Conflict[] {
  const embedded = embeddedNames(classes)
  const unused = classes.filter((cls) => pathOf(cls) === undefined && !embedded.has(cls.name))
  return unused.map(({ name }) => ({
    className: name,
    about: 'collection',
    problem: { code: 'UnusedClass', values: { className: name } },
  }))
}

/** A subject, and its problem if it has one. */
type ConflictCheck = readonly [about: string, problem: FileProblem | undefined, element?: number]

const conflictsIn = (checks: readonly ConflictCheck[], { name }: Class, property?: string): Conflict[] =>
  checks.flatMap(([about, problem, element]) =>
    problem === undefined ? [] : { className: name, property, about, element, problem },
  )

function checkClassName(
  { name }: Class,
  { double }: NameIndex,
  held: FirstBy<Class>,
): FileProblem | undefined {
  if (!isClassName(name)) return { code: 'InvalidClassName', values: { name } }
  if (RESERVED_CLASSES.includes(name)) return { code: 'ReservedClassName', values: { name } }
  if (double.has(name)) return { code: 'DuplicateClass', values: { name } }
  const holder = held.get(name)
  return holder && { code: 'CollectionClassName', values: { name, owner: holder.name } }
}

function checkPath(cls: Class, byPath: FirstBy<Class>, pathRemedy: PathRemedy): FileProblem | undefined {
  const { name: className, collection } = cls
  const path = pathOf(cls)
  if (path === undefined) return undefined
  const remedy = collection === undefined ? 'name' : pathRemedy
  const other = byPath.get(path)
  if (other !== undefined && other !== cls)
    return { code: 'PathTaken', values: { className, path, other: other.name, remedy } }
  // With another name the class has another path.
  if (path === ACCOUNTS && className === ACCOUNT) return undefined
  if (RESERVED_PATHS.includes(path)) return { code: 'ReservedPath', values: { className, path, remedy } }
  if (collection === undefined || isCollectionName(collection)) return undefined
  return { code: 'InvalidPath', values: { path: collection } }
}

function checkClassIri(cls: Class, { byIri }: NameIndex): FileProblem | undefined {
  const same = byIri.get(cls.iri ?? '')
  if (same === undefined || same === cls) return undefined
  return { code: 'DuplicateClassIri', values: { className: cls.name, other: same.name } }
}

function checkFormerName(
  { name, formerName }: Class | Property,
  { names, byFormerName }: NameIndex,
  kind: 'class' | 'property',
): FileProblem | undefined {
  if (formerName === undefined) return undefined
  if (names.has(formerName)) return { code: 'FormerNameInUse', values: { kind, name, formerName } }
  const same = byFormerName.get(formerName)
  if (same === undefined || same.name === name) return undefined
  return { code: 'DuplicateFormerName', values: { kind, name, other: same.name, formerName } }
}

function checkSingle(cls: Class): FileProblem | undefined {
  if (!isSingle(cls) || !cls.operations.has('list')) return undefined
  return { code: 'ListOfSingle', values: { className: cls.name } }
}

type Extent = { readonly depth: number; readonly terms: number }

function checkExtent({ name: className }: Class, { depth, terms }: Extent): FileProblem | undefined {
  if (depth > DEEPEST) return { code: 'NestedTooDeep', values: { className, maxLevels: DEEPEST } }
  if (terms <= MAX_TERMS) return undefined
  return { code: 'TooManyTerms', values: { className, maxTerms: MAX_TERMS } }
}

/** The depth and size of a class with everything that it embeds. Computed once per class, since many classes may embed it. */
function extentOf(cls: Class, known: Map<Class, Extent>): Extent {
  const found = known.get(cls)
  if (found !== undefined) return found
  const within = cls.properties.flatMap(({ range }) =>
    range.kind === 'embedded' ? extentOf(range.cls, known) : [],
  )
  const ownTerms = cls.properties.length + cls.reverseLinks.length
  const depth = Math.max(0, ...within.map((extent) => extent.depth + 1))
  const terms = within.reduce((sum, extent) => sum + extent.terms, ownTerms)
  known.set(cls, { depth, terms })
  return { depth, terms }
}

const checkProperty = (property: Property, cls: Class, siblings: NameIndex): ConflictCheck[] => [
  ['name', checkPropertyName(property, siblings)],
  ['iri', checkPropertyIri(property, siblings)],
  ['was', checkFormerName(property, siblings, 'property')],
  ['many', checkMany(property)],
  ['multiline', checkMultiline(property)],
  ['unique', checkUnique(property, cls)],
  ['filterable', checkFilterable(property)],
]

function checkPropertyName({ name }: Property, { double }: NameIndex): FileProblem | undefined {
  const code = findNameProblem(name) ?? (double.has(name) ? 'DuplicateProperty' : undefined)
  return code && { code, values: { name } }
}

/** Linked data names properties by IRI, so within a class an IRI must identify one property. */
function checkPropertyIri(property: Property, { byIri }: NameIndex): FileProblem | undefined {
  const { name, iri } = property
  if (iri === `${RDF}type`) return { code: 'IriOfType', values: { name } }
  const same = byIri.get(iri ?? '')
  if (same === undefined || same === property) return undefined
  return { code: 'DuplicatePropertyIri', values: { name, other: same.name } }
}

/** JSON-LD 1.1 §4.2.2: a context in which a term is defined by itself, as a prefix, is an error. */
function checkScheme({ name, iri = '' }: Property, terms: ReadonlySet<string>): FileProblem | undefined {
  const scheme = /^([^:]+):(?!\/\/)/.exec(iri)?.[1]
  if (scheme === undefined || !terms.has(scheme)) return undefined
  return { code: 'SchemeIsProperty', values: { name, scheme } }
}

function checkMany({ name, many, range }: Property): FileProblem | undefined {
  if (!many || range.kind !== 'datatype' || range.datatype !== 'langString') return undefined
  return { code: 'ManyLanguageMaps', values: { name } }
}

function checkMultiline(property: Property): FileProblem | undefined {
  if (!property.multiline || isText(property)) return undefined
  return { code: 'MultilineUnfit', values: { name: property.name } }
}

function checkUnique(property: Property, cls: Class): FileProblem | undefined {
  const { name, unique, many } = property
  if (!unique) return undefined
  if (many) return { code: 'UniqueList', values: { name } }
  const kind = keylessKind(property)
  if (kind !== undefined) return { code: 'UniqueWithoutKey', values: { name, kind } }
  if (hasCollection(cls)) return undefined
  return { code: 'UniqueWithoutCollection', values: { className: cls.name, name } }
}

function checkFilterable(property: Property): FileProblem | undefined {
  const { name, filterable, range } = property
  if (!filterable) return undefined
  const kind = keylessKind(property) ?? (range.kind === 'datatype' ? range.datatype : undefined)
  return isFilterable(property) ? undefined : { code: 'NotFilterable', values: { name, kind } }
}

function findNamed(
  { properties }: Class,
  name: string,
  on: 'unique' | 'label',
): { readonly property: Property } | { readonly problem: FileProblem } {
  const property = properties.find((one) => one.name === name)
  if (property !== undefined) return { property }
  const known = properties.map((one) => one.name)
  return { problem: { code: 'NoSuchProperty', values: { on, name, known } } }
}

function checkLabel(name: string, cls: Class): FileProblem | undefined {
  const found = findNamed(cls, name, 'label')
  if ('problem' in found) return found.problem
  const { many, range } = found.property
  if (many) return { code: 'LabelUnfit', values: { name, kind: 'many' } }
  return range.kind === 'embedded' ? { code: 'LabelUnfit', values: { name, kind: 'embedded' } } : undefined
}

function checkUniqueTogether(names: readonly string[], cls: Class): FileProblem | undefined {
  if (new Set(names).size < Math.max(2, names.length))
    return { code: 'UniqueTogetherTooFew', values: { names } }
  if (!hasCollection(cls)) return { code: 'UniqueTogetherWithoutCollection', values: { className: cls.name } }
  for (const name of names) {
    const found = findNamed(cls, name, 'unique')
    const problem = 'problem' in found ? found.problem : checkUnique({ ...found.property, unique: true }, cls)
    if (problem !== undefined) return problem
  }
  return undefined
}
