import type { ClassSchema, PropertyTypes } from '../class-schema.ts'

/** What is needed of a stored class. */
interface KnownClass {
  readonly name: string
  readonly total: number
  readonly layout: { readonly forms: readonly KnownForm[] } | undefined
}

interface KnownForm {
  readonly types: PropertyTypes
  readonly since: number
}

/**
 * The classes of the file that a class which it no longer has may have been renamed to: those that are newer, have no
 * members yet, and share at least half of the properties.
 */
export function likelyNames(
  gone: KnownClass,
  shapes: readonly ClassSchema[],
  stored: ReadonlyMap<string, KnownClass>,
): readonly string[] {
  const last = gone.layout?.forms.at(-1)
  const former = Object.keys(last?.types[gone.name] ?? {})
  /** A start with the new file, such as that of `serve --watch`, has stored the class already. */
  const isNew = (cls: KnownClass | undefined) =>
    cls === undefined || (cls.total === 0 && (cls.layout?.forms[0]?.since ?? 0) > (last?.since ?? 0))
  return shapes.flatMap(({ name, was, isSingle, properties }) => {
    // A single resource could not have all the members.
    if (was !== undefined || !isNew(stored.get(name)) || (isSingle && gone.total > 1)) return []
    const shared = former.filter((property) => properties.has(property)).length
    return shared > 0 && shared * 2 >= Math.max(former.length, properties.size) ? name : []
  })
}
