import type { ClassShape, Converted, MigrationChange, Move } from '../store.ts'

/** Counts what an API file does to the members of a class while they are gone through. */
export interface ChangeCounter {
  count(converted: Converted): void
  changes(): MigrationChange[]
}

export function createChangeCounter({ name: className, properties }: ClassShape): ChangeCounter {
  const totals = new Map<string, { readonly move: Move; members: number }>()
  // A property of the same name within an embedded value is found too: no more than a hint depends on it.
  const unfilled = new Map(properties.map((property) => [property, `,${JSON.stringify(property)}:`]))
  return {
    count({ body, moves = [] }) {
      for (const [property, text] of unfilled) if (body.includes(text)) unfilled.delete(property)
      for (const move of moves) {
        const key = JSON.stringify([move.change, move.property])
        const known = totals.get(key)
        if (known === undefined) totals.set(key, { move, members: 1 })
        else known.members += 1
      }
    },
    changes: () =>
      [...totals.values()].map(({ move, members }) =>
        move.change === 'hidden'
          ? { ...move, className, members, unfilled: [...unfilled.keys()] }
          : { ...move, className, members },
      ),
  }
}
