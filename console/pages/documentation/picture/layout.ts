import { counted } from '../../../shared/names.ts'
import { type Chain, type Layers, layer, mean, placesOf, withFewCrossings } from './layers.ts'
import {
  type Arrow,
  type ClassGraph,
  cardinality,
  type GraphBox,
  type GraphLink,
  heightOfBox,
  heightOfRow,
  type Layout,
  type Point,
  type Rectangle,
  type Row,
  type Shape,
  SIZES,
  widthOfBox,
} from './sizes.ts'

/** With more boxes than this, lines would be a tangle: the boxes stand in rows, and the links in a list. */
export const MOST_LINKED = 40
/** The same for links; finding crossings takes the square of their number. */
export const MOST_LINES = 150

export const isTangle = ({ boxes, links }: ClassGraph): boolean =>
  boxes.length > MOST_LINKED || links.length > MOST_LINES

interface Edge {
  readonly link: GraphLink
  readonly from: number
  readonly to: number
}

/** Linked boxes stand in columns, with links from left to right unless they close a cycle; the others below, side by side. */
export function layOut(graph: ClassGraph): Layout {
  const { boxes, links } = graph
  const indexes = new Map(boxes.map(({ id }, index) => [id, index]))
  const edges = (isTangle(graph) ? [] : links).flatMap((link): Edge[] => {
    const [from, to] = [indexes.get(link.from), indexes.get(link.to)]
    return from === undefined || to === undefined ? [] : [{ link, from, to }]
  })
  const loops = edges.filter(({ from, to }) => from === to)
  const layered = layer(
    boxes.length,
    edges.filter(({ from, to }) => from !== to),
  )
  const layers = withFewCrossings(layered)
  const shapes = shapesOf(boxes, loops, layered.chains, layers)
  const places = placeColumns(shapes, layers, layered.chains)
  placeOthers(shapes, places)
  const all = [...places.values()]
  return {
    width: Math.max(0, ...all.map(({ x, width }) => x + width)) + SIZES.side + SIZES.margin,
    height: Math.max(0, ...all.map(({ y, height }) => y + height)) + SIZES.margin,
    boxes: [...places].flatMap(([vertex, place]) => (shapes[vertex] ? { ...shapes[vertex], ...place } : [])),
    arrows: [
      ...layered.chains.map((chain) => drawChain(chain, shapes, places)),
      ...[...Map.groupBy(loops, ({ from }) => from).values()].flatMap((of) => drawLoops(of, shapes, places)),
    ],
  }
}

type Shapes = readonly Shape[]
type Places = Map<number, Rectangle>

/** Links of a box to itself are its first, then those to what stands above others: so lines hardly cross. */
function shapesOf(
  boxes: readonly GraphBox[],
  loops: readonly Edge[],
  chains: readonly Chain<Edge>[],
  layers: Layers,
): Shapes {
  const places = placesOf(layers)
  const next = ({ vertices, backward }: Chain): number => vertices.at(backward ? -2 : 1) ?? 0
  const inOrder = chains.toSorted(
    (one, other) => (places.get(next(one)) ?? 0) - (places.get(next(other)) ?? 0),
  )
  const links = Map.groupBy([...loops, ...inOrder.map(({ edge }) => edge)], ({ from }) => from)
  return boxes.map((box, vertex) => {
    const { title, lines, more } = box
    const count = `${lines.length ? '+ ' : ''}${counted(more, 'properties')}`
    const rows: readonly Row[] = [
      ...lines,
      ...(more > 0 ? [{ name: '', type: count }] : []),
      ...(links.get(vertex) ?? []).map(({ link }) => ({ name: link.name, type: cardinality(link), link })),
    ]
    return { box, rows, width: widthOfBox(title, rows), height: heightOfBox(rows.length) }
  })
}

const HEAD = SIZES.head / 2

/** Where a link begins, from the top of its box on. */
const startOf = ({ link, from }: Edge, shapes: Shapes): number =>
  heightOfRow(shapes[from]?.rows.findIndex((row) => row.link === link) ?? 0)

/** Where a link meets one of the vertices on its way, from the top of that on. */
function portOf({ edge, vertices, backward }: Chain<Edge>, index: number, shapes: Shapes): number {
  if (index > 0 && index < vertices.length - 1) return 0
  return (index === 0) === backward ? HEAD : startOf(edge, shapes)
}

