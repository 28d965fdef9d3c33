import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../errors.ts'
import { hiddenLinks } from '../members/adopt-hidden.ts'
import { readText, type Values } from '../members/stored-text.ts'
import type { MemberStore, Refused } from '../store/store.ts'
import type { Class, Property } from '../vocabulary/model.ts'
import type { ReadMember } from './member-reader.ts'

export type Met =
  /** It was there, or is now that links it lacked were set. */
  | { readonly outcome: 'there' }
  /** Something else is there. */
  | { readonly outcome: 'other'; readonly violations: readonly Violation[] }
  | Refused

/**
 * What to do about a member whose id is taken. An import that was interrupted may have left it there without links that
 * point in a circle: it gets them now.
 */
export async function meetExisting(store: MemberStore, read: ReadMember): Promise<Met> {
  const { cls, id } = read
  for (;;) {
    const stored = await store.find(cls.name, id)
    // Removed by somebody in the meantime: that was later than the data.
    if (stored === undefined) return { outcome: 'there' }
    const known = readText(stored.body)
    const member = read.keeping(known)
    if (member.body === stored.body) return { outcome: 'there' }
    if (!lacksLinksAlone(cls, known, readText(member.body)))
      return read.isDerived ? { outcome: 'there' } : OTHER
    const changed = await store.change(cls.name, id, [stored.version], ({ hidden }) => ({
      ...member,
      hidden,
      links: [...member.links, ...hiddenLinks(hidden)],
    }))
    if (changed.outcome === 'refused') return changed
    if (changed.outcome !== 'stale') return { outcome: 'there' }
  }
}

const OTHER: Met = {
  outcome: 'other',
  violations: [
    {
      propertyPath: '@id',
      message:
        'is that of a member that is there already with other values; change that one, or give another "@id".',
    },
  ],
}

/** Whether nothing but optional properties that link somewhere keep the two apart. */
function lacksLinksAlone(cls: Class, known: Values, wanted: Values): boolean {
  return (
    Object.keys(known).every((name) => isDeepStrictEqual(known[name], wanted[name])) &&
    cls.properties.every(
      (property) =>
        !Object.hasOwn(wanted, property.name) ||
        Object.hasOwn(known, property.name) ||
        canComeLater(property),
    )
  )
}

/** Whether a member can be added without the links of this property, to get them when their targets are there. */
export const canComeLater = ({ range, required }: Property): boolean =>
  !required && (range.kind === 'link' || (range.kind === 'embedded' && range.cls.properties.some(hasLinks)))

const hasLinks = ({ range }: Property): boolean =>
  range.kind === 'link' || (range.kind === 'embedded' && range.cls.properties.some(hasLinks))
