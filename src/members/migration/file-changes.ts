import { problemsOf } from '../../problem.ts'
import { ACCOUNT } from '../../vocabulary/index.ts'
import { type ClassSchema, UNKNOWN_FINGERPRINT } from '../class-schema.ts'
import type { DescribedFile } from '../described.ts'
import { incompatibleChanges, type Layout } from '../layout.ts'
import {
  compatible,
  type FileChange,
  type IncompatibleFileChange,
  type IncompatibleKind,
  incompatible,
} from './change-kinds.ts'
import { describedChanges, pathOf, storedChanges } from './compatible-changes.ts'
import {
  embeddedClasses,
  hasCurrentKeys,
  isCrowded,
  isMigrated,
  planMigration,
  type StoredClass,
} from './plan.ts'

// What an API file changes, and whether hosts with the former one can serve beside those with it (hosts.md, A changed API file).

export interface FileChangeProblems {
  /** The API file needs what `--migrate=compatible` does not allow. */
  IncompatibleFile: { readonly changes: readonly IncompatibleFileChange[] }
}

const fileChangeProblem = problemsOf<FileChangeProblems>()

/** Throws where hosts with the former API file could not serve beside those with this one. */
export function requireCompatible(stored: readonly StoredClass[], shapes: readonly ClassSchema[]): void {
  const changes = incompatibleFileChanges(stored, shapes)
  if (changes.length > 0) throw fileChangeProblem('IncompatibleFile', { changes })
}

/** `described`: the last API file; undefined where an earlier version has opened the database last. */
export function fileChanges(
  stored: readonly StoredClass[],
  shapes: readonly ClassSchema[],
  described: DescribedFile | undefined,
): readonly FileChange[] {
  const plan = planMigration(stored, shapes)
  const needed = incompatibleFileChanges(stored, shapes)
  const inFile = new Set(
    [...shapes, ...plan.renamings.map(({ from }) => ({ name: from }))].map(({ name }) => name),
  )
  const known = described === undefined ? stored.map(({ name }) => name) : Object.keys(described)
  const before = known.filter((name) => name !== ACCOUNT)
  const embedded = new Set(needed.filter(({ kind }) => kind === 'embedded').map(({ className }) => className))
  return [
    ...shapes.flatMap((shape): FileChange[] => {
      const { name: className, isLogged } = shape
      const former = plan.byName.get(className)
      const own = needed.filter((one) => one.className === className)
      // Accounts are not in the file.
      if (!isLogged) return own
      if (former === undefined || !(before.includes(className) || before.includes(former.name)))
        return stored.length === 0 ? [] : [compatible(className, 'class added'), ...own]
      const named = new Set(own.flatMap(({ property, from }) => [property, from]))
      const ofForms = storedChanges(former.layout, shape).filter(({ property }) => !named.has(property))
      const isFilled = (path: string | undefined) =>
        ofForms.some(({ kind, property }) => kind === 'filled default' && property === path)
      const ofFile = describedChanges(shape, described?.[former.name]).filter(
        ({ kind, property }) => kind !== 'default' || !isFilled(property),
      )
      return [...own, ...ofForms, ...ofFile]
    }),
    ...before.flatMap((className) =>
      inFile.has(className) || embedded.has(className) ? [] : [compatible(className, 'class removed')],
    ),
    ...needed.filter(({ className }) => !shapes.some(({ name }) => name === className)),
  ]
}

function incompatibleFileChanges(
  stored: readonly StoredClass[],
  shapes: readonly ClassSchema[],
): IncompatibleFileChange[] {
  const { byName, renamings } = planMigration(stored, shapes)
  const embedded = newlyEmbedded(stored, shapes)
  const inFile = new Set(shapes.map(({ name }) => name))
  return [
    ...renamings.map(({ from, to }) => ({ ...incompatible(to, 'class renamed'), from })),
    ...shapes.flatMap((shape) => {
      const former = byName.get(shape.name)
      return former === undefined ? [] : changesOf(former, shape, embedded)
    }),
    ...stored.flatMap(({ name }) =>
      embedded.has(name) && !inFile.has(name) ? [incompatible(name, 'embedded')] : [],
    ),
  ]
}

/** The classes that the API file embeds, and the last one did not. */
function newlyEmbedded(stored: readonly StoredClass[], shapes: readonly ClassSchema[]): ReadonlySet<string> {
  const before = new Set(
    stored.flatMap(({ name, layout }) =>
      Object.keys(layout?.forms.at(-1)?.types ?? {}).filter((one) => one !== name),
    ),
  )
  return new Set([...embeddedClasses(shapes)].filter((name) => !before.has(name)))
}

function changesOf(
  former: StoredClass,
  shape: ClassSchema,
  embedded: ReadonlySet<string>,
): IncompatibleFileChange[] {
  const { name: className } = shape
  const { layout, fingerprint } = former
  if (isCrowded(former, shape)) return [incompatible(className, 'single')]
  // No host has served members that were copied and not opened since.
  if (
    isMigrated({ ...former, name: className, isShared: true }, shape) ||
    fingerprint === UNKNOWN_FINGERPRINT
  )
    return []
  if (layout === undefined || !hasCurrentKeys(former)) return [incompatible(className, 'earlier version')]
  return [
    ...(embedded.has(className) ? [incompatible(className, 'embedded')] : []),
    ...incompatibleChanges(layout, shape).map(({ property, kind }): IncompatibleFileChange => {
      if (property === '') return incompatible(className, kind)
      return { ...incompatible(className, kind), property, ...wordsFor(kind, layout, shape, property) }
    }),
  ]
}

/** What the property was, and what it becomes. */
function wordsFor(
  kind: IncompatibleKind,
  { forms, hiddenTypes = {} }: Layout,
  shape: ClassSchema,
  path: string,
): Pick<IncompatibleFileChange, 'from' | 'to'> {
  const [owner = '', name = ''] = path.includes('.') ? path.split('.') : [shape.name, path]
  if (kind === 'renamed') {
    const found = shape.renamed.find(({ className, property }) => className === owner && property === name)
    return found === undefined ? {} : { from: pathOf(shape, owner, found.former) }
  }
  if (kind !== 'type') return {}
  const to = shape.types[owner]?.[name] ?? ''
  const known = [hiddenTypes, ...forms.map(({ types }) => types)].map((types) => types[owner]?.[name])
  const from = known.findLast((type) => type !== undefined && type !== to)
  return { to, ...(from !== undefined && { from }) }
}
