export interface Embedding {
  /** Every class after those that it embeds, as far as there is no cycle. */
  readonly order: readonly string[]
  /** Each begins and ends with the same class; its last step closes it. */
  readonly cycles: readonly (readonly string[])[]
}

/**
 * An embedded value is a part of its owner, so no class can embed itself, however deep. `embeds`: for every class the
 * classes without a collection that are the types of its properties.
 */
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
export function explainCycle({ cycles }: Embedding, owner: string, part: string): string | undefined {
  const cycle = cycles.find((one) => one.at(-2) === owner && one.at(-1) === part)
  if (cycle === undefined) return undefined
  return `${cycle.join(' embeds ')}: a value cannot be within itself; give one of them a collection, so that it is linked to`
}
