import { createPause } from '../../deadline.ts'
import type { MemberStore, StoredMember } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { Access } from '../access/access.ts'
import type { AccessUser } from '../access/ties.ts'
import { createAnswer } from './answer.ts'
import type { IncludedPageLimits, ReverseLinkOf } from './answer-collections.ts'
import type { IncludedPage } from './answer-nodes.ts'
import { IncludeWriter } from './include-writer.ts'
import type { MemberParts, MemberRepresentation, ResolveIncludes } from './member.ts'

export interface IncludeDependencies {
  readonly base: string
  readonly cls: Class
  readonly access: Access
  readonly store: MemberStore
  readonly readIncludedPage: ReadIncludedPage
  /** Keyed by class name. */
  readonly representations: ReadonlyMap<string, MemberRepresentation>
}

/** Reads what the address of a link from the other side would serve to the user. */
export type ReadIncludedPage = (
  from: ReverseLinkOf,
  limits: IncludedPageLimits,
  user: AccessUser,
) => Promise<IncludedPage>

/** Reads included members, each once, and writes each in full once (hypermedia.md, Related members). */
export function createResolveIncludes(dependencies: IncludeDependencies): ResolveIncludes {
  const { base, cls, access, store, representations, readIncludedPage } = dependencies
  const representationOf = ({ name }: Class) => representations.get(name) as MemberRepresentation

  /** A member that the user may not read stays an address, and costs no bytes. */
  async function find(
    to: Class,
    ids: readonly string[],
    bytes: number,
    user: AccessUser,
  ): Promise<readonly StoredMember[]> {
    const scope = access.readScope(to.name, user)
    if (scope.kind === 'none') return []
    if (scope.kind !== 'filter')
      return store.findAll(to.name, ids, bytes, scope.kind === 'owner' ? scope.owner : undefined)
    return findFollowed(to, ids, bytes, user)
  }

  /** Continues to read if some of the members are not for the user: these cost no bytes. */
  async function findFollowed(to: Class, ids: readonly string[], bytes: number, user: AccessUser) {
    const readable: StoredMember[] = []
    let left = bytes
    for (let rest = ids; rest.length > 0 && left > 0; ) {
      const found = await store.findAll(to.name, rest, left)
      for (const member of found) {
        if (!(await access.mayReadOf({ className: to.name, ...member }, user))) continue
        readable.push(member)
        left -= member.body.length
      }
      const last = found.at(-1)
      rest = last === undefined ? [] : rest.slice(rest.indexOf(last.id) + 1)
    }
    return readable
  }

  return async (members, { include, fields, user, views, maxBytes }) => {
    const pause = createPause()
    /** What the user sees of each member, where that depends on the member. */
    const seen = new Map(views)
    const seeAll = async (className: string, found: readonly StoredMember[]) => {
      for (const [member, view] of (await access.viewsOf(className, found, user)) ?? [])
        seen.set(member, view)
      return found
    }
    const answer = createAnswer(cls, members, {
      ...{ include, fields: fields?.tree, maxBytes, pause, baseLength: base.length },
      find: async (to, ids, bytes) => seeAll(to.name, await find(to, ids, bytes, user)),
      async readPage(from, limits) {
        const found = await readIncludedPage(from, limits, user)
        await seeAll(from.link.className, found.page.members)
        return found
      },
      linksIn: (of, member, most) => representationOf(of).linksIn(member, most, seen.get(member)?.hidden),
    })
    const fitting = await answer.load()
    const parts = new Map<StoredMember, MemberParts>()
    const writer = new IncludeWriter(include.signature, {
      bytesOf: answer.bytesOf,
      representationOf,
      views: seen,
      pause,
    })
    if (fitting === members.length)
      for (const node of answer.page) {
        parts.set(node.member, await writer.write(node, maxBytes - answer.bytesOf(node)))
        await pause()
      }
    return { include, fitting, parts, state: writer.state }
  }
}
