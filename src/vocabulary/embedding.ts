import type { Class, Range } from './model.ts'

/** A class of an API file before its properties are read: all that the properties of other classes need of it. */
export interface Outline {
  readonly name: string
  readonly collection: string | undefined
}

/** The range of a property whose type is a class: a link, an embedded value, or why it can be neither. */
export type RangeTo = (className: string) => Range | { readonly kind: 'impossible'; readonly why: string }

/**
 * The classes of a model, in the order of the file. Links may point forward, but classes that are embedded are finished
 * before those that embed them. `typesOf` names the classes that are the types of a class's properties.
 */
export function finishClasses<One extends Outline>(
  outlines: readonly One[],
  typesOf: (outline: One) => readonly string[],
  finish: (outline: One, rangeTo: RangeTo) => Class,
): Class[] {
  // Of two with one name, which is a problem of the file, the first.
  const byName = new Map(outlines.toReversed().map((outline) => [outline.name, outline]))
  const embeddable = new Set(
    outlines.flatMap(({ name, collection }) => (collection === undefined ? [name] : [])),
  )
  const embeds = outlines.map(
    (outline) => [outline.name, typesOf(outline).filter((name) => embeddable.has(name))] as const,
  )
  const { order, cycles } = orderByEmbedding(new Map(embeds))
  const finished = new Map<string, Class>()
  const rangeFor =
    (owner: string): RangeTo =>
    (className) => {
      const collection = byName.get(className)?.collection
      if (collection !== undefined) return { kind: 'link', className, collection }
      const cls = finished.get(className)
      if (cls !== undefined) return { kind: 'embedded', cls }
      const why = explainCycle(cycles, owner, className) ?? `${className} cannot be embedded here`
      return { kind: 'impossible', why }
    }
  for (const name of order) finished.set(name, finish(byName.get(name) as One, rangeFor(name)))
  return outlines.flatMap(({ name }) => finished.get(name) ?? [])
}

interface Embedding {
  /** Every class after those that it embeds, as far as there is no cycle. */
  readonly order: readonly string[]
  /** Each begins and ends with the same class; its last step closes it. */
  readonly cycles: readonly (readonly string[])[]
}

/** An embedded value is a part of its owner, so no class can embed itself, however deep. */
export function orderByEmbedding(embeds: ReadonlyMap<string, readonly string[]>): Embedding {
  const order = new Set<string>()
  const cycles: string[][] = []
  const visit = (name: string, way: readonly string[]): void => {
    if (order.has(name)) return
    if (way.includes(name)) {
      cycles.push([...way.slice(way.indexOf(name)), name])
      return
    }
    for (const part of embeds.get(name) ?? []) visit(part, [...way, name])
    order.add(name)
  }
  for (const name of embeds.keys()) visit(name, [])
  return { order: [...order], cycles }
}

/** What is wrong with a property of `owner` whose type is the embedded class `part`; undefined where nothing is. */
export function explainCycle(cycles: Embedding['cycles'], owner: string, part: string): string | undefined {
  const cycle = cycles.find((one) => one.at(-2) === owner && one.at(-1) === part)
  if (cycle === undefined) return undefined
  return `${cycle.join(' embeds ')}: a value cannot be within itself; give one of them a collection, so that it is linked to`
}
