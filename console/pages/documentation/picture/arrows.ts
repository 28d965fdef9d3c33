import { type Chain, mean } from './layers.ts'
import {
  type Arrow,
  type GraphBox,
  type GraphLink,
  type Point,
  type Rectangle,
  SIZES,
  widthOfLabel,
} from './sizes.ts'

/** From left to right: links end, boxes begin, boxes end, links may bend again. */
export interface Column {
  readonly vertices: readonly number[]
  readonly left: number
  readonly start: number
  readonly end: number
  readonly right: number
}

type SideName = 'left' | 'right'

type Sides = ReturnType<typeof createSides>

/** The links at the sides of boxes. A link that begins there has a slot for its label; those that end share one. */
export function createSides(
  chains: readonly Chain[],
  links: readonly GraphLink[],
  boxes: readonly GraphBox[],
  loopsById: ReadonlyMap<string, readonly GraphLink[]>,
) {
  // A backward link begins at the left of its box, and ends at the right of the other.
  const first = Map.groupBy(chains, ({ vertices }) => vertices[0])
  const last = Map.groupBy(chains, ({ vertices }) => vertices.at(-1))
  const at = (vertex: number, side: SideName): readonly Chain[] =>
    (side === 'right' ? first : last).get(vertex) ?? []
  const begins = (vertex: number, side: SideName): readonly Chain[] =>
    at(vertex, side).filter(({ backward }) => backward === (side === 'left'))
  const ends = (vertex: number, side: SideName): readonly Chain[] =>
    at(vertex, side).filter(({ backward }) => backward === (side === 'right'))
  const loops = (vertex: number): readonly GraphLink[] => loopsById.get(boxes[vertex]?.id ?? '') ?? []
  const linkOf = (chain: Chain): GraphLink => links[chain.link] as GraphLink
  const slotsAt = (vertex: number, side: SideName): number =>
    begins(vertex, side).length +
    (ends(vertex, side).length ? 1 : 0) +
    (side === 'right' ? 2 * loops(vertex).length : 0)
  /** The width that a column needs beside its boxes, for labels and heads of arrows. */
  const room = (vertices: readonly number[], side: SideName): number =>
    Math.max(
      SIZES.stub,
      ...vertices.flatMap((vertex) => [
        side === 'right' ? roomForLoops(loops(vertex)) : 0,
        ...begins(vertex, side).map((chain) => widthOfLabel(linkOf(chain)) + SIZES.stub),
      ]),
    )
  return { chains, loops, begins, ends, linkOf, slotsAt, room }
}

export function drawArrows(
  sides: Sides,
  columns: readonly Column[],
  places: ReadonlyMap<number, Rectangle>,
  middleOf: (vertex: number) => number,
): Arrow[] {
  const columnOf = new Map(
    columns.flatMap((column) => column.vertices.map((vertex) => [vertex, column] as const)),
  )
  const slots = new Map<string, number>()
  const arrows: Arrow[] = []
  for (const [vertex, place] of places) {
    for (const side of ['left', 'right'] as const) {
      const count = sides.slotsAt(vertex, side)
      const groups = inOrder(sides, vertex, side, middleOf)
      for (const [slot, group] of groups.entries()) {
        for (const { link } of group) slots.set(`${link} ${side}`, slotAt(place, slot, count))
      }
      if (side === 'right') arrows.push(...drawLoops(sides.loops(vertex), place, groups.length, count))
    }
  }

  const drawn = sides.chains.map((chain): Arrow => {
    const points = chain.vertices.flatMap((vertex, index): Point[] => {
      const { left, start, end, right } = columnOf.get(vertex) as Column
      if (index === 0) return level(slots.get(`${chain.link} right`), end, right)
      if (index === chain.vertices.length - 1) return level(slots.get(`${chain.link} left`), left, start)
      return level(middleOf(vertex), left, right)
    })
    const link = sides.linkOf(chain)
    const from = (chain.backward ? points.at(-1) : points[0]) as Point
    const width = widthOfLabel(link)
    return {
      link,
      points: chain.backward ? points.toReversed() : points,
      label: {
        x: chain.backward ? from.x - LABEL_INDENT - width : from.x + LABEL_INDENT,
        y: from.y - SIZES.labelHeight - SIZES.labelLift,
        width,
        height: SIZES.labelHeight,
        side: chain.backward ? 'right' : 'left',
      },
    }
  })
  return [...drawn, ...arrows]
}

const LABEL_INDENT = 8

const level = (y = 0, ...xs: readonly number[]): Point[] => xs.map((x) => ({ x, y }))

/** One group for each slot, from above: a link that comes from above ends above, so that lines do not cross. */
function inOrder(
  sides: Sides,
  vertex: number,
  side: SideName,
  middleOf: (vertex: number) => number,
): readonly (readonly Chain[])[] {
  const next = ({ vertices }: Chain): number => middleOf(vertices.at(side === 'right' ? 1 : -2) ?? vertex)
  const ends = sides.ends(vertex, side)
  const groups = [...sides.begins(vertex, side).map((chain) => [chain]), ...(ends.length ? [ends] : [])]
  const heightOf = (group: readonly Chain[]): number => mean(group.map(next)) ?? 0
  return groups.toSorted((one, other) => heightOf(one) - heightOf(other))
}

const OUT = 10
const BEFORE_LABEL = 6

const slotAt = ({ y, height }: Rectangle, slot: number, slots: number): number =>
  y + height / 2 + (slot - (slots - 1) / 2) * SIZES.slot

export const roomForLoops = (loops: readonly GraphLink[]): number =>
  loops.length
    ? OUT + SIZES.slot / 2 + BEFORE_LABEL + Math.max(...loops.map(widthOfLabel)) + SIZES.padding
    : 0

/** Links of a class to itself: out at the right of its box, and back in below. Each takes two slots. */
export const drawLoops = (
  loops: readonly GraphLink[],
  box: Rectangle,
  firstSlot: number,
  slots: number,
): Arrow[] =>
  loops.map((link, index) => {
    const out = slotAt(box, firstSlot + 2 * index, slots)
    const back = slotAt(box, firstSlot + 2 * index + 1, slots)
    const edge = box.x + box.width
    return {
      link,
      points: [
        { x: edge, y: out },
        { x: edge + OUT, y: out },
        { x: edge + OUT, y: back },
        { x: edge, y: back },
      ],
      label: {
        x: edge + OUT + SIZES.slot / 2 + BEFORE_LABEL,
        y: (out + back - SIZES.labelHeight) / 2,
        width: widthOfLabel(link),
        height: SIZES.labelHeight,
        side: 'left',
      },
    }
  })
