/** The boxes in columns, so that links point from left to right as far as possible. */
export interface Layered {
  /** Vertices by column. A number below that of the boxes is a box; any other is where a long link passes through. */
  readonly layers: readonly (readonly number[])[]
  readonly chains: readonly Chain[]
}

/** One link from left to right: a box, the vertices that it passes through, a box. */
export interface Chain {
  readonly link: number
  readonly vertices: readonly number[]
  /** The link closes a cycle, and points to the left. */
  readonly backward: boolean
}

interface Edge {
  readonly from: number
  readonly to: number
}

/** Boxes without edges stand in no column. */
export function layer(count: number, edges: readonly Edge[]): Layered {
  const backward = closingEdges(count, edges)
  const forward = edges.map((edge, index) => (backward.has(index) ? { from: edge.to, to: edge.from } : edge))
  const columns = columnsOf(count, forward)
  const layers: number[][] = []
  const add = (vertex: number, column: number): void => {
    while (layers.length <= column) layers.push([])
    layers[column]?.push(vertex)
  }
  for (const [vertex, column] of columns) add(vertex, column)
  let next = count
  const chains = forward.map(({ from, to }, link): Chain => {
    const vertices = [from]
    for (let column = at(columns, from) + 1; column < at(columns, to); column += 1) {
      add(next, column)
      vertices.push(next)
      next += 1
    }
    return { link, vertices: [...vertices, to], backward: backward.has(link) }
  })
  return { layers, chains }
}

function closingEdges(count: number, edges: readonly Edge[]): ReadonlySet<number> {
  const outgoing = indexesBy(edges, ({ from }) => from)
  const incoming = indexesBy(edges, ({ to }) => to)
  const state = new Map<number, 'open' | 'done'>()
  const closing = new Set<number>()

  const walk = (vertex: number): void => {
    state.set(vertex, 'open')
    for (const index of outgoing.get(vertex) ?? []) {
      const to = edges[index]?.to ?? vertex
      if (state.get(to) === 'open') closing.add(index)
      else if (!state.has(to)) walk(to)
    }
    state.set(vertex, 'done')
  }
  // The walk begins at boxes without incoming links: from there, most links point forward.
  const all = Array.from({ length: count }, (_, vertex) => vertex)
  for (const vertex of [...all.filter((one) => !incoming.has(one)), ...all])
    if (!state.has(vertex)) walk(vertex)
  return closing
}

/** As far left as the links allow; then to the right where that shortens more links than it lengthens. */
function columnsOf(count: number, edges: readonly Edge[]): Map<number, number> {
  const outgoing = indexesBy(edges, ({ from }) => from)
  const incoming = indexesBy(edges, ({ to }) => to)
  const columns = new Map<number, number>()
  const order: number[] = []

  const columnOf = (vertex: number): number => {
    const known = columns.get(vertex)
    if (known !== undefined) return known
    const before = (incoming.get(vertex) ?? []).map((index) => columnOf(edges[index]?.from ?? vertex))
    const column = Math.max(-1, ...before) + 1
    columns.set(vertex, column)
    order.push(vertex)
    return column
  }
  for (let vertex = 0; vertex < count; vertex += 1) {
    if (outgoing.has(vertex) || incoming.has(vertex)) columnOf(vertex)
  }
  for (const vertex of order.reverse()) {
    const after = outgoing.get(vertex) ?? []
    if (after.length <= (incoming.get(vertex)?.length ?? 0)) continue
    columns.set(vertex, Math.min(...after.map((index) => at(columns, edges[index]?.to ?? vertex))) - 1)
  }
  return columns
}

function indexesBy(edges: readonly Edge[], key: (edge: Edge) => number): Map<number, number[]> {
  const indexes = edges.map((_, index) => index)
  return Map.groupBy(indexes, (index) => key(edges[index] as Edge))
}

const at = (columns: ReadonlyMap<number, number>, vertex: number): number => columns.get(vertex) ?? 0

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