function placeColumns(shapes: Shapes, layers: Layers, chains: readonly Chain<Edge>[]): Places {
  const steps = chains.flatMap((chain) =>
    chain.vertices.slice(1).flatMap((to, index): Step[] => {
      const from = chain.vertices[index] ?? to
      const drop = portOf(chain, index, shapes) - portOf(chain, index + 1, shapes)
      return [
        { from, to, drop },
        { from: to, to: from, drop: -drop },
      ]
    }),
  )
  const heightOf = (vertex: number): number => shapes[vertex]?.height ?? 0
  const tops = topsOf(
    layers,
    steps,
    (above, below) => heightOf(above) + (shapes[above] && shapes[below] ? SIZES.gap : SIZES.passing),
  )
  const highest = Math.min(...tops.values())
  let x: number = SIZES.margin
  const places = layers.flatMap((column) => {
    const width = Math.max(...column.map((vertex) => shapes[vertex]?.width ?? 0))
    const left = x
    x += width + 2 * SIZES.side + SIZES.bend
    return column.map((vertex): [number, Rectangle] => {
      const y = (tops.get(vertex) ?? 0) - highest + SIZES.margin
      return [vertex, { x: left, y, width, height: heightOf(vertex) }]
    })
  })
  return new Map(places)
}

/** Those without a place yet, side by side in rows below. */
function placeOthers(shapes: Shapes, places: Places): void {
  const all = [...places.values()]
  const others = [...shapes.entries()].filter(([vertex]) => !places.has(vertex))
  const width = Math.max(0, ...others.map(([, shape]) => shape.width))
  const cell = width + SIZES.side + SIZES.gap
  const room = Math.max(SIZES.widest, ...all.map((place) => place.x + place.width))
  const perRow = Math.max(1, Math.floor(room / cell))
  let y = Math.max(SIZES.margin, ...all.map((place) => place.y + place.height + SIZES.gap))
  for (let start = 0; start < others.length; start += perRow) {
    const row = others.slice(start, start + perRow)
    for (const [index, [vertex, { height }]] of row.entries())
      places.set(vertex, { x: SIZES.margin + index * cell, y, width, height })
    y += Math.max(...row.map(([, { height }]) => height)) + SIZES.gap
  }
}

function drawChain(chain: Chain<Edge>, shapes: Shapes, places: Places): Arrow {
  const { edge, vertices, backward } = chain
  const points = vertices.flatMap((vertex, index): Point[] => {
    const place = places.get(vertex) ?? NOWHERE
    const y = place.y + portOf(chain, index, shapes)
    const left = index === 0 ? place.x + place.width : place.x - SIZES.side
    const right = index === vertices.length - 1 ? place.x : place.x + place.width + SIZES.side
    return [
      { x: left, y },
      { x: right, y },
    ]
  })
  return { link: edge.link, points: backward ? points.toReversed() : points }
}

const NOWHERE: Rectangle = { x: 0, y: 0, width: 0, height: 0 }

/** Out at the right of the box, and back in at its head: one around the other. */
const drawLoops = (loops: readonly Edge[], shapes: Shapes, places: Places): Arrow[] =>
  loops.map((edge, index) => {
    const { x, y, width } = places.get(edge.from) ?? NOWHERE
    const out = x + width + ((SIZES.side - SIZES.bulge) * (index + 1)) / loops.length
    const start = y + startOf(edge, shapes)
    const end = y + HEAD
    return {
      link: edge.link,
      points: [
        { x: x + width, y: start },
        { x: out, y: start },
        { x: out, y: end },
        { x: x + width, y: end },
      ],
    }
  })

/** One of two neighbours on a line. `drop`: how far its top is below that of the other where the line is straight. */
interface Step {
  readonly from: number
  readonly to: number
  readonly drop: number
}

const SWEEPS = 8

/** The top of each vertex: in the order of its column, apart from the next, near to where its lines are straight. */
function topsOf(
  layers: Layers,
  steps: readonly Step[],
  /** The least distance between the tops of two neighbours in a column. */
  apart: (above: number, below: number) => number,
): Map<number, number> {
  const stepsAt = Map.groupBy(steps, ({ to }) => to)
  const tops = new Map<number, number>()
  const wish = (vertex: number): number =>
    mean((stepsAt.get(vertex) ?? []).map(({ from, drop }) => (tops.get(from) ?? 0) + drop))
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of layers) {
      let offset = 0
      const wishes = column.map((vertex, index) => {
        offset += index && apart(column[index - 1] ?? vertex, vertex)
        return { vertex, offset, top: wish(vertex) - offset }
      })
      // Where wishes collide: halfway between those above, which push down, and those below, which push up.
      for (const [index, { vertex, offset }] of wishes.entries()) {
        const above = Math.max(...wishes.slice(0, index + 1).map(({ top }) => top))
        const below = Math.min(...wishes.slice(index).map(({ top }) => top))
        tops.set(vertex, (above + below) / 2 + offset)
      }
    }
  }
  return tops
}
