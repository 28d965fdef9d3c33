import { createPause } from '../../deadline.ts'
import type { MemberStore, StoredMember, UserRoles } from '../../store/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Include } from '../query/include.ts'
import { type AnswerNode, createAnswer, type ResolvedIncludes } from './answer.ts'
import type { MemberRepresentation } from './member.ts'

export interface IncludeDependencies {
  readonly base: string
  readonly cls: Class
  readonly access: Access
  readonly store: MemberStore
  /** By the names of classes. */
  readonly representations: ReadonlyMap<string, MemberRepresentation>
}

/** `maxBytes`: how long the response may be. */
export type ResolveIncludes = (
  members: readonly StoredMember[],
  include: Include,
  user: UserRoles | undefined,
  maxBytes: number,
) => Promise<ResolvedIncludes>

/** Reads included members, each once, and writes each in full once (hypermedia.md, Related members). */
export function createResolveIncludes({ base, cls, access, store, representations }: IncludeDependencies) {
  const representationOf = ({ name }: Class) => representations.get(name) as MemberRepresentation

  /** A member that the user may not read stays an address, and takes no room. */
  async function find(to: Class, ids: readonly string[], bytes: number, user: UserRoles | undefined) {
    const owner = access.readOwner(to.name, user)
    return owner === 0 ? [] : store.findAll(to.name, ids, bytes, owner)
  }

  return async (
    members: readonly StoredMember[],
    include: Include,
    user: UserRoles | undefined,
    bytes: number,
  ): Promise<ResolvedIncludes> => {
    const pause = createPause()
    const answer = createAnswer(cls, members, {
      ...{ include, bytes, pause, baseLength: base.length },
      find: (to, ids) => find(to, ids, bytes, user),
    })
    const fitting = await answer.load()
    const nodes = new Map<StoredMember, ReadonlyMap<number, string>>()
    let state = include.signature
    if (fitting === members.length)
      for (const node of answer.page) nodes.set(node.member, await write(node, bytes - answer.bytesOf(node)))
    return { include, fitting, nodes, state }

    /** Writes what is included in a member of the page, each member where it first stands and there is room. */
    async function write(owner: AnswerNode, room: number): Promise<Map<number, string>> {
      let left = room
      return textsIn(owner, true)

      async function textsIn(node: AnswerNode, isTop: boolean): Promise<Map<number, string>> {
        const texts = new Map<number, string>()
        state += '['
        for (const { hole, id, target, isDirect, isHidden, to } of node.links ?? []) {
          // Only the terms of a direct link have those of a further step.
          const canHold = to !== undefined && !to.isWritten && (to.isPlain || (isTop && isDirect))
          if (canHold && answer.bytesOf(to) <= left) {
            to.isWritten = true
            left -= answer.bytesOf(to)
            state += `,${to.member.version}`
            await pause()
            texts.set(hole, representationOf(to.cls).within(to.member, await textsIn(to, false)))
          } else {
            state += ','
            if (isHidden) texts.set(hole, `{"@id":"${representationOf(target).address(id)}"}`)
          }
        }
        state += ']'
        return texts
      }
    }
  }
}
