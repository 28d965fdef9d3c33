import {
  type IndexedLink,
  keyOfMember,
  type Link,
  type LinkPage,
  type MemberContent,
  type MemberName,
  type StoredMember,
  type WholeText,
} from '../../members/index.ts'

/**
 * The size of a write is not that of its request: a small patch may write a megabyte, and a short member thousands of
 * rows. Other writers wait for all writes of a transaction, so links, values and words count as this many characters each.
 */
const PER_ROW = 256
const PER_WORD = 32

/** A member as the writes leave it. */
export type Effect = StoredMember & WholeText & { readonly links: readonly Link[] }

/** The effects on members of writes that are not carried out yet. */
export class Effects {
  /** Undefined for members that are removed. */
  readonly #effects = new Map<string, Effect | undefined>()
  /** The links of these members, by the member that they lead to, then by name. */
  readonly #links = new Map<string, Map<string, IndexedLink>>()
  /** How long the writes are, in characters. */
  length = 0

  has(name: MemberName): boolean {
    return this.#effects.has(keyOfMember(name))
  }

  /** Undefined for a member that is removed, or not written at all. */
  get(name: MemberName): Effect | undefined {
    return this.#effects.get(keyOfMember(name))
  }

  /** The effects on members among these, and the ids of the others. */
  among(className: string, ids: readonly string[]): { readonly own: Effect[]; readonly others: string[] } {
    return {
      own: ids.flatMap((id) => this.get({ className, id }) ?? []),
      others: ids.filter((id) => !this.has({ className, id })),
    }
  }

  write(className: string, member: StoredMember & MemberContent): void {
    const { id, version, body, baseUrlOffsets, hidden, owner, links, keys } = member
    const rows = keys.values.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0)
    const perMember = PER_ROW * (links.length + rows) + PER_WORD * keys.words.length
    this.length += body.length + hidden.length + perMember
    this.#set({ className, id }, { id, version, body, baseUrlOffsets, hidden, owner, links })
  }

  /** `found`: the member as it was, if it is known. */
  remove(name: MemberName, found: StoredMember | undefined): void {
    const offsets = found?.baseUrlOffsets ?? ''
    this.length += PER_ROW * (offsets === '' ? 0 : offsets.split(',').length)
    this.#set(name, undefined)
  }

  /** Links to members of a class, as they will be. `page`: as they are stored; `isFirst`: whether none come before them. */
  linksTo(className: string, ids: readonly string[], page: LinkPage, isFirst: boolean): LinkPage {
    const isUnchanged = (link: IndexedLink) => !this.has({ className: link.fromClass, id: link.fromId })
    const links = page.links.filter(isUnchanged)
    if (!isFirst) return { ...page, links }
    const own = ids.flatMap((id) => [...(this.#links.get(keyOfMember({ className, id }))?.values() ?? [])])
    return { ...page, links: [...own, ...links] }
  }

  #set({ className, id }: MemberName, effect: Effect | undefined): void {
    const key = keyOfMember({ className, id })
    const nameOf = (link: Link) => `${key} ${link.property}`
    for (const link of this.#effects.get(key)?.links ?? [])
      this.#links.get(keyOfMember(link))?.delete(nameOf(link))
    for (const link of effect?.links ?? []) {
      const known = this.#links.get(keyOfMember(link)) ?? new Map<string, IndexedLink>()
      this.#links.set(keyOfMember(link), known)
      known.set(nameOf(link), {
        ...{ toId: link.id, fromClass: className, property: link.property, fromId: id },
      })
    }
    this.#effects.set(key, effect)
  }
}
