import { type JsonSchema, mapIn } from './document.ts'
import { namedShapeOf, objectOf, shapeOf } from './shape.ts'

/** An API file takes twelve levels of values within values. */
export const DEEPEST = 10

interface Embedding {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly isResource: (name: string) => boolean
  readonly formOf: ReadonlyMap<string, string>
}

/** The schemas that cannot be values, since they would be within themselves, or too deep within others. */
export function findUnembeddable(
  names: readonly string[],
  { schemas, isResource, formOf }: Embedding,
): Set<string> {
  const found = new Set<string>()
  /** How many levels of values each schema has; undefined while that is being found out. */
  const heights = new Map<string, number | undefined>()
  for (const name of names) heightOf(name)
  return found

  function heightOf(name: string): number {
    if (heights.has(name)) {
      const known = heights.get(name)
      if (known === undefined) found.add(name)
      return known ?? 0
    }
    heights.set(name, undefined)
    const height = heightWithin(mapIn(schemas.get(name)), 0)
    heights.set(name, height)
    return height
  }

  function heightWithin(schema: JsonSchema, level: number): number {
    if (level > DEEPEST) return 0
    const inner = [...objectOf(schema, schemas).properties.values()].map((one) => levelsOf(one, level))
    return Math.max(0, ...inner)
  }

  function levelsOf(schema: JsonSchema, level: number): number {
    const shape = shapeOf(schema)
    if (shape.kind === 'list') return level > DEEPEST ? 0 : levelsOf(shape.items, level)
    if (shape.kind === 'object') return 1 + heightWithin(shape.schema, level + 1)
    if (shape.kind !== 'reference') return 0
    const name = formOf.get(shape.name) ?? shape.name
    const target = mapIn(schemas.get(name))
    const { kind } = namedShapeOf(target)
    // Another name of a list or of another schema.
    if (kind === 'list' || kind === 'reference') return level > DEEPEST ? 0 : levelsOf(target, level + 1)
    if (kind !== 'object') return 0
    const height = heightOf(name)
    if (isResource(name) || found.has(name)) return 0
    if (height + level + 1 < DEEPEST) return height + 1
    found.add(name)
    return 0
  }
}
