import type { Layered } from './layers.ts'

export type Step = readonly [left: number, right: number]

const SWEEPS = 24

export function withFewCrossings({ layers, chains }: Layered): readonly (readonly number[])[] {
  const steps = stepsOf(chains)
  const left = Map.groupBy(steps, ([, right]) => right)
  const right = Map.groupBy(steps, ([from]) => from)
  let best = layers
  let fewest = crossings(layers, steps)
  let current = layers.map((one) => [...one])
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const toRight = sweep % 2 === 0
    const neighbours = (vertex: number): number[] =>
      toRight ? (left.get(vertex) ?? []).map(([from]) => from) : (right.get(vertex) ?? []).map(([, to]) => to)
    current = reorder(current, neighbours, toRight)
    const found = crossings(current, steps)
    if (found >= fewest) continue
    fewest = found
    best = current
  }
  return best
}

export const stepsOf = (chains: Layered['chains']): Step[] =>
  chains.flatMap(({ vertices }) => vertices.slice(1).map((to, index): Step => [vertices[index] ?? to, to]))

/** Each vertex goes to the mean position of its neighbours in the column before (the barycentre method). */
function reorder(
  layers: readonly (readonly number[])[],
  neighbours: (vertex: number) => readonly number[],
  toRight: boolean,
): number[][] {
  const places = placesOf(layers)
  const next = layers.map((one) => [...one])
  const order = toRight ? next : next.toReversed()
  for (const column of order) {
    const middles = new Map(
      column.map((vertex, index) => [
        vertex,
        mean(neighbours(vertex).map((one) => places.get(one) ?? 0)) ?? index,
      ]),
    )
    column.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0))
    for (const [index, vertex] of column.entries()) places.set(vertex, index)
  }
  return next
}

export function crossings(layers: readonly (readonly number[])[], steps: readonly Step[]): number {
  const places = placesOf(layers)
  const columns = new Map(layers.flatMap((one, column) => one.map((vertex) => [vertex, column] as const)))
  let count = 0
  for (const between of Map.groupBy(steps, ([from]) => columns.get(from)).values()) {
    const spans = between.map(([from, to]) => [places.get(from) ?? 0, places.get(to) ?? 0] as const)
    for (const [index, [from, to]] of spans.entries()) {
      for (const [otherFrom, otherTo] of spans.slice(index + 1)) {
        if ((from - otherFrom) * (to - otherTo) < 0) count += 1
      }
    }
  }
  return count
}

const placesOf = (layers: readonly (readonly number[])[]): Map<number, number> =>
  new Map(layers.flatMap((one) => one.map((vertex, index) => [vertex, index] as const)))

export const mean = (numbers: readonly number[]): number | undefined =>
  numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : undefined
