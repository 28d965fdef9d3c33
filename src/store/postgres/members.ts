import { isMigrated, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, MemberStore, Page } from '../store.ts'
import type { Connections } from './connections.ts'
import { createWrittenClass, type WrittenClass } from './links.ts'
import { createReader } from './read.ts'
import type { Statistics } from './statistics.ts'
import { tablesOf } from './tables.ts'
import { createWrites } from './writes.ts'

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

export interface MemberStoreParts {
  readonly connections: Connections
  readonly statistics: Statistics
  /** The classes as they were when the schema was last looked at; a later migration gives them other tables. */
  readonly found: readonly StoredClass[]
  readonly scanMs: number
}

export function openMemberStore(
  { connections, statistics, found, scanMs }: MemberStoreParts,
  shapes: readonly ClassShape[],
): MemberStore {
  const stored = new Map(found.map((one) => [one.name, one]))
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set<string>()
  const classes = new Map<string, WrittenClass>()
  for (const shape of shapes) {
    const known = stored.get(shape.name)
    if (known !== undefined && isMigrated(known, shape)) {
      const tables = tablesOf(known.id, shape.keys)
      classes.set(
        shape.name,
        createWrittenClass(shape.name, tables, (target) => stored.get(target)?.id),
      )
    } else empty.add(shape.name)
  }

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): WrittenClass {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  const reader = createReader(connections, scanMs)
  const writes = createWrites(connections, statistics)
  return {
    // It could not be told for less than reading anew.
    state: () => undefined,
    find: (className, id) => (empty.has(className) ? undefined : reader.find(classOf(className).tables, id)),
    list: (className, selection) =>
      empty.has(className) ? NO_MEMBERS : reader.list(classOf(className).tables, selection),
    add: async (className, member) => writes.add(classOf(className), member),
    addAll: async (members) =>
      writes.addAll(members.map(({ className, member }) => ({ cls: classOf(className), member }))),
    change: async (className, id, expected, compute) =>
      writes.change(classOf(className), { id, expected, compute }),
    remove: async (className, id, expected) => writes.remove(classOf(className), id, expected),
  }
}
