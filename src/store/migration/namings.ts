import { type Adopted, type ClassShape, type Misfit, MOST_MISFITS, type Naming } from '../store.ts'

/** Notices properties of which members have values under both names, the present and the former one. */
export interface NamingWatch {
  see(id: string, adopted: Adopted): void
  misfits(): Misfit[]
}

interface Seen {
  readonly naming: Naming
  /** Members with a value under the present name, as many as are named. */
  readonly ids: Set<string>
  hasFormer: boolean
}

/**
 * The present name was that of another property once, or the former one is: which values are meant cannot be told, and
 * guessing would mix them (as with classes, `classes.ts`).
 */
export function watchNamings(shape: ClassShape): NamingWatch {
  const all = new Map<string, Seen>()

  function see(id: string, naming: Naming): void {
    const seen = all.get(naming.property) ?? { naming, ids: new Set(), hasFormer: false }
    all.set(naming.property, seen)
    if (naming.under === 'was') seen.hasFormer = true
    else if (seen.ids.size < MOST_MISFITS) seen.ids.add(id)
  }

  return {
    see: (id, { namings }) => namings?.forEach((naming) => void see(id, naming)),
    misfits: () =>
      [...all.values()].flatMap(({ naming, ids, hasFormer }) =>
        (hasFormer ? [...ids] : []).map((id) => ({
          className: shape.name,
          id,
          address: shape.addressOf(id),
          violations: [{ propertyPath: naming.property, message: bothThere(naming) }],
        })),
      ),
  }
}

function bothThere({ property, was }: Naming): string {
  const name = property.slice(property.lastIndexOf('/') + 1)
  return (
    `has a value of its own, and the API file says that "${name}" was "${was}", which has values too. ` +
    `Leave the "was" out if those of "${name}" are the right ones; otherwise give the property another name.`
  )
}
