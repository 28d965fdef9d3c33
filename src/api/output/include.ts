import type { Principal } from '../../auth/index.ts'
import { linksAt } from '../../members/index.ts'
import type { MemberStore, StoredMember } from '../../store/index.ts'
import { type Class, hidesLink, type Included } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Include } from '../query/include.ts'

/** So many members are shown within those of a page: each takes such a part of its room at least. */
const MOST_SHOWN = 4_096

type Target = Included extends ReadonlyMap<string, infer T> ? T : never

/** Members with others in the place of their links. */
export interface ResolvedIncludes {
  readonly include: Include
  /** Of the first members, as many as there is room for and one at least: by offset, what stands in their texts. */
  readonly nodes: ReadonlyMap<StoredMember, ReadonlyMap<number, string>>
  /** What is shown of others, in a text that is another one whenever that is. */
  readonly state: string
}

interface Node {
  readonly cls: Class
  readonly member: StoredMember
  readonly places: readonly Place[]
  /** Of its own text. */
  readonly bytes: number
  /** With those within it; made once, however often it is shown. */
  total?: number
  text?: string
}

/** Where a member may be shown. */
interface Place {
  readonly hole: number
  readonly id: string
  readonly target: Target
  /** Whether an address would mean another thing here. */
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
  /** By the names of the classes, how a member is shown within another. */
  readonly representations: ReadonlyMap<string, Representation>
}

export type ResolveIncludes = ReturnType<typeof createResolveIncludes>

/** One look-up for each path and page; a member that is linked to many times is read once. */
export function createResolveIncludes({ base, cls, access, store, representations }: IncludeParts) {
  function nodeOf(of: Class, member: StoredMember, included: Included, least = 0): Node {
    const places = (included.size === 0 ? [] : linksAt(of, member)).flatMap(({ hole, property, id }) => {
      const target = targetAt(included, property)
      if (target === undefined) return []
      const isHidden = hidesLink(target.cls, property.slice(property.lastIndexOf('/') + 1))
      return [{ hole, id, target, isHidden, node: undefined }]
    })
    const holes = member.holes === '' ? 0 : member.holes.split(',').length
    const bytes = Buffer.byteLength(member.body) + holes * base.length
    return { cls: of, member, places, bytes: Math.max(bytes, least) }
  }

  /** What is read has an end: behind it are members that the page has no room for. */
  async function load(nodes: readonly Node[], bytes: number, user: Principal | undefined): Promise<void> {
    const further: Node[] = []
    const least = bytes / MOST_SHOWN
    const places = Map.groupBy(
      nodes.flatMap((node) => node.places),
      ({ target }) => target,
    )
    const lookUps = [...places].map(async ([{ cls: to, within }, some]) => {
      const ids = [...new Set(some.map(({ id }) => id))].slice(0, MOST_SHOWN + 1)
      // What the user may not read stays an address, and takes no room.
      const owner = access.readOwner(to.name, user)
      const found = owner === 0 ? [] : await store.findAll(to.name, ids, bytes, owner)
      const made = new Map(found.map((member) => [member.id, nodeOf(to, member, within, least)]))
      for (const place of some) place.node = made.get(place.id)
      further.push(...made.values())
    })
    await Promise.all(lookUps)
    if (further.length > 0) await load(further, bytes, user)
  }

  const representationOf = ({ name }: Class) => representations.get(name) as Representation

  function textsIn({ places }: Node): Map<number, string> {
    const texts = new Map<number, string>()
    for (const { hole, id, target, isHidden, node } of places) {
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
    user: Principal | undefined,
    bytes: number,
  ): Promise<ResolvedIncludes> => {
    const nodes = members.map((member) => nodeOf(cls, member, include.included))
    await load(nodes, bytes, user)
    const fitting = withRoom(nodes, bytes)
    return {
      include,
      nodes: new Map(fitting.map((node) => [node.member, textsIn(node)])),
      state: `${include.signature} ${fitting.map(stateOf)}`,
    }
  }
}

/** `lines/product`, as a link is named, in the tree of what is included. */
function targetAt(included: Included, path: string): Target | undefined {
  const [first = '', second] = path.split('/')
  const target = included.get(first)
  return second === undefined ? target : target?.within.get(second)
}

/**
 * As far as there is room (hypermedia.md, Paging). Of the first, what it has no room for stays an address, and it is
 * alone: what the others need may not have been read.
 */
function withRoom(nodes: readonly Node[], bytes: number): readonly Node[] {
  let left = bytes
  for (const [index, node] of nodes.entries()) {
    if (index === 0 && !fit(node, bytes)) return [node]
    left -= bytesIn(node)
    if (left < 0 && index > 0) return nodes.slice(0, index)
  }
  return nodes
}

/** Whether all within it had room. */
function fit({ places, bytes: own }: Node, bytes: number): boolean {
  let left = bytes - own
  let isWhole = true
  for (const place of places) {
    const size = place.node === undefined ? 0 : bytesIn(place.node)
    if (size <= Math.max(0, left)) left -= size
    else {
      place.node = undefined
      isWhole = false
    }
  }
  return isWhole
}

function bytesIn(node: Node): number {
  node.total ??= node.places.reduce(
    (sum, { node: within }) => sum + (within ? bytesIn(within) : 0),
    node.bytes,
  )
  return node.total
}

/** A version names one state of one member of a class. */
const stateOf = ({ places }: Node): string =>
  `[${places.map(({ node }) => (node === undefined ? '-' : `${node.member.version}${stateOf(node)}`))}]`
