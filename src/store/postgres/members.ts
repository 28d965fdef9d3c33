import { isMigrated, type StoredClass } from '../migration/plan.ts'
import type { ClassShape, MemberStore } from '../store.ts'
import { createWrittenClass, type WrittenClass } from './links.ts'
import type { Pools } from './pool.ts'
import { createReads } from './read.ts'
import type { Statistics } from './statistics.ts'
import { tablesOf } from './tables.ts'
import { createWrites } from './writes.ts'

export interface MemberStoreParts {
  readonly pools: Pools<'quick' | 'writes' | 'batches' | 'slow'>
  readonly statistics: Statistics
  /** The classes as they were when the schema was last looked at; a later migration gives them other tables. */
  readonly found: readonly StoredClass[]
  readonly scanMs: number
}

export function openMemberStore(
  { pools, statistics, found, scanMs }: MemberStoreParts,
  shapes: readonly ClassShape[],
): MemberStore {
  const stored = new Map(found.map((one) => [one.name, one]))
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set<string>()
  const classes = new Map<string, WrittenClass>()
  for (const shape of shapes) {
    const { name, keys, hasWords } = shape
    const known = stored.get(name)
    if (known === undefined || !isMigrated(known, shape)) empty.add(name)
    else {
      const tables = tablesOf(known.id, keys, hasWords)
      classes.set(
        name,
        createWrittenClass(name, tables, (target) => stored.get(target)?.id),
      )
    }
  }

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): WrittenClass {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  return {
    // It could not be told for less than reading anew.
    state: () => undefined,
    ...createReads(pools, scanMs, (name) => (empty.has(name) ? undefined : classOf(name).tables)),
    ...createWrites(pools, statistics, classOf),
  }
}
