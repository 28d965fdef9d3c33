import type { BoxRow, GraphBox, GraphLink, Rectangle } from './sizes.ts'

/**
 * A box in a column, or, without a box, the point where a line crosses the column on its way to another one. Until it is
 * placed in the picture, its `y` is its position in the column.
 */
export interface Vertex extends Rectangle {
  readonly box?: GraphBox
  /** Counted from the right. */
  column: number
  rows: readonly BoxRow[]
}

export interface Edge {
  readonly link: GraphLink
  readonly from: Vertex
  readonly to: Vertex
}

export interface Line extends Edge {
  /** From left to right: a box, the points that the line passes, a box. A link that closes a cycle points to the left. */
  readonly vertices: readonly Vertex[]
}

/** The pieces of lines that end at a vertex, each with the vertex at its other end. */
export type Neighbours = ReadonlyMap<Vertex, readonly { readonly line: Line; readonly other: Vertex }[]>

const UNKNOWN = -2
/** During the walk beyond a box: a link back to it closes a cycle, and is ignored. */
const OPEN = -1

export const createVertex = (given: Partial<Vertex>): Vertex => ({
  ...{ column: UNKNOWN, rows: [], x: 0, y: 0, width: 0, height: 0 },
  ...given,
})

/** Sets the column of each box, so that links point from left to right as far as possible. */
export function setColumns(edges: readonly Edge[]): void {
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const targets = new Set(edges.map(({ to }) => to))
  const walk = (vertex: Vertex): number => {
    if (vertex.column !== UNKNOWN) return vertex.column
    vertex.column = OPEN
    vertex.column = Math.max(0, ...(outgoing.get(vertex) ?? []).map(({ to }) => walk(to) + 1))
    return vertex.column
  }
  // From boxes without incoming links, most links point forward.
  const first = [...outgoing.keys()].filter((vertex) => !targets.has(vertex))
  const boxes = new Set([...first, ...outgoing.keys(), ...targets])
  for (const vertex of boxes) walk(vertex)
  // Move a box to the left if that shortens more links than it lengthens.
  for (const vertex of [...boxes].toSorted((one, other) => other.column - one.column)) {
    const ends = edges.filter(({ from, to }) => from === vertex || to === vertex)
    const columns = ends.map(({ from, to }) => Math.max(from.column, to.column))
    const left = columns.filter((column) => column > vertex.column)
    if (left.length > ends.length / 2) vertex.column = Math.min(...left) - 1
  }
}

export function lineOf(edge: Edge): Line {
  const [left, right] = edge.from.column > edge.to.column ? [edge.from, edge.to] : [edge.to, edge.from]
  const between = Array.from({ length: left.column - right.column - 1 }, (_, index) =>
    createVertex({ column: left.column - 1 - index }),
  )
  return { ...edge, vertices: [left, ...between, right] }
}

export const neighboursOf = (lines: readonly Line[]): Neighbours =>
  Map.groupBy(
    lines.flatMap((line) =>
      line.vertices.flatMap((vertex, index) =>
        [line.vertices[index - 1], line.vertices[index + 1]].flatMap((other) =>
          other ? { line, vertex, other } : [],
        ),
      ),
    ),
    ({ vertex }) => vertex,
  )

const SWEEPS = 8

/** The columns from left to right, each in an order with few crossings (barycentre method). */
export function columnsOf(boxes: readonly Vertex[], neighbours: Neighbours): readonly (readonly Vertex[])[] {
  const vertices = new Set([...boxes.filter((box) => neighbours.has(box)), ...neighbours.keys()])
  const byNumber = [...Map.groupBy(vertices, ({ column }) => column)]
  const columns = byNumber.toSorted(([one], [other]) => other - one).map(([, column]) => column)
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    // By the neighbours on the left and on the right, in turn.
    const side = sweep % 2 ? -1 : 1
    for (const column of side > 0 ? columns : columns.toReversed()) {
      for (const vertex of column) {
        const before = (neighbours.get(vertex) ?? []).filter(
          ({ other }) => other.column === vertex.column + side,
        )
        if (before.length > 0) vertex.y = mean(before.map(({ other }) => other.y))
      }
      column.sort((one, other) => one.y - other.y)
      for (const [index, vertex] of column.entries()) vertex.y = index
    }
  }
  return columns
}

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length
