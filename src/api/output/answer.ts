import type { StoredMember } from '../../members/index.ts'
import type { Class, Included } from '../../vocabulary/index.ts'
import type { Include } from '../query/include.ts'
import {
  type AnswerLink,
  type AnswerNode,
  type AnswerNodes,
  countHoles,
  createAnswerNodes,
  MAX_SHOWN,
  placesWithin,
  targetAt,
} from './answer-nodes.ts'

/** Linked members are read in portions of this many links: most of a long page may not fit. */
const LINKS_AT_ONCE = 1_000

interface AnswerDependencies {
  readonly include: Include
  readonly maxBytes: number
  readonly baseLength: number
  /** Finds members in the order of their ids, as many as fit into `maxBytes`. */
  find(cls: Class, ids: readonly string[]): Promise<readonly StoredMember[]>
  /** Yields to other requests; awaited often. */
  pause(): Promise<void> | undefined
}

/** A node from which links are followed. `origin`: the first member of the page that leads to it. */
interface NodeVisit {
  readonly node: AnswerNode
  readonly wanted: Included
  readonly origin: number
}

/** The members of a page and their included members, limited before any text is built. */
export interface PageAnswer extends Pick<AnswerNodes, 'page' | 'bytesOf'> {
  /** Reads the included members, and returns how many members of the page fit. */
  load(): Promise<number>
}

export function createAnswer(
  cls: Class,
  members: readonly StoredMember[],
  dependencies: AnswerDependencies,
): PageAnswer {
  const { include, maxBytes, pause } = dependencies
  const nodes = createAnswerNodes(cls, members, dependencies)
  const { page, bytesOf } = nodes
  const origins = new Map<AnswerNode, number>()
  /** The first member of the page with links that were not read. */
  let unfinished = Number.POSITIVE_INFINITY

  const setOrigin = (node: AnswerNode, origin: number) =>
    origins.set(node, Math.min(origin, origins.get(node) ?? origin))

  /** Follows the wanted links of these nodes by one step, and returns the visits of the next. */
  async function follow(visits: readonly NodeVisit[]): Promise<NodeVisit[]> {
    const followed: { readonly link: AnswerLink; readonly within: Included; readonly origin: number }[] = []
    const missing = new Map<Class, Set<string>>()
    for (const { node, wanted, origin } of visits) {
      node.isPlain &&= wanted.size === 0
      const links = nodes.linksOf(node)
      if (links === undefined) unfinished = Math.min(unfinished, origin)
      for (const link of links ?? []) {
        const target = targetAt(wanted, link.property)
        if (target === undefined) continue
        followed.push({ link, within: target.within, origin })
        if (nodes.find(target.cls, link.id) !== undefined) continue
        const ids = missing.get(target.cls) ?? new Set()
        if (ids.size <= MAX_SHOWN) missing.set(target.cls, ids.add(link.id))
      }
      await pause()
    }
    await readMissing(missing, nodes, dependencies)
    return followed.flatMap(({ link, within, origin }) => {
      const node = nodes.find(link.target, link.id)
      if (node === undefined) return []
      link.to = node
      setOrigin(node, origin)
      // An address that stays in the node may have to be a node itself (isHidden), even if no member is included in it.
      const hasPlaces = link.isDirect && placesWithin(include, link.target).size > 0
      return hasPlaces ? [{ node, wanted: within, origin }] : []
    })
  }

  async function load(): Promise<number> {
    for (let from = 0; from < page.length; ) {
      const to = endOfPortion(page, from)
      const visits = page
        .slice(from, to)
        .map((node, index) => ({ node, wanted: include.included, origin: from + index }))
      await follow(await follow(visits))
      for (const { node, origin } of visits) setOrigin(node, origin)
      const sizes = new Array<number>(to).fill(0)
      for (const [node, origin] of origins) sizes[origin] = (sizes[origin] ?? 0) + bytesOf(node)
      const fitting = countFitting(sizes.slice(0, unfinished), maxBytes)
      if (fitting < to) return fitting
      from = to
    }
    return page.length
  }
  return { page, bytesOf, load }
}

/** How many members of these sizes fit into `maxBytes`; at least one. */
function countFitting(sizes: readonly number[], maxBytes: number): number {
  let total = 0
  const over = sizes.findIndex((size) => {
    total += size
    return total > maxBytes
  })
  return Math.max(1, over < 0 ? sizes.length : over)
}

function endOfPortion(page: readonly AnswerNode[], from: number): number {
  let to = from
  for (let links = 0; to < page.length && links < LINKS_AT_ONCE; to += 1)
    links += countHoles((page[to] as AnswerNode).member.baseUrlOffsets) || 1
  return to
}

/** Uses one lookup for each class. On PostgreSQL they run concurrently; SQLite reads each on this thread. */
async function readMissing(
  missing: ReadonlyMap<Class, ReadonlySet<string>>,
  nodes: AnswerNodes,
  { find, pause }: AnswerDependencies,
): Promise<void> {
  const lookUps: Promise<void>[] = []
  for (const [to, ids] of missing) {
    const lookUp = find(to, [...ids]).then((found) => {
      for (const member of found) nodes.add(to, member)
    })
    lookUp.catch(() => {})
    lookUps.push(lookUp)
    await pause()
  }
  await Promise.all(lookUps)
}
