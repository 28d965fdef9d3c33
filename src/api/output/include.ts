import { linksAt } from '../../members/index.ts'
import type { MemberStore, StoredMember, UserRoles } from '../../store/index.ts'
import { type Class, hidesLink, type Included } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Include } from '../query/include.ts'

/** How many included members a page may have: each counts as at least this fraction of its bytes. */
const MAX_SHOWN = 4_096

type Target = Included extends ReadonlyMap<string, infer T> ? T : never

/** What is included in members, in the place of their links. */
export interface ResolvedIncludes {
  readonly include: Include
  /** By member, for the first ones that there is room for and one at least: the texts of included members by offset. */
  readonly nodes: ReadonlyMap<StoredMember, ReadonlyMap<number, string>>
  /** A text that changes whenever an included member does, for ETags. */
  readonly state: string
}

interface Node {
  readonly cls: Class
  readonly member: StoredMember
  readonly links: readonly IncludableLink[]
  /** The length of its own text. */
  readonly bytes: number
  /** Computed once, with all that is included in it, however often it is shown. */
  total?: number
  text?: string
}

/** A link in whose place a member may be included. */
interface IncludableLink {
  readonly hole: number
  readonly id: string
  readonly target: Target
  /** Whether an address that stays here would be read by a term of the included class (hidesLink). */
  readonly isHidden: boolean
  node: Node | undefined
}

interface Representation {
  address(id: string): string
  within(member: StoredMember, nodes: ReadonlyMap<number, string>): string
}

export interface IncludeParts {
  readonly base: string
  readonly cls: Class
  readonly access: Access
  readonly store: MemberStore
  /** By the names of classes. */
  readonly representations: ReadonlyMap<string, Representation>
}

export type ResolveIncludes = ReturnType<typeof createResolveIncludes>

/** Reads included members: one look-up for each path and page, and each member once. */
export function createResolveIncludes({ base, cls, access, store, representations }: IncludeParts) {
  function nodeOf(of: Class, member: StoredMember, included: Included, least = 0): Node {
    const links = (included.size === 0 ? [] : linksAt(of, member)).flatMap(({ hole, property, id }) => {
      const target = targetAt(included, property)
      if (target === undefined) return []
      const isHidden = hidesLink(target.cls, property.slice(property.lastIndexOf('/') + 1))
      return [{ hole, id, target, isHidden, node: undefined }]
    })
    const holes = member.holes === '' ? 0 : member.holes.split(',').length
    const bytes = Buffer.byteLength(member.body) + holes * base.length
    return { cls: of, member, links, bytes: Math.max(bytes, least) }
  }

  /** Reads no more than `bytes` for each path: the page would have no room for the rest. */
  async function load(nodes: readonly Node[], bytes: number, user: UserRoles | undefined): Promise<void> {
    const further: Node[] = []
    const least = bytes / MAX_SHOWN
    const links = Map.groupBy(
      nodes.flatMap((node) => node.links),
      ({ target }) => target,
    )
    const lookUps = [...links].map(async ([{ cls: to, within }, some]) => {
      const ids = [...new Set(some.map(({ id }) => id))].slice(0, MAX_SHOWN + 1)
      // A member that the user may not read stays an address, and takes no room.
      const owner = access.readOwner(to.name, user)
      const found = owner === 0 ? [] : await store.findAll(to.name, ids, bytes, owner)
      const made = new Map(found.map((member) => [member.id, nodeOf(to, member, within, least)]))
      for (const link of some) link.node = made.get(link.id)
      further.push(...made.values())
    })
    await Promise.all(lookUps)
    if (further.length > 0) await load(further, bytes, user)
  }

  const representationOf = ({ name }: Class) => representations.get(name) as Representation

  function textsIn({ links }: Node): Map<number, string> {
    const texts = new Map<number, string>()
    for (const { hole, id, target, isHidden, node } of links) {
      if (node !== undefined) texts.set(hole, textOf(node))
      else if (isHidden) texts.set(hole, `{"@id":"${representationOf(target.cls).address(id)}"}`)
    }
    return texts
  }

  function textOf(node: Node): string {
    node.text ??= representationOf(node.cls).within(node.member, textsIn(node))
    return node.text
  }

  return async (
    members: readonly StoredMember[],
    include: Include,
    user: UserRoles | undefined,
    bytes: number,
  ): Promise<ResolvedIncludes> => {
    const nodes = members.map((member) => nodeOf(cls, member, include.included))
    await load(nodes, bytes, user)
    const fitting = takeFitting(nodes, bytes)
    return {
      include,
      nodes: new Map(fitting.map((node) => [node.member, textsIn(node)])),
      state: `${include.signature} ${fitting.map(stateOf)}`,
    }
  }
}

/** Finds a link by its path, such as `lines/product`, in the tree of what is included. */
function targetAt(included: Included, path: string): Target | undefined {
  const [first = '', second] = path.split('/')
  const target = included.get(first)
  return second === undefined ? target : target?.within.get(second)
}

/**
 * The first nodes, as far as there is room (hypermedia.md, Paging). Where the first one has too much to include, the rest
 * of it stays addresses, and it is alone on its page: what the others include may not have been read.
 */
function takeFitting(nodes: readonly Node[], bytes: number): readonly Node[] {
  let left = bytes
  for (const [index, node] of nodes.entries()) {
    if (index === 0 && !dropUnfitting(node, bytes)) return [node]
    left -= bytesIn(node)
    if (left < 0 && index > 0) return nodes.slice(0, index)
  }
  return nodes
}

/** Leaves out what there is no room for; says whether all fits. */
function dropUnfitting({ links, bytes: own }: Node, bytes: number): boolean {
  let left = bytes - own
  let isWhole = true
  for (const link of links) {
    const size = link.node === undefined ? 0 : bytesIn(link.node)
    if (size <= Math.max(0, left)) left -= size
    else {
      link.node = undefined
      isWhole = false
    }
  }
  return isWhole
}

function bytesIn(node: Node): number {
  node.total ??= node.links.reduce(
    (sum, { node: within }) => sum + (within ? bytesIn(within) : 0),
    node.bytes,
  )
  return node.total
}

/** A version names one state of one member of a class. */
const stateOf = ({ links }: Node): string =>
  `[${links.map(({ node }) => (node === undefined ? '-' : `${node.member.version}${stateOf(node)}`))}]`
