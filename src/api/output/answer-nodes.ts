import type { FieldTree, LinkAt, Page, StoredMember } from '../../members/index.ts'
import { type Class, hidesLink, type Included, type IncludedClass } from '../../vocabulary/index.ts'
import type { Include } from '../query/include.ts'

/** Maximum number of included members: each counts as at least this fraction of the byte budget. */
const MAX_SHOWN = 4_096
/** Maximum number of links that are read for one response. */
const MAX_LINKS = 20_000

/** A member that the response contains in full. */
export interface AnswerNode {
  readonly cls: Class
  readonly member: StoredMember
  /** The links that may be replaced by members; undefined until they are read. */
  links: readonly AnswerLink[] | undefined
  /** The collections that are included in it, by the names of links from the other side. */
  readonly collections: Map<string, AnswerCollection>
  /** The sets of links that were followed from it, or soon will be. */
  readonly followed: Set<Included>
  /** What is shown of it, at the places that lead to it. */
  readonly shown: Set<FieldTree>
  /** Whether no member is included in it. */
  isPlain: boolean
  isWritten: boolean
}

export interface AnswerLink {
  readonly offset: number
  readonly id: string
  readonly target: Class
  /** The property, or the path within an embedded value. */
  readonly property: string
  readonly isDirect: boolean
  /** Whether a term of the included class would apply to an address that stays here (hidesLink). */
  readonly isHidden: boolean
  /** The member to include, here or at another place in the response. */
  to: AnswerNode | undefined
}

/** The first page of a collection that is included in place of a link from the other side. */
export interface IncludedPage {
  readonly page: Page
  /** The text before and after its members. */
  readonly frame: { readonly start: string; readonly end: string }
  /** Whether it has fewer members than the collection itself would show. */
  readonly isTruncated: boolean
}

/** A collection in place of a link from the other side. */
export interface AnswerCollection extends IncludedPage {
  /** Its members, to include here or at another place in the response. */
  readonly members: readonly AnswerNode[]
}

export interface AnswerLimits {
  /** The links of a member that the user may see. */
  readonly linksIn: (cls: Class, member: StoredMember, most: number) => readonly LinkAt[]
  readonly include: Include
  readonly maxBytes: number
  readonly baseLength: number
}

/** The members of a response, without duplicates. */
export interface AnswerNodes {
  /** The members of the page. */
  readonly page: readonly AnswerNode[]
  find(cls: Class, id: string): AnswerNode | undefined
  add(cls: Class, member: StoredMember): AnswerNode
  bytesOf(node: AnswerNode): number
  /** How many included members fit into these bytes at most. */
  countIn(bytes: number): number
  /** The links that may be replaced by members, read once; undefined if too many links were read before. */
  linksOf(node: AnswerNode): readonly AnswerLink[] | undefined
}

export function createAnswerNodes(
  cls: Class,
  members: readonly StoredMember[],
  { include, maxBytes, baseLength, linksIn }: AnswerLimits,
): AnswerNodes {
  /** Keyed by class name, since a user may see only a part of a class, then by id. */
  const nodes = new Map<string, Map<string, AnswerNode>>()
  const sizes = new Map<AnswerNode, number>()
  // A whole number, since stores count bytes in whole ones.
  const leastBytes = Math.ceil(maxBytes / MAX_SHOWN)
  let linksLeft = MAX_LINKS

  function add(of: Class, member: StoredMember): AnswerNode {
    const node: AnswerNode = {
      ...{ cls: of, member, links: undefined, collections: new Map() },
      ...{ followed: new Set(), shown: new Set(), isPlain: true, isWritten: false },
    }
    const known = nodes.get(of.name)
    if (known === undefined) nodes.set(of.name, new Map([[member.id, node]]))
    else known.set(member.id, node)
    return node
  }

  const page = members.map((member) => add(cls, member))
  for (const node of page) node.isWritten = true
  const inPage = new Set(page)

  return {
    page,
    find: (of, id) => nodes.get(of.name)?.get(id),
    add,
    bytesOf(node) {
      const known = sizes.get(node)
      if (known !== undefined) return known
      const { body, baseUrlOffsets } = node.member
      const own = Buffer.byteLength(body) + countHoles(baseUrlOffsets) * baseLength
      const size = inPage.has(node) ? own : Math.max(own, leastBytes)
      sizes.set(node, size)
      return size
    },
    countIn: (bytes) => Math.floor(bytes / leastBytes),
    linksOf(node) {
      if (node.links !== undefined) return node.links
      node.links = []
      if (linksLeft <= 0) return undefined
      const places = inPage.has(node) ? include.places : placesWithin(include, node.cls)
      const found = linksIn(node.cls, node.member, linksLeft)
      linksLeft -= found.length
      const targetAt = createTargetAt(places)
      node.links = found.flatMap(({ offset, property, id }) => {
        const target = targetAt(property)
        if (target === undefined) return []
        const name = property.slice(property.lastIndexOf('/') + 1)
        const isHidden = hidesLink(target.cls, name)
        return [
          { offset, id, property, isHidden, target: target.cls, isDirect: name === property, to: undefined },
        ]
      })
      return node.links
    },
  }
}

const NOTHING: Included = new Map()

export const placesWithin = (include: Include, { name }: Class): Included =>
  include.placesWithin.get(name) ?? NOTHING

/** How many addresses a stored text has, without splitting their offsets. */
export function countHoles(baseUrlOffsets: string): number {
  let count = baseUrlOffsets === '' ? 0 : 1
  for (let at = baseUrlOffsets.indexOf(','); at >= 0; at = baseUrlOffsets.indexOf(',', at + 1)) count += 1
  return count
}

/** Finds links by their paths, such as `lines/product`, in the tree of included links. Most follow one with the same path. */
export function createTargetAt(included: Included) {
  let last: string | undefined
  let target: IncludedClass | undefined
  return (path: string) => {
    if (path === last) return target
    const [first = '', second] = path.split('/')
    const found = included.get(first)
    last = path
    target = second === undefined ? found : found?.within.get(second)
    return target
  }
}
