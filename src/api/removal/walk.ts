import type { Awaitable } from '../../database/index.ts'
import { keyOfMember, MAX_LINKS_READ, type MemberName, type WriteStore } from '../../members/index.ts'
import type { RemovalRules } from './rules.ts'

/** A member that prevents the removal, and by which links. */
export interface Refusing extends MemberName {
  readonly properties: Set<string>
}

/** The members that a removal reaches. */
export interface Reached {
  /** All members that are removed, including the member itself. */
  readonly gone: ReadonlyMap<string, MemberName>
  readonly changed: ReadonlyMap<string, MemberName>
  readonly refusing: ReadonlyMap<string, Refusing>
  /** Members that would be removed or changed only because of a property that the user may not see. */
  readonly secret: ReadonlyMap<string, MemberName>
  /** Why there may be more: too many links refuse, or too many members would be removed or changed. */
  readonly truncated: 'refusing' | 'others' | undefined
}

interface WalkDependencies {
  readonly store: Pick<WriteStore, 'linksTo'>
  readonly rules: RemovalRules
  /** Awaited between two pages. */
  pause(): Awaitable<void>
  /** Whether a member that would be removed is taken into account; by default all are. */
  counts?(key: string): boolean
  /** Whether the user may see the property that links; by default all are seen. */
  isShown?(source: MemberName, property: string): Awaitable<boolean>
}

/** Others are counted up to this number, so that a response can say how many they are. */
export const MAX_COUNTED = 10_000
/** How many links of one level of the walk are read at once: SQLite reads them on the main thread. */
const PAGE = 1_000
const IDS = 200
/** Every member may have a thousand links to each of a thousand. */
const MAX_ROWS = 1_000_000

/** Follows the links to a member, breadth first, to all members removed with it and to those that link to these. */
export async function walkLinks(
  root: MemberName,
  { store, rules, pause, counts = () => true, isShown = () => true }: WalkDependencies,
): Promise<Reached> {
  const gone = new Map([[keyOfMember(root), root]])
  const changed = new Map<string, MemberName>()
  const refusing = new Map<string, Refusing>()
  const secret = new Map<string, MemberName>()
  const reached = { gone, changed, refusing, secret }
  let rows = 0
  for (let level = [root]; level.length > 0; ) {
    const next: MemberName[] = []
    for (const [className, ids] of idsByClass(level))
      for await (const links of pagesTo(className, ids)) {
        rows += links.length
        for (const { fromClass, fromId, property } of links) {
          const source = { className: fromClass, id: fromId }
          const key = keyOfMember(source)
          if (gone.has(key)) continue
          const rule = rules.ruleOf(fromClass, property, className)
          const shown = rule === 'refuse' || isShown(source, property)
          if (!(typeof shown === 'boolean' ? shown : await shown)) secret.set(key, source)
          else if (rule === 'unset') changed.set(key, source)
          else if (rule === 'refuse') {
            const known = refusing.get(key) ?? { ...source, properties: new Set() }
            refusing.set(key, known)
            known.properties.add(property)
          } else if (counts(key)) {
            next.push(source)
            gone.set(key, source)
            // A link does not count if its own member is removed.
            changed.delete(key)
            refusing.delete(key)
          }
        }
        if (refusing.size >= MAX_LINKS_READ) return { ...reached, truncated: 'refusing' }
        if (gone.size + changed.size > MAX_COUNTED + 1 || rows > MAX_ROWS)
          return { ...reached, truncated: 'others' }
      }
    level = next
  }
  return { ...reached, truncated: undefined }

  async function* pagesTo(className: string, ids: readonly string[]) {
    for (let start = 0; start < ids.length; start += IDS) {
      let some = ids.slice(start, start + IDS)
      let { links, next } = await store.linksTo(className, some, PAGE)
      yield links
      while (next !== undefined) {
        await pause()
        some = some.slice(some.indexOf(next.toId))
        ;({ links, next } = await store.linksTo(className, some, PAGE, next))
        yield links
      }
      await pause()
    }
  }
}

const idsByClass = (members: readonly MemberName[]): [string, string[]][] =>
  [...Map.groupBy(members, ({ className }) => className)].map(([className, some]) => [
    className,
    some.map(({ id }) => id),
  ])
