/** The boxes in columns, so that links point from left to right as far as possible. */
export interface Layered<E extends Edge> {
  /** Vertices by column. A number below that of the boxes is a box; any other is where a long link passes through. */
  readonly layers: Layers
  readonly chains: readonly Chain<E>[]
}

export type Layers = readonly (readonly number[])[]

/** One link from left to right: a box, the vertices that it passes through, a box. */
export interface Chain<E extends Edge = Edge> {
  readonly edge: E
  readonly vertices: readonly number[]
  /** The link closes a cycle, and points to the left. */
  readonly backward: boolean
}

interface Edge {
  readonly from: number
  readonly to: number
}

/** Boxes without edges stand in no column. */
export function layer<E extends Edge>(count: number, edges: readonly E[]): Layered<E> {
  const closing = closingEdges(count, edges)
  const ends = (edge: Edge): Edge => (closing.has(edge) ? { from: edge.to, to: edge.from } : edge)
  const columns = columnsOf(edges.map(ends))
  const columnOf = (vertex: number): number => columns.get(vertex) ?? 0
  const layers = Array.from({ length: Math.max(-1, ...columns.values()) + 1 }, (): number[] => [])
  for (const [vertex, column] of columns) layers[column]?.push(vertex)
  let next = count
  const chains = edges.map((edge): Chain<E> => {
    const { from, to } = ends(edge)
    const passed = layers.slice(columnOf(from) + 1, columnOf(to)).map((column) => {
      column.push(next)
      return next++
    })
    return { edge, vertices: [from, ...passed, to], backward: closing.has(edge) }
  })
  return { layers, chains }
}

/** The walk begins at boxes without incoming links: from there, most links point forward. */
function closingEdges(count: number, edges: readonly Edge[]): ReadonlySet<Edge> {
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const targets = new Set(edges.map(({ to }) => to))
  const seen = new Set<number>()
  const open = new Set<number>()
  const closing = new Set<Edge>()
  const walk = (vertex: number): void => {
    if (seen.has(vertex)) return
    seen.add(vertex)
    open.add(vertex)
    for (const edge of outgoing.get(vertex) ?? []) {
      if (open.has(edge.to)) closing.add(edge)
      else walk(edge.to)
    }
    open.delete(vertex)
  }
  const all = Array.from({ length: count }, (_, vertex) => vertex)
  for (const vertex of [...all.filter((one) => !targets.has(one)), ...all]) walk(vertex)
  return closing
}

/** As far left as the links allow; then to the right where that shortens more links than it lengthens. */
function columnsOf(edges: readonly Edge[]): Map<number, number> {
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const incoming = Map.groupBy(edges, ({ to }) => to)
  const columns = new Map<number, number>()
  const columnOf = (vertex: number): number => {
    const known = columns.get(vertex)
    if (known !== undefined) return known
    const column = Math.max(-1, ...(incoming.get(vertex) ?? []).map(({ from }) => columnOf(from))) + 1
    columns.set(vertex, column)
    return column
  }
  for (const vertex of edges.flatMap(({ from, to }) => [from, to]).toSorted((one, other) => one - other))
    columnOf(vertex)
  // The map has each vertex after those that link to it.
  for (const vertex of [...columns.keys()].reverse()) {
    const after = outgoing.get(vertex) ?? []
    if (after.length > (incoming.get(vertex)?.length ?? 0))
      columns.set(vertex, Math.min(...after.map(({ to }) => columnOf(to))) - 1)
  }
  return columns
}

export type Step = readonly [left: number, right: number]

const SWEEPS = 24

/** Each vertex goes to the mean position of its neighbours in the column before (the barycentre method). */
export function withFewCrossings({ layers, chains }: Layered<Edge>): Layers {
  const steps = stepsOf(chains)
  const left = Map.groupBy(steps, ([, right]) => right)
  const right = Map.groupBy(steps, ([from]) => from)
  let best = layers
  let fewest = crossings(layers, steps)
  let current = layers
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const toRight = sweep % 2 === 0
    const places = placesOf(current)
    const wished = (vertex: number): number => {
      const neighbours = toRight
        ? left.get(vertex)?.map(([from]) => from)
        : right.get(vertex)?.map(([, to]) => to)
      return mean((neighbours ?? [vertex]).map((one) => places.get(one) ?? 0))
    }
    const reorder = (column: readonly number[]): readonly number[] => {
      const wishes = new Map(column.map((vertex) => [vertex, wished(vertex)]))
      const sorted = column.toSorted((one, other) => (wishes.get(one) ?? 0) - (wishes.get(other) ?? 0))
      for (const [index, vertex] of sorted.entries()) places.set(vertex, index)
      return sorted
    }
    current = toRight ? current.map(reorder) : current.toReversed().map(reorder).reverse()
    const found = crossings(current, steps)
    if (found >= fewest) continue
    fewest = found
    best = current
  }
  return best
}

export const stepsOf = (chains: readonly Chain[]): Step[] =>
  chains.flatMap(({ vertices }) => vertices.slice(1).map((to, index): Step => [vertices[index] ?? to, to]))

export function crossings(layers: Layers, steps: readonly Step[]): number {
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

export const placesOf = (layers: Layers): Map<number, number> =>
  new Map(layers.flatMap((one) => one.map((vertex, index) => [vertex, index] as const)))

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length
