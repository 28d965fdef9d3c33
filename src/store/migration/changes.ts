import type { Adopted, AdoptionChange, ClassShape, Move } from '../store.ts'
import type { Renaming, StoredClass } from './classes.ts'

/** Counts what an API file does to the members of a class while they are gone through. */
export interface ChangeTally {
  count(adopted: Adopted): void
  changes(): AdoptionChange[]
}

export function createChangeTally({ name, properties }: ClassShape): ChangeTally {
  const totals = new Map<string, { readonly move: Move; members: number }>()
  // Of the same name within an embedded value would do too: no more than a hint hangs on it.
  const unfilled = new Map(properties.map((property) => [property, `,${JSON.stringify(property)}:`]))

  function add(move: Move): void {
    const key = JSON.stringify([move.change, move.property])
    const known = totals.get(key)
    if (known === undefined) totals.set(key, { move, members: 1 })
    else known.members += 1
  }

  return {
    count({ body, moves }) {
      for (const [property, text] of unfilled) if (body.includes(text)) unfilled.delete(property)
      moves?.forEach(add)
    },
    changes: () =>
      [...totals.values()].map(({ move, members }) =>
        move.change === 'hidden'
          ? { ...move, className: name, members, unfilled: [...unfilled.keys()] }
          : { ...move, className: name, members },
      ),
  }
}

/** What becomes of whole classes; `stored` as it was before. Those without members do not matter. */
export function classChanges(
  stored: readonly StoredClass[],
  renamed: readonly Renaming[],
  shapes: readonly ClassShape[],
): AdoptionChange[] {
  const names = new Map(renamed.map(({ from, to }) => [from, to]))
  const inFile = new Set(shapes.map(({ name }) => name))
  return stored.flatMap(({ name, total: members }): AdoptionChange[] => {
    if (members === 0) return []
    const to = names.get(name)
    if (to !== undefined) return [{ change: 'class renamed', className: to, from: name, members }]
    return inFile.has(name) ? [] : [{ change: 'class hidden', className: name, members }]
  })
}
