import { ALL_FIELDS, type FieldTree, type StoredMember } from '../../members/index.ts'
import type { Class, Included } from '../../vocabulary/index.ts'
import type { Include } from '../query/include.ts'
import {
  type AnswerLink,
  type AnswerNode,
  type AnswerNodes,
  countHoles,
  createAnswerNodes,
  createTargetAt,
  placesWithin,
} from './answer-nodes.ts'
import { createLookUps, type LookUpDependencies } from './look-ups.ts'

/** Linked members are read in portions of this many links: most of a long page may not fit. */
const LINKS_AT_ONCE = 1_000

interface AnswerDependencies extends LookUpDependencies {
  readonly include: Include
  /** What is shown of the members of the page; everything if it is undefined. */
  readonly fields?: FieldTree | undefined
  readonly maxBytes: number
  readonly baseLength: number
}

/** A node from which links are followed. `origin`: the first member of the page that leads to it. */
interface NodeVisit {
  readonly node: AnswerNode
  readonly wanted: Included
  readonly fields: FieldTree
  readonly origin: number
}

/** The members of a page and their included members, limited before any text is built. */
export interface PageAnswer extends Pick<AnswerNodes, 'page' | 'bytesOf'> {
  /** Reads the included members, and returns how many members of the page fit. */
  load(): Promise<number>
}

/**
 * Each link is read once, each member is looked up once, and each node is followed once for each set of wanted links,
 * however many links lead to it.
 */
export function createAnswer(
  cls: Class,
  members: readonly StoredMember[],
  dependencies: AnswerDependencies,
): PageAnswer {
  const { include, fields: ofPage = ALL_FIELDS, maxBytes, pause } = dependencies
  const nodes = createAnswerNodes(cls, members, dependencies)
  const { page, bytesOf } = nodes
  for (const { shown } of page) shown.add(ofPage)
  const lookUps = createLookUps(
    {
      has: (of, id) => nodes.find(of, id) !== undefined,
      add: (of, member) => bytesOf(nodes.add(of, member)),
    },
    dependencies,
  )
  const origins = createOrigins(bytesOf)
  /** The first member of the page with links that were not read, or with targets that were not looked up. */
  let unfinished = Number.POSITIVE_INFINITY

  /** Follows the wanted links of these nodes by one step, and returns the visits of the next. */
  async function follow(visits: readonly NodeVisit[], byteBudget: number): Promise<NodeVisit[]> {
    for (const visit of visits) {
      const { node, wanted, origin } = visit
      node.isPlain &&= wanted.size === 0
      if (nodes.linksOf(node) === undefined) unfinished = Math.min(unfinished, origin)
      for (const { link } of wantedLinks(visit)) lookUps.ask(link.target, link.id, origin)
      await pause()
    }
    unfinished = Math.min(unfinished, await lookUps.run(byteBudget))
    const next: NodeVisit[] = []
    for (const visit of visits) {
      const { origin } = visit
      for (const { link, within, fields } of wantedLinks(visit)) {
        link.to = nodes.find(link.target, link.id)
        if (link.to === undefined) continue
        link.to.shown.add(fields)
        origins.set(link.to, origin)
        // An address that stays in the node may have to be a node itself (isHidden), even if no member is included in it.
        const hasPlaces = link.isDirect && placesWithin(include, link.target).size > 0
        if (!hasPlaces || link.to.followed.has(within)) continue
        link.to.followed.add(within)
        next.push({ node: link.to, wanted: within, fields, origin })
      }
      await pause()
    }
    return next
  }

  async function load(): Promise<number> {
    for (let from = 0; from < page.length; ) {
      const to = endOfPortion(page, from)
      const visits = page
        .slice(from, to)
        .map((node, index) => ({ node, wanted: include.included, fields: ofPage, origin: from + index }))
      // If more bytes are read, the page ends before this portion, or after its first member.
      const first = page[from] as AnswerNode
      const byteBudget = maxBytes - origins.bytes() - (origins.has(first) ? 0 : bytesOf(first))
      await follow(await follow(visits, byteBudget), byteBudget)
      for (const { node, origin } of visits) origins.set(node, origin)
      const fitting = countFitting(origins.sizes(to).slice(0, unfinished), maxBytes)
      if (fitting < to) return fitting
      from = to
    }
    return page.length
  }
  return { page, bytesOf, load }
}

interface WantedLink {
  readonly link: AnswerLink
  readonly within: Included
  /** What is shown of the linked member. */
  readonly fields: FieldTree
}

/** The links of a node that are wanted and shown. */
function* wantedLinks({ node, wanted, fields }: NodeVisit): Iterable<WantedLink> {
  const targetAt = createTargetAt(wanted)
  for (const link of node.links ?? []) {
    const target = targetAt(link.property)
    const shown = fieldsAt(fields, link.property)
    if (target !== undefined && shown !== undefined) yield { link, within: target.within, fields: shown }
  }
}

/** What is shown at a path, such as `lines/product`; undefined for nothing. */
function fieldsAt(fields: FieldTree, path: string): FieldTree | undefined {
  let at: FieldTree | undefined = fields
  for (const name of fields.size === 0 ? [] : path.split('/')) {
    if (at === undefined || at.size === 0) return at
    at = at.get(name)
  }
  return at
}

/** For each node the first member of the page that leads to it, which needs the room for it. */
function createOrigins(bytesOf: (node: AnswerNode) => number) {
  const origins = new Map<AnswerNode, number>()
  const added: AnswerNode[] = []
  const sizes: number[] = []
  let total = 0
  return {
    has: (node: AnswerNode) => origins.has(node),
    set(node: AnswerNode, origin: number): void {
      const known = origins.get(node)
      if (known === undefined) added.push(node)
      if (known === undefined || origin < known) origins.set(node, origin)
    },
    /** The bytes of all portions before. */
    bytes: () => total,
    /** The bytes of each member of the page up to `to`, with its included members; called after each portion. */
    sizes(to: number): readonly number[] {
      while (sizes.length < to) sizes.push(0)
      // A later portion has only later origins, so that what was added before stays where it is.
      for (const node of added.splice(0)) {
        const origin = origins.get(node) as number
        sizes[origin] = (sizes[origin] ?? 0) + bytesOf(node)
        total += bytesOf(node)
      }
      return sizes
    },
  }
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
