import {
  columnsOf,
  createVertex,
  type Edge,
  type Line,
  lineOf,
  mean,
  type Neighbours,
  neighboursOf,
  setColumns,
  type Vertex,
} from './layers.ts'
import {
  type Arrow,
  type ClassGraph,
  cardinality,
  type GraphBox,
  heightOfBox,
  heightOfRow,
  type PictureLayout,
  type Point,
  SIZES,
  widthOfBox,
} from './sizes.ts'

/** With more boxes than this, lines would be a tangle: the boxes are in rows, and the links only in the list. */
export const MOST_LINKED = 40
/** The same for links. */
export const MOST_LINES = 150

export const isTangle = ({ boxes, links }: ClassGraph): boolean =>
  boxes.length > MOST_LINKED || links.length > MOST_LINES

/** Linked boxes are in columns, with links from left to right unless they close a cycle; the others are in rows below. */
export function layOut(graph: ClassGraph): PictureLayout {
  const boxes = new Map(graph.boxes.map((box) => [box.id, createVertex({ box })]))
  const edges = (isTangle(graph) ? [] : graph.links).flatMap((link): Edge[] => {
    const [from, to] = [boxes.get(link.from), boxes.get(link.to)]
    return from && to ? [{ link, from, to }] : []
  })
  const loops = edges.filter(({ from, to }) => from === to)
  const others = edges.filter(({ from, to }) => from !== to)
  setColumns(others)
  const lines = others.map(lineOf)
  const neighbours = neighboursOf(lines)
  const all = [...boxes.values()]
  const unlinked = all.filter((vertex) => !neighbours.has(vertex))
  const columns = columnsOf(all, neighbours)
  writeRows(all, [...loops, ...lines.toSorted((one, other) => nextOf(one) - nextOf(other))])
  placeColumns(columns, neighbours)
  placeBelow(columns.flat(), unlinked)
  const placed = [...columns.flat(), ...unlinked]
  return {
    width: Math.max(0, ...placed.map(({ x, width }) => x + width)) + SIZES.side + SIZES.margin,
    height: Math.max(0, ...placed.map(({ y, height }) => y + height)) + SIZES.margin,
    boxes: placed.flatMap(({ box, ...vertex }) => (box ? { box, ...vertex } : [])),
    arrows: [...lines.map(drawLine), ...loops.map(drawLoop)],
  }
}

/** First the links of a box to itself, then the others by the height of their target, so that few lines cross. */
function writeRows(boxes: readonly Vertex[], edges: readonly Edge[]): void {
  for (const vertex of boxes) {
    const { title, lines } = vertex.box as GraphBox
    const links = edges.filter(({ from }) => from === vertex)
    vertex.rows = [...lines, ...links.map(({ link }) => ({ name: link.name, type: cardinality(link), link }))]
    vertex.width = widthOfBox(title, vertex.rows)
    vertex.height = heightOfBox(vertex.rows.length)
  }
}

/** The position in its column of the vertex that a line comes to first. */
const nextOf = ({ from, vertices }: Line): number => vertices.at(vertices[0] === from ? 1 : -2)?.y ?? 0

const HEAD = SIZES.head / 2

/** Where a line meets one of its vertices, from the top of that vertex. */
function portOf({ link, from, to }: Edge, vertex: Vertex): number {
  if (vertex === from) return heightOfRow(from.rows.findIndex((row) => row.link === link))
  return vertex === to ? HEAD : 0
}

const SWEEPS = 8

/** Places each vertex where its lines are straight, as far as its neighbours in the column leave room. */
function placeColumns(columns: ReturnType<typeof columnsOf>, neighbours: Neighbours): void {
  const wish = (vertex: Vertex): number =>
    mean(
      (neighbours.get(vertex) ?? []).map(
        ({ line, other }) => other.y + portOf(line, other) - portOf(line, vertex),
      ),
    )
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of columns) {
      let offset = 0
      const wishes = column.map((vertex, index) => {
        const above = column[index - 1]
        if (above) offset += above.height + (above.box && vertex.box ? SIZES.gap : SIZES.passing)
        return { vertex, offset, top: wish(vertex) - offset }
      })
      // If wishes collide: halfway between those above, which push down, and those below, which push up.
      for (const [index, { vertex, offset }] of wishes.entries()) {
        const above = Math.max(...wishes.slice(0, index + 1).map(({ top }) => top))
        const below = Math.min(...wishes.slice(index).map(({ top }) => top))
        vertex.y = (above + below) / 2 + offset
      }
    }
  }
  const highest = Math.min(...columns.flat().map(({ y }) => y))
  let x: number = SIZES.margin
  for (const column of columns) {
    const width = Math.max(...column.map((vertex) => vertex.width))
    for (const vertex of column) Object.assign(vertex, { x, y: vertex.y - highest + SIZES.margin, width })
    x += width + 2 * SIZES.side + SIZES.bend
  }
}

/** Places the boxes without links, side by side in rows. */
function placeBelow(placed: readonly Vertex[], others: readonly Vertex[]): void {
  const width = Math.max(0, ...others.map((vertex) => vertex.width))
  const cell = width + SIZES.side + SIZES.gap
  const room = Math.max(SIZES.widest, ...placed.map((vertex) => vertex.x + vertex.width))
  const perRow = Math.max(1, Math.floor(room / cell))
  let y = Math.max(SIZES.margin, ...placed.map((vertex) => vertex.y + vertex.height + SIZES.gap))
  for (let start = 0; start < others.length; start += perRow) {
    const row = others.slice(start, start + perRow)
    for (const [index, vertex] of row.entries())
      Object.assign(vertex, { x: SIZES.margin + index * cell, y, width })
    y += Math.max(...row.map(({ height }) => height)) + SIZES.gap
  }
}

function drawLine(line: Line): Arrow {
  const { link, from, vertices } = line
  const points = vertices.flatMap((vertex, index): Point[] => {
    const { x, width } = vertex
    const y = vertex.y + portOf(line, vertex)
    const left = index === 0 ? x + width : x - SIZES.side
    const right = index === vertices.length - 1 ? x : x + width + SIZES.side
    return [at(left, y), at(right, y)]
  })
  return { link, points: vertices[0] === from ? points : points.toReversed() }
}

/** Leaves the box on the right and comes back at its head. Several loops enclose each other. */
function drawLoop(edge: Edge, _: number, loops: readonly Edge[]): Arrow {
  const { x, y, width } = edge.from
  const own = loops.filter(({ from }) => from === edge.from)
  const out = x + width + ((SIZES.side - SIZES.bulge) * (own.indexOf(edge) + 1)) / own.length
  const start = y + portOf(edge, edge.from)
  const end = y + HEAD
  const right = x + width
  return { link: edge.link, points: [at(right, start), at(out, start), at(out, end), at(right, end)] }
}

const at = (x: number, y: number): Point => ({ x, y })
