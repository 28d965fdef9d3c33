import { type Column, createSides, drawArrows, drawLoops, roomForLoops } from './arrows.ts'
import { layer, mean, type Step, stepsOf, withFewCrossings } from './layers.ts'
import {
  type Arrow,
  type ClassGraph,
  type GraphBox,
  type GraphLink,
  heightOfBox,
  type Rectangle,
  SIZES,
  widthOfBox,
} from './sizes.ts'

export interface Layout {
  readonly width: number
  readonly height: number
  readonly boxes: readonly PlacedBox[]
  readonly arrows: readonly Arrow[]
}

export interface PlacedBox extends Rectangle {
  readonly box: GraphBox
}

/** With more boxes than this, lines would be a tangle: the boxes stand in rows, and the links in a list. */
export const MOST_LINKED = 40
/** The same for links; finding crossings takes the square of their number. */
export const MOST_LINES = 150

export const isTangle = ({ boxes, links }: ClassGraph): boolean =>
  boxes.length > MOST_LINKED || links.length > MOST_LINES

/** Linked boxes stand in columns, with links from left to right unless they close a cycle; the others below, in rows. */
export function layOut(graph: ClassGraph): Layout {
  const { boxes, links } = graph
  const places = new Map(boxes.map(({ id }, index) => [id, index]))
  const drawn = isTangle(graph) ? [] : links.filter(({ from, to }) => places.has(from) && places.has(to))
  const loops = Map.groupBy(
    drawn.filter(({ from, to }) => from === to),
    ({ from }) => from,
  )
  const between = drawn.filter(({ from, to }) => from !== to)
  const linked = layOutLinked(boxes, between, loops)
  const others = boxes.filter((box) => !linked.boxes.some((one) => one.box === box))
  const rows = layOutRows(others, loops, linked)
  return {
    width: Math.max(linked.width, rows.width),
    height: rows.height,
    boxes: [...linked.boxes, ...rows.boxes],
    arrows: [...linked.arrows, ...rows.arrows],
  }
}

type Loops = ReadonlyMap<string, readonly GraphLink[]>

function layOutLinked(boxes: readonly GraphBox[], links: readonly GraphLink[], loops: Loops): Layout {
  const indexOf = new Map(boxes.map(({ id }, index) => [id, index]))
  const layered = layer(
    boxes.length,
    links.map(({ from, to }) => ({ from: indexOf.get(from) ?? 0, to: indexOf.get(to) ?? 0 })),
  )
  if (layered.layers.length === 0) return { width: 0, height: SIZES.margin, boxes: [], arrows: [] }

  const sides = createSides(layered.chains, links, boxes, loops)
  const heightOf = (vertex: number): number => {
    const box = boxes[vertex]
    return box ? heightOfBox(box, Math.max(sides.slotsAt(vertex, 'left'), sides.slotsAt(vertex, 'right'))) : 0
  }
  const apart = (above: number, below: number): number => {
    const isPassing = above >= boxes.length || below >= boxes.length
    return (heightOf(above) + heightOf(below)) / 2 + (isPassing ? SIZES.passing : SIZES.gap)
  }
  const layers = withFewCrossings(layered)
  const steps = stepsOf(layered.chains)
  const middles = heights(layers, steps, apart)
  const tops = [...middles].map(([vertex, middle]) => middle - heightOf(vertex) / 2)
  const shift = SIZES.margin - Math.min(...tops)
  const middleOf = (vertex: number): number => (middles.get(vertex) ?? 0) + shift

  let x: number = SIZES.margin
  const columns = layers.map((vertices, index): Column => {
    const width = Math.max(0, ...vertices.map((one) => (boxes[one] ? widthOfBox(boxes[one]) : 0)))
    const left = x
    const start = left + (index === 0 ? 0 : sides.room(vertices, 'left'))
    const end = start + width
    const right = end + sides.room(vertices, 'right')
    const after = steps.filter(([from]) => vertices.includes(from))
    const steepest = Math.max(0, ...after.map(([from, to]) => Math.abs(middleOf(from) - middleOf(to))))
    // A steep line needs room to be told from its neighbours.
    x = right + (index === layers.length - 1 ? 0 : SIZES.bend + Math.min(SIZES.bend, steepest / 8))
    return { vertices, left, start, end, right }
  })

  const places = new Map(
    columns.flatMap(({ vertices, start, end }) =>
      vertices
        .filter((vertex) => vertex < boxes.length)
        .map((vertex): [number, Rectangle] => {
          const height = heightOf(vertex)
          return [vertex, { x: start, y: middleOf(vertex) - height / 2, width: end - start, height }]
        }),
    ),
  )
  const bottoms = [...middles.keys()].map((vertex) => middleOf(vertex) + heightOf(vertex) / 2)
  return {
    width: x + SIZES.margin,
    height: Math.max(...bottoms) + SIZES.margin,
    boxes: [...places].map(([vertex, place]) => ({ box: boxes[vertex] as GraphBox, ...place })),
    arrows: drawArrows(sides, columns, places, middleOf),
  }
}

