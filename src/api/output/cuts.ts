import { BoundedMap } from '../../bounded-map.ts'
import { createFindCuts, type FieldTree, type FindCuts } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'

/** How many sets of hidden properties are prepared, and of fields for each. */
const MAX_HIDDEN = 64
const MAX_CACHED = 16

/** How a class is cut is prepared for each set of fields, and of hidden properties. */
export function createCutsFor(cls: Class): (fields: FieldTree, hidden: ReadonlySet<string>) => FindCuts {
  const prepared = new BoundedMap<ReadonlySet<string>, BoundedMap<FieldTree, FindCuts>>(MAX_HIDDEN)
  return (fields, hidden) =>
    prepared
      .getOrInsertComputed(hidden, () => new BoundedMap(MAX_CACHED))
      .getOrInsertComputed(fields, () => createFindCuts(cls, fields, hidden))
}
