import type { UserRoles } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { joinFields, type MemberStore, type StoredMember } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { Access } from '../access.ts'
import { createAnswer } from './answer.ts'
import type { IncludedPageLimits, ReverseLinkOf } from './answer-collections.ts'
import type { AnswerCollection, AnswerNode, IncludedPage } from './answer-nodes.ts'
import type { MemberParts, MemberRepresentation, ResolveIncludes } from './member.ts'

export interface IncludeDependencies {
  readonly base: string
  readonly cls: Class
  readonly access: Access
  readonly store: MemberStore
  readonly readIncludedPage: ReadIncludedPage
  /** By the names of classes. */
  readonly representations: ReadonlyMap<string, MemberRepresentation>
}

/** Reads what the address of a link from the other side would serve to the user. */
export type ReadIncludedPage = (
  from: ReverseLinkOf,
  limits: IncludedPageLimits,
  user: UserRoles | undefined,
) => Promise<IncludedPage>

/** Reads included members, each once, and writes each in full once (hypermedia.md, Related members). */
export function createResolveIncludes(dependencies: IncludeDependencies): ResolveIncludes {
  const { base, cls, access, store, representations, readIncludedPage } = dependencies
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
      readPage: (from, limits) => readIncludedPage(from, limits, user),
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
          state += ','
          // Only the terms of a direct link cover a further step.
          const text = to && (await textOf(to, isTop && isDirect))
          if (text !== undefined) texts.set(offset, text)
          else if (isHidden) texts.set(offset, reference(target, id))
        }
        const collections = new Map<string, string>()
        for (const [name, collection] of node.collections)
          collections.set(name, await collectionText(collection, isTop))
        state += ']'
        return { nodes: texts, collections, fields: joinFields([...node.shown]) }
      }

      /** Undefined if the node is written elsewhere, or does not fit. `isOpen`: whether it may have included members. */
      async function textOf(node: AnswerNode, isOpen: boolean): Promise<string | undefined> {
        if (node.isWritten || !(node.isPlain || isOpen) || answer.bytesOf(node) > left) return undefined
        node.isWritten = true
        left -= answer.bytesOf(node)
        state += node.member.version
        await pause()
        return representationOf(node.cls).within(node.member, await partsIn(node, false))
      }

      async function collectionText(
        { page, frame, members }: AnswerCollection,
        isTop: boolean,
      ): Promise<string> {
        const texts: string[] = []
        state += `{${page.total} ${page.more}`
        for (const to of members) {
          // A version also identifies a member that is written elsewhere.
          state += `,#${to.member.version} `
          texts.push((await textOf(to, isTop)) ?? reference(to.cls, to.member.id))
        }
        state += '}'
        return `{${frame.start}${texts.join()}${frame.end}}`
      }
    }
  }

  function reference(to: Class, id: string): string {
    return `{"@id":"${representationOf(to).address(id)}"}`
  }
}