function layOutRows(boxes: readonly GraphBox[], loops: Loops, above: Layout): Layout {
  const loopsOf = ({ id }: GraphBox): readonly GraphLink[] => loops.get(id) ?? []
  const width = Math.max(0, ...boxes.map(widthOfBox))
  const cell = width + Math.max(0, ...boxes.map((box) => roomForLoops(loopsOf(box))))
  const room = Math.max(SIZES.widest, above.width - 2 * SIZES.margin)
  const perRow = Math.max(1, Math.floor((room + SIZES.gap) / (cell + SIZES.gap)))
  const placed: PlacedBox[] = []
  const arrows: Arrow[] = []
  let y = above.height + (above.boxes.length && boxes.length ? SIZES.gap - SIZES.margin : 0)
  for (let start = 0; start < boxes.length; start += perRow) {
    const row = boxes.slice(start, start + perRow)
    const heightsOfRow = row.map((box) => heightOfBox(box, 2 * loopsOf(box).length))
    for (const [index, box] of row.entries()) {
      const x = SIZES.margin + index * (cell + SIZES.gap)
      const place = { x, y, width, height: heightsOfRow[index] ?? 0 }
      placed.push({ box, ...place })
      arrows.push(...drawLoops(loopsOf(box), place, 0, 2 * loopsOf(box).length))
    }
    y += Math.max(...heightsOfRow) + SIZES.gap
  }
  const perWidest = Math.min(perRow, boxes.length)
  return {
    width: perWidest ? 2 * SIZES.margin + perWidest * (cell + SIZES.gap) - SIZES.gap : 0,
    height: boxes.length ? y - SIZES.gap + SIZES.margin : above.height,
    boxes: placed,
    arrows,
  }
}

const SWEEPS = 16

/** The height of each vertex (its middle): in the order of its column, apart from the next, near to its links. */
function heights(
  layers: readonly (readonly number[])[],
  steps: readonly Step[],
  /** The least distance between the middles of two neighbours in a column. */
  apart: (above: number, below: number) => number,
): Map<number, number> {
  const left = Map.groupBy(steps, ([, right]) => right)
  const right = Map.groupBy(steps, ([from]) => from)
  const middles = new Map<number, number>()
  for (const column of layers) placeColumn(column, () => 0, apart, middles)
  for (let sweep = 0; sweep <= SWEEPS; sweep += 1) {
    const wish = (vertex: number): number => {
      const before = (left.get(vertex) ?? []).map(([from]) => middles.get(from) ?? 0)
      const after = (right.get(vertex) ?? []).map(([, to]) => middles.get(to) ?? 0)
      const near = sweep === SWEEPS ? [...before, ...after] : sweep % 2 === 0 ? before : after
      return mean(near) ?? middles.get(vertex) ?? 0
    }
    const order = sweep % 2 === 0 ? layers : layers.toReversed()
    for (const column of order) placeColumn(column, wish, apart, middles)
  }
  return middles
}

interface Block {
  /** The sum of the wished heights, without the distances to the vertices above. */
  sum: number
  readonly vertices: { readonly vertex: number; readonly offset: number }[]
}

/** Least squares within the order: neighbours whose wishes collide share the mean (isotonic regression, PAVA). */
function placeColumn(
  column: readonly number[],
  wish: (vertex: number) => number,
  apart: (above: number, below: number) => number,
  middles: Map<number, number>,
): void {
  const blocks: Block[] = []
  let offset = 0
  for (const [index, vertex] of column.entries()) {
    const above = column[index - 1]
    if (above !== undefined) offset += apart(above, vertex)
    let block: Block = { sum: wish(vertex) - offset, vertices: [{ vertex, offset }] }
    for (let last = blocks.at(-1); last && place(last) > place(block); last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, vertices: [...last.vertices, ...block.vertices] }
      blocks.pop()
    }
    blocks.push(block)
  }
  for (const block of blocks) {
    for (const { vertex, offset: below } of block.vertices) middles.set(vertex, place(block) + below)
  }
}

const place = ({ sum, vertices }: Block): number => sum / vertices.length
