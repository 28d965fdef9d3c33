import { joinFields } from '../../members/index.ts'
import type { Class } from '../../vocabulary/index.ts'
import type { MemberViews } from '../access/access.ts'
import type { AnswerCollection, AnswerNode, AnswerNodes } from './answer-nodes.ts'
import type { MemberParts, MemberRepresentation } from './member.ts'

export interface IncludeWriterDependencies extends Pick<AnswerNodes, 'bytesOf'> {
  readonly representationOf: (cls: Class) => MemberRepresentation
  /** What the user sees of each member, where that depends on the member. */
  readonly views: MemberViews
  readonly pause: () => Promise<void> | undefined
}

/** Writes the members that are included in the members of a page, each in full at the first place where it fits. */
export class IncludeWriter {
  readonly #dependencies: IncludeWriterDependencies
  #state: string
  #bytesLeft = 0

  constructor(signature: string, dependencies: IncludeWriterDependencies) {
    this.#state = signature
    this.#dependencies = dependencies
  }

  /** A text that changes whenever an included member does, for ETags. */
  get state(): string {
    return this.#state
  }

  /** Writes what is included in a member of the page, up to this many bytes. */
  write(node: AnswerNode, byteBudget: number): Promise<MemberParts> {
    this.#bytesLeft = byteBudget
    return this.#partsOf(node, true)
  }

  async #partsOf(node: AnswerNode, isTop: boolean): Promise<MemberParts> {
    const nodes = new Map<number, string>()
    this.#state += '['
    for (const { offset, id, target, isDirect, isHidden, to } of node.links ?? []) {
      this.#state += ','
      // Only the terms of a direct link cover a further step.
      const text = to && (await this.#textOf(to, isTop && isDirect))
      if (text !== undefined) nodes.set(offset, text)
      else if (isHidden) nodes.set(offset, this.#reference(target, id))
    }
    const collections = new Map<string, string>()
    for (const [name, collection] of node.collections)
      collections.set(name, await this.#collectionText(collection, isTop))
    this.#state += ']'
    const hidden = this.#dependencies.views.get(node.member)?.hidden
    return { nodes, collections, fields: joinFields([...node.shown]), hidden }
  }

  /** Undefined if the node is written elsewhere, or does not fit. `isOpen`: whether it may have included members. */
  async #textOf(node: AnswerNode, isOpen: boolean): Promise<string | undefined> {
    const { bytesOf, representationOf, views, pause } = this.#dependencies
    if (node.isWritten || !(node.isPlain || isOpen) || bytesOf(node) > this.#bytesLeft) return undefined
    node.isWritten = true
    this.#bytesLeft -= bytesOf(node)
    this.#state += `${node.member.version}${views.get(node.member)?.shownKey ?? ''}`
    await pause()
    return representationOf(node.cls).within(node.member, await this.#partsOf(node, false))
  }

  async #collectionText({ page, frame, members }: AnswerCollection, isTop: boolean): Promise<string> {
    const texts: string[] = []
    this.#state += `{${page.total} ${page.more}`
    for (const to of members) {
      // A version also identifies a member that is written elsewhere.
      this.#state += `,#${to.member.version} `
      texts.push((await this.#textOf(to, isTop)) ?? this.#reference(to.cls, to.member.id))
    }
    this.#state += '}'
    return `{${frame.start}${texts.join()}${frame.end}}`
  }

  #reference(to: Class, id: string): string {
    return `{"@id":"${this.#dependencies.representationOf(to).address(id)}"}`
  }
}
