import { linksAt } from '../../members/index.ts'
import type { StoredMember } from '../../store/index.ts'
import { type Class, hidesLink, type Included } from '../../vocabulary/index.ts'
import type { Include } from '../query/include.ts'

/** How many included members an answer may have: each counts as at least this fraction of its bytes. */
const MAX_SHOWN = 4_096
/** How many links of stored members are looked at for one answer. */
const MAX_LINKS = 20_000
/** After so many links of a page the linked members are read: most of a long page may not fit. */
const LINKS_AT_ONCE = 1_000

/** A member that the answer writes in full. */
export interface AnswerNode {
  readonly cls: Class
  readonly member: StoredMember
  /** Its links at which members may stand; undefined where no link of it has to be looked at. */
  links: readonly AnswerLink[] | undefined
  /** Whether nothing is included in it. */
  isPlain: boolean
  isWritten: boolean
}

/** What is included in members, in the place of their links. */
export interface ResolvedIncludes {
  readonly include: Include
  /** How many of the members fit the answer, one at least. Where these are not all, nothing was built. */
  readonly fitting: number
  /** By member: the texts of included members by offset. */
  readonly nodes: ReadonlyMap<StoredMember, ReadonlyMap<number, string>>
  /** A text that changes whenever an included member does, for ETags. */
  readonly state: string
}

export interface AnswerLink {
  readonly hole: number
  readonly id: string
  readonly target: Class
  /** The property, or the path within an embedded value. */
  readonly property: string
  readonly isDirect: boolean
  /** Whether an address that stays here would be read by a term of the included class (hidesLink). */
  readonly isHidden: boolean
  /** The member that is to be included, here or where else it stands in the answer. */
  to: AnswerNode | undefined
}

interface AnswerDependencies {
  readonly include: Include
  /** The most bytes of the answer. */
  readonly bytes: number
  readonly baseLength: number
  /** Finds members in the order of their ids, as far as there is room. */
  find(cls: Class, ids: readonly string[]): Promise<readonly StoredMember[]>
  /** Awaited often: yields to other requests. */
  pause(): Promise<void> | undefined
}

/** A node from which links are followed. `origin`: the first member of the page that leads to it. */
interface NodeVisit {
  readonly node: AnswerNode
  readonly wanted: Included
  readonly origin: number
}

