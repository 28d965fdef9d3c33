import { isMigrated, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, MemberStore, Page } from '../store.ts'
import type { Connections } from './connections.ts'
import { createMemberWrites } from './member-writes.ts'
import { createReader } from './reading.ts'
import type { Statistics } from './statistics.ts'
import { type Tables, tablesOf } from './tables.ts'

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

/** `found`: the classes as they were when the schema was last looked at; who is faster has given them other tables. */
export function openMemberStore(
  connections: Connections,
  statistics: Statistics,
  found: readonly StoredClass[],
  shapes: readonly ClassShape[],
  scanMs: number,
): MemberStore {
  const stored = new Map(found.map((one) => [one.name, one]))
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set<string>()
  const classes = new Map<string, Tables>()
  for (const shape of shapes) {
    const known = stored.get(shape.name)
    if (known !== undefined && isMigrated(known, shape))
      classes.set(shape.name, tablesOf(known.id, shape.keys))
    else empty.add(shape.name)
  }

  /** The caller has the class from the same model that the store was opened with. */
  function tablesFor(name: string): Tables {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  const reader = createReader(connections, scanMs)
  const writes = createMemberWrites(connections, statistics, (name) => stored.get(name)?.id)
  return {
    // It could not be told for less than reading anew.
    state: () => undefined,
    find: (className, id) => (empty.has(className) ? undefined : reader.find(tablesFor(className), id)),
    list: (className, selection) =>
      empty.has(className) ? NO_MEMBERS : reader.list(tablesFor(className), selection),
    add: async (className, member) => writes.add(className, tablesFor(className), member),
    addAll: async (members) =>
      writes.addAll(
        members.map(({ className, member }) => ({ className, tables: tablesFor(className), member })),
      ),
    change: async (className, id, expected, compute) =>
      writes.change(className, tablesFor(className), id, expected, compute),
    remove: async (className, id, expected) => writes.remove(className, tablesFor(className), id, expected),
  }
}
