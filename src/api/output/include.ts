import type { UserRoles } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import type { MemberStore, StoredMember } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Include } from '../query/include.ts'
import { createAnswer } from './answer.ts'
import type { AnswerNode } from './answer-nodes.ts'
import type { MemberRepresentation, ResolvedIncludes } from './member.ts'

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
export function createResolveIncludes(dependencies: IncludeDependencies): ResolveIncludes {
  const { base, cls, access, store, representations } = dependencies
  const representationOf = ({ name }: Class) => representations.get(name) as MemberRepresentation

  /** A member that the user may not read stays an address, and costs no bytes. */
  async function find(to: Class, ids: readonly string[], bytes: number, user: UserRoles | undefined) {
    const owner = access.readOwner(to.name, user)
    return owner === 0 ? [] : store.findAll(to.name, ids, bytes, owner)
  }

  return async (members, include, user, maxBytes) => {
    const pause = createPause()
    const answer = createAnswer(cls, members, {
      ...{ include, maxBytes, pause, baseLength: base.length },
      find: (to, ids, bytes) => find(to, ids, bytes, user),
    })
    const fitting = await answer.load()
    const nodes = new Map<StoredMember, ReadonlyMap<number, string>>()
    let state = include.signature
    if (fitting === members.length)
      for (const node of answer.page) {
        nodes.set(node.member, await write(node, maxBytes - answer.bytesOf(node)))
        await pause()
      }
    return { include, fitting, nodes, state }

    /** Writes the members included in a member of the page, each at the first place where it fits the byte budget. */
    async function write(owner: AnswerNode, byteBudget: number): Promise<Map<number, string>> {
      let left = byteBudget
      return textsIn(owner, true)

      async function textsIn(node: AnswerNode, isTop: boolean): Promise<Map<number, string>> {
        const texts = new Map<number, string>()
        state += '['
        for (const { offset, id, target, isDirect, isHidden, to } of node.links ?? []) {
          // Only the terms of a direct link cover a further step.
          const canHold = to !== undefined && !to.isWritten && (to.isPlain || (isTop && isDirect))
          if (canHold && answer.bytesOf(to) <= left) {
            to.isWritten = true
            left -= answer.bytesOf(to)
            state += `,${to.member.version}`
            await pause()
            texts.set(offset, representationOf(to.cls).within(to.member, await textsIn(to, false)))
          } else {
            state += ','
            if (isHidden) texts.set(offset, `{"@id":"${representationOf(target).address(id)}"}`)
          }
        }
        state += ']'
        return texts
      }
    }
  }
}
