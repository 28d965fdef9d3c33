import { mean, type Step } from './crossings.ts'

const SWEEPS = 16

/** How high each vertex stands (its middle): in its column's order, apart from the next, near to what it is linked to. */
export function heights(
  layers: readonly (readonly number[])[],
  steps: readonly Step[],
  /** How far apart the middles of two neighbours in a column have to be. */
  apart: (above: number, below: number) => number,
): Map<number, number> {
  const left = Map.groupBy(steps, ([, right]) => right)
  const right = Map.groupBy(steps, ([from]) => from)
  const middles = new Map<number, number>()
  for (const column of layers) settle(column, () => 0, apart, middles)
  for (let sweep = 0; sweep <= SWEEPS; sweep += 1) {
    const wish = (vertex: number): number => {
      const before = (left.get(vertex) ?? []).map(([from]) => middles.get(from) ?? 0)
      const after = (right.get(vertex) ?? []).map(([, to]) => middles.get(to) ?? 0)
      const near = sweep === SWEEPS ? [...before, ...after] : sweep % 2 === 0 ? before : after
      return mean(near) ?? middles.get(vertex) ?? 0
    }
    const order = sweep % 2 === 0 ? layers : layers.toReversed()
    for (const column of order) settle(column, wish, apart, middles)
  }
  return middles
}

interface Block {
  /** Where all of it would like to be, before what it has to keep from those above is added. */
  sum: number
  readonly vertices: { readonly vertex: number; readonly offset: number }[]
}

/**
 * As near to the wishes as the order allows, in the sense of least squares: neighbours whose wishes collide become a
 * block that stands where its vertices wish on average (isotonic regression by pooling adjacent violators).
 */
function settle(
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
