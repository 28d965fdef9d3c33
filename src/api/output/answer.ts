import { ALL_FIELDS, type FieldTree, type StoredMember } from '../../members/index.ts'
import type { Class, Included } from '../../vocabulary/index.ts'
import {
  type AnswerCollectionDependencies,
  createAnswerCollections,
  fieldsAt,
  type NodeVisit,
  wantedCollections,
} from './answer-collections.ts'
import {
  type AnswerLimits,
  type AnswerLink,
  type AnswerNode,
  type AnswerNodes,
  countHoles,
  createAnswerNodes,
  createTargetAt,
  placesWithin,
} from './answer-nodes.ts'
import { countFitting, createAnswerSizes } from './answer-sizes.ts'
import { createLookUps, type LookUpDependencies } from './look-ups.ts'

/** Linked members are read in portions of this many links: most of a long page may not fit. */
const LINKS_AT_ONCE = 1_000

interface AnswerDependencies extends LookUpDependencies, AnswerCollectionDependencies, AnswerLimits {
  /** What is shown of the members of the page; everything if it is undefined. */
  readonly fields?: FieldTree | undefined
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
  const sizes = createAnswerSizes(bytesOf)
  const collections = createAnswerCollections(nodes, sizes, dependencies)
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
    unfinished = Math.min(unfinished, await collections.read(visits, byteBudget))
    const next: NodeVisit[] = []
    for (const visit of visits) {
      const { node, origin } = visit
      for (const { link, ...wanted } of wantedLinks(visit)) {
        link.to = nodes.find(link.target, link.id)
        if (link.to === undefined) continue
        sizes.set(link.to, origin)
        next.push(...visitsTo(link.to, wanted, { origin, isDirect: link.isDirect }))
      }
      for (const { link, ...wanted } of wantedCollections(visit))
        for (const to of node.collections.get(link.name)?.members ?? [])
          next.push(...visitsTo(to, wanted, { origin, isDirect: true }))
      await pause()
    }
    return next
  }

  /** Shows a node at one more place, and follows its links unless that was done for the same links before. */
  function visitsTo(
    node: AnswerNode,
    { within, fields }: Omit<LinkToLoad, 'link'>,
    { origin, isDirect }: { readonly origin: number; readonly isDirect: boolean },
  ): NodeVisit[] {
    node.shown.add(fields)
    // An address that stays in the node may have to be a node itself (isHidden), even if no member is included in it.
    const hasPlaces = isDirect && placesWithin(include, node.cls).size > 0
    if (!hasPlaces || node.followed.has(within)) return []
    node.followed.add(within)
    return [{ node, wanted: within, fields, origin }]
  }

  async function load(): Promise<number> {
    for (let from = 0; from < page.length; ) {
      const to = endOfPortion(page, from)
      const visits = page
        .slice(from, to)
        .map((node, index) => ({ node, wanted: include.included, fields: ofPage, origin: from + index }))
      // If more bytes are read, the page ends before this portion, or after its first member.
      const first = page[from] as AnswerNode
      const byteBudget = maxBytes - sizes.bytes() - (sizes.has(first) ? 0 : bytesOf(first))
      await follow(await follow(visits, byteBudget), byteBudget)
      for (const { node, origin } of visits) sizes.set(node, origin)
      const fitting = countFitting(sizes.upTo(to).slice(0, unfinished), maxBytes)
      if (fitting < to) return fitting
      from = to
    }
    return page.length
  }
  return { page, bytesOf, load }
}

interface LinkToLoad {
  readonly link: AnswerLink
  readonly within: Included
  /** What is shown of the linked member. */
  readonly fields: FieldTree
}

/** The links of a node that are wanted and shown. */
function* wantedLinks({ node, wanted, fields }: NodeVisit): Iterable<LinkToLoad> {
  const targetAt = createTargetAt(wanted)
  for (const link of node.links ?? []) {
    const target = targetAt(link.property)
    const shown = fieldsAt(fields, link.property)
    if (target !== undefined && shown !== undefined) yield { link, within: target.within, fields: shown }
  }
}

function endOfPortion(page: readonly AnswerNode[], from: number): number {
  let to = from
  for (let links = 0; to < page.length && links < LINKS_AT_ONCE; to += 1)
    links += countHoles((page[to] as AnswerNode).member.baseUrlOffsets) || 1
  return to
}
