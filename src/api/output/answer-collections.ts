import type { FieldTree } from '../../members/index.ts'
import type { Class, Included, ReverseLink } from '../../vocabulary/index.ts'
import type { AnswerNode, AnswerNodes, IncludedPage } from './answer-nodes.ts'
import type { AnswerSizes } from './answer-sizes.ts'
import type { LookUpDependencies } from './look-ups.ts'

/** Maximum number of collections that are read for one response. */
const MAX_COLLECTIONS = 1_000

/** A node from which links are followed. `origin`: the first member of the page that leads to it. */
export interface NodeVisit {
  readonly node: AnswerNode
  readonly wanted: Included
  readonly fields: FieldTree
  readonly origin: number
}

/** The link of a member whose collection is read. */
export interface ReverseLinkOf {
  readonly cls: Class
  readonly id: string
  readonly link: ReverseLink
}

/** How much of the collection there is room for. */
export interface IncludedPageLimits {
  readonly members: number
  readonly bytes: number
}

export interface AnswerCollectionDependencies extends Pick<LookUpDependencies, 'pause'> {
  /** Reads the collection that a link from the other side leads to, as far as there is room for it. */
  readPage(from: ReverseLinkOf, limits: IncludedPageLimits): Promise<IncludedPage>
}

/** The collections that are included in the members of a response (asking.md, Links from the other side). */
export interface AnswerCollections {
  /**
   * Reads the wanted collections of these nodes, each once, until `byteBudget` is used up. Returns the first origin whose
   * collections were not all read, infinity if there is none.
   */
  read(visits: readonly NodeVisit[], byteBudget: number): Promise<number>
}

export function createAnswerCollections(
  nodes: AnswerNodes,
  sizes: Pick<AnswerSizes<AnswerNode>, 'add' | 'addedAt'>,
  { readPage, pause }: AnswerCollectionDependencies,
): AnswerCollections {
  let readsLeft = MAX_COLLECTIONS

  /** Returns how many bytes the collection counts; undefined if there is no room for all of it. */
  async function read(visit: NodeVisit, wanted: WantedCollection, bytes: number) {
    const members = nodes.countIn(bytes)
    if (members < 1 || readsLeft <= 0) return undefined
    readsLeft -= 1
    const { node, origin } = visit
    const { link, target } = wanted
    const from = { cls: node.cls, id: node.member.id, link }
    const found = await readPage(from, { members, bytes })
    // The first member of a page always shows its collection, with fewer members if necessary, whose `next` goes on.
    if (found.isTruncated && origin > 0) return undefined
    const listed = found.page.members.map((one) => nodes.find(target, one.id) ?? nodes.add(target, one))
    node.collections.set(link.name, { ...found, members: listed })
    // A member that is already in the response was read again, so it is counted again.
    const used = listed.reduce((sum, one) => sum + nodes.bytesOf(one), frameBytes(found))
    sizes.add(origin, used)
    return used
  }

  return {
    async read(visits, byteBudget) {
      let left = byteBudget
      for (const visit of visits)
        for (const wanted of wantedCollections(visit)) {
          const { node, origin } = visit
          if (node.collections.has(wanted.link.name)) continue
          // The collections of both steps share the room of the first member.
          const bytes = origin === 0 ? Math.min(left, byteBudget - sizes.addedAt(0)) : left
          const used = await read(visit, wanted, bytes)
          if (used === undefined && origin > 0) return origin
          left -= used ?? 0
          await pause()
        }
      return Number.POSITIVE_INFINITY
    },
  }
}

const frameBytes = ({ frame: { start, end } }: IncludedPage): number =>
  Buffer.byteLength(start) + Buffer.byteLength(end)

interface WantedCollection {
  readonly link: ReverseLink
  readonly target: Class
  readonly within: Included
  /** What is shown of the members. */
  readonly fields: FieldTree
}

/** The links from the other side of a node that are wanted and shown. */
export function* wantedCollections({ node, wanted, fields }: NodeVisit): Iterable<WantedCollection> {
  for (const link of node.cls.reverseLinks) {
    const target = wanted.get(link.name)
    const shown = fieldsAt(fields, link.name)
    if (target !== undefined && shown !== undefined)
      yield { link, target: target.cls, within: target.within, fields: shown }
  }
}

/** What is shown at a path, such as `lines/product`; undefined for nothing. */
export function fieldsAt(fields: FieldTree, path: string): FieldTree | undefined {
  let at: FieldTree | undefined = fields
  for (const name of fields.size === 0 ? [] : path.split('/')) {
    if (at === undefined || at.size === 0) return at
    at = at.get(name)
  }
  return at
}
