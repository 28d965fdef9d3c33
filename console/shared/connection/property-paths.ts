import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { labelOf } from '../names.ts'

/** The property at the end of a path, named by the path: `lines.product`, `customer.country`. */
export type FindPropertyAt = (path: string) => PropertyDescription | undefined

/**
 * Finds properties through embedded values and links. Each path leads to one object, so that the variables of a property
 * can be grouped by it.
 */
export function createFindProperty(
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): FindPropertyAt {
  const known = new Map<string, PropertyDescription | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, find(path, cls, classes))
    return known.get(path)
  }
}

function find(
  path: string,
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): PropertyDescription | undefined {
  const properties = [...(cls?.properties ?? []), ...(cls?.reverseLinks ?? [])]
  const [first, ...rest] = path.split('.')
  const outer = properties.find(({ name }) => name === first)
  const within = outer && rest.length > 0 && classes.find(({ iri }) => iri === outer.range)
  if (!within) return properties.find(({ name }) => name === path)
  const found = find(rest.join('.'), within, classes)
  return found && through(outer, found)
}

/** `Customer › Country` behind a link, `Address: Country` within an embedded value. */
export function through(outer: PropertyDescription, inner: PropertyDescription): PropertyDescription {
  return {
    ...inner,
    name: `${outer.name}.${inner.name}`,
    title: `${labelOf(outer)}${outer.isLink ? ' ›' : ':'} ${labelOf(inner)}`,
    many: outer.many || inner.many,
  }
}
