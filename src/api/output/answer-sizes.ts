/** How many bytes each member of a page needs, with everything that is included because of it. */
export interface AnswerSizes<Node> {
  has(node: Node): boolean
  /** Counts a node once, at the first member of the page that leads to it (`origin`). */
  set(node: Node, origin: number): void
  /** Counts further bytes. */
  add(origin: number, bytes: number): void
  addedAt(origin: number): number
  /** The bytes of all portions before. */
  bytes(): number
  /** The bytes of each member of the page up to `to`; called after each portion. */
  upTo(to: number): readonly number[]
}

/** The first member of the page that leads to a node needs the room for it. */
export function createAnswerSizes<Node>(bytesOf: (node: Node) => number): AnswerSizes<Node> {
  const origins = new Map<Node, number>()
  const added: Node[] = []
  const sizes: number[] = []
  let total = 0
  function add(origin: number, bytes: number): void {
    while (sizes.length <= origin) sizes.push(0)
    sizes[origin] = (sizes[origin] ?? 0) + bytes
    total += bytes
  }
  return {
    add,
    addedAt: (origin) => sizes[origin] ?? 0,
    has: (node) => origins.has(node),
    set(node, origin) {
      const known = origins.get(node)
      if (known === undefined) added.push(node)
      if (known === undefined || origin < known) origins.set(node, origin)
    },
    bytes: () => total,
    upTo(to) {
      // A later portion has only later origins, so the sizes that were added before do not change.
      for (const node of added.splice(0)) add(origins.get(node) as number, bytesOf(node))
      while (sizes.length < to) sizes.push(0)
      return sizes
    },
  }
}

/** How many members of these sizes fit into `maxBytes`; at least one. */
export function countFitting(sizes: readonly number[], maxBytes: number): number {
  let total = 0
  const over = sizes.findIndex((size) => {
    total += size
    return total > maxBytes
  })
  return Math.max(1, over < 0 ? sizes.length : over)
}
