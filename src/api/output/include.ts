import type { UserRoles } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { joinFields, type MemberStore, type StoredMember } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import type { Fields } from '../query/fields.ts'
import type { Include } from '../query/include.ts'
import { createAnswer } from './answer.ts'
import type { AnswerNode } from './answer-nodes.ts'
import type { MemberParts, MemberRepresentation, ResolvedIncludes } from './member.ts'

export interface IncludeDependencies {
  readonly base: string
  readonly cls: Class
  readonly access: Access
  readonly store: MemberStore
  /** By the names of classes. */
  readonly representations: ReadonlyMap<string, MemberRepresentation>
}

/** What a query asks to include, and for whom. */
export interface IncludeRequest {
  readonly include: Include
  readonly fields: Fields | undefined
  readonly user: UserRoles | undefined
  /** How long the response may be. */
  readonly maxBytes: number
}

export type ResolveIncludes = (
  members: readonly StoredMember[],
  request: IncludeRequest,
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

  return async (members, { include, fields, user, maxBytes }) => {
    const pause = createPause()
    const answer = createAnswer(cls, members, {
      ...{ include, fields: fields?.tree, maxBytes, pause, baseLength: base.length },
      find: (to, ids, bytes) => find(to, ids, bytes, user),
    })
    const fitting = await answer.load()
    const parts = new Map<StoredMember, MemberParts>()
    let state = include.signature
    if (fitting === members.length)
      for (const node of answer.page) {
        parts.set(node.member, await write(node, maxBytes - answer.bytesOf(node)))
        await pause()
      }
    return { include, fitting, parts, state }

    /** Writes the members included in a member of the page, each at the first place where it fits the byte budget. */
    async function write(owner: AnswerNode, byteBudget: number): Promise<MemberParts> {
      let left = byteBudget
      return partsIn(owner, true)

      async function partsIn(node: AnswerNode, isTop: boolean): Promise<MemberParts> {
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
            texts.set(offset, representationOf(to.cls).within(to.member, await partsIn(to, false)))
          } else {
            state += ','
            if (isHidden) texts.set(offset, `{"@id":"${representationOf(target).address(id)}"}`)
          }
        }
        state += ']'
        return { nodes: texts, fields: joinFields([...node.shown]) }
      }
    }
  }
}