/** The members of an answer, without duplicates, bounded before any text is built. */
export function createAnswer(cls: Class, members: readonly StoredMember[], parts: AnswerDependencies) {
  const { include, bytes, baseLength, find, pause } = parts
  const nodes = new Map<string, AnswerNode>()
  const origins = new Map<AnswerNode, number>()
  const sizes = new Map<AnswerNode, number>()
  let linksLeft = MAX_LINKS
  /** The first member of the page with links that were not looked at. */
  let unfinished = Number.POSITIVE_INFINITY

  function add(of: Class, member: StoredMember): AnswerNode {
    const node: AnswerNode = { cls: of, member, links: undefined, isPlain: true, isWritten: false }
    nodes.set(`${of.name} ${member.id}`, node)
    return node
  }

  const page = members.map((member) => add(cls, member))
  for (const node of page) node.isWritten = true
  const inPage = new Set(page)

  function bytesOf(node: AnswerNode): number {
    const known = sizes.get(node)
    if (known !== undefined) return known
    const { body, holes } = node.member
    const own = Buffer.byteLength(body) + countHoles(holes) * baseLength
    const size = inPage.has(node) ? own : Math.max(own, bytes / MAX_SHOWN)
    sizes.set(node, size)
    return size
  }

  /** The links of a node at which members may stand. They are read once. */
  function linksIn(node: AnswerNode): readonly AnswerLink[] {
    if (node.links !== undefined) return node.links
    const places = inPage.has(node) ? include.places : placesWithin(node.cls)
    const found = linksLeft > 0 ? linksAt(node.cls, node.member, linksLeft) : []
    linksLeft -= found.length
    node.links = found.flatMap(({ hole, property, id }) => {
      const target = targetAt(places, property)
      if (target === undefined) return []
      const name = property.slice(property.lastIndexOf('/') + 1)
      const isHidden = hidesLink(target.cls, name)
      return [
        { hole, id, property, isHidden, target: target.cls, isDirect: name === property, to: undefined },
      ]
    })
    return node.links
  }

  const placesWithin = ({ name }: Class): Included => include.placesWithin.get(name) ?? NOTHING

  /** Follows the wanted links of these nodes by one step, and returns the visits of the next. */
  async function follow(visits: readonly NodeVisit[]): Promise<NodeVisit[]> {
    const followed: { readonly link: AnswerLink; readonly within: Included; readonly origin: number }[] = []
    const missing = new Map<Class, Set<string>>()
    for (const { node, wanted, origin } of visits) {
      node.isPlain &&= wanted.size === 0
      if (node.links === undefined && linksLeft <= 0) unfinished = Math.min(unfinished, origin)
      for (const link of linksIn(node)) {
        const target = targetAt(wanted, link.property)
        if (target === undefined) continue
        followed.push({ link, within: target.within, origin })
        if (nodes.has(`${target.cls.name} ${link.id}`)) continue
        const ids = missing.get(target.cls) ?? new Set()
        if (ids.size <= MAX_SHOWN) missing.set(target.cls, ids.add(link.id))
      }
      await pause()
    }
    await readAll(missing)
    return followed.flatMap(({ link, within, origin }) => {
      const node = nodes.get(`${link.target.name} ${link.id}`)
      if (node === undefined) return []
      link.to = node
      origins.set(node, Math.min(origin, origins.get(node) ?? origin))
      // An address that stays in it may have to be a node (isHidden), also where nothing is included in it.
      const hasPlaces = link.isDirect && placesWithin(link.target).size > 0
      return hasPlaces ? [{ node, wanted: within, origin }] : []
    })
  }

  /** One look-up for each class. They run at once on PostgreSQL; SQLite reads each on this thread. */
  async function readAll(missing: ReadonlyMap<Class, ReadonlySet<string>>): Promise<void> {
    const lookUps: Promise<void>[] = []
    for (const [to, ids] of missing) {
      const lookUp = find(to, [...ids]).then((found) => {
        for (const member of found) add(to, member)
      })
      lookUp.catch(() => {})
      lookUps.push(lookUp)
      await pause()
    }
    await Promise.all(lookUps)
  }

  /** How many of the first `count` members of the page fit, with what is included in them; one at least. */
  function fitting(count: number): number {
    const room = new Array<number>(count).fill(0)
    for (const [node, origin] of origins) room[origin] = (room[origin] ?? 0) + bytesOf(node)
    let total = 0
    const over = room.findIndex((size, index) => {
      total += size
      return total > bytes || index >= unfinished
    })
    return over < 0 ? count : Math.max(1, over)
  }

  return {
    page,
    bytesOf,
    /** Reads what is included, and tells how many members of the page fit. */
    async load(): Promise<number> {
      for (let from = 0; from < page.length; ) {
        let to = from
        for (let links = 0; to < page.length && links < LINKS_AT_ONCE; to += 1)
          links += countHoles((page[to] as AnswerNode).member.holes) || 1
        const some = page.slice(from, to)
        const visits = some.map((node, index) => ({ node, wanted: include.included, origin: from + index }))
        const next = await follow(visits)
        await follow(next)
        for (const { node, origin } of visits)
          origins.set(node, Math.min(origin, origins.get(node) ?? origin))
        const fit = fitting(to)
        if (fit < to) return fit
        from = to
      }
      return page.length
    },
  }
}

const NOTHING: Included = new Map()

/** How many addresses a stored text has, without splitting their offsets. */
function countHoles(holes: string): number {
  let count = holes === '' ? 0 : 1
  for (let at = holes.indexOf(','); at >= 0; at = holes.indexOf(',', at + 1)) count += 1
  return count
}

/** Finds a link by its path, such as `lines/product`, in the tree of what is included. */
function targetAt(included: Included, path: string) {
  const [first = '', second] = path.split('/')
  const target = included.get(first)
  return second === undefined ? target : target?.within.get(second)
}
