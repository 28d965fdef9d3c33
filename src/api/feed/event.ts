import type { Principal } from '../../auth/index.ts'
import { LD_JSON } from '../../http/index.ts'
import type { Change, ChangeRange, StoredMember } from '../../store/index.ts'
import { eventContext, hasCollection, type Model, memberType } from '../../vocabulary/index.ts'
import type { ClassDependencies } from '../types.ts'
import type { EventIds } from './ids.ts'
import type { FeedQuery } from './query.ts'

const TYPES = { create: 'Create', update: 'Update', delete: 'Delete' } as const

export interface EventDependencies {
  readonly base: string
  /** The model that the set of roles may see. */
  readonly model: Model
  readonly views: ReadonlyMap<string, ClassDependencies>
  readonly ids: EventIds
}

/** Changes as JSON-LD, with the terms of ActivityStreams 2.0 (live.md, The feed). */
export function createEventRepresentation({ base, model, views, ids }: EventDependencies) {
  const head = `{"@context":${JSON.stringify(eventContext(model, base))},`
  /** Two texts for each change, for other users and for its owner: most streams show the same. */
  const cached = new WeakMap<Change, [string | undefined, string | undefined]>()

  /** An event without its opening brace. `found`: the member as it is now, where the event is to have it in full. */
  function rest(change: Change, user: Principal | undefined, found?: StoredMember): string {
    const { cls, access, representation, controlsFor } = views.get(change.className) as ClassDependencies
    // The id may belong to another member now, which the user may not read.
    const included = found !== undefined && access.mayRead(found, user) ? found : undefined
    const texts = cached.get(change) ?? [undefined, undefined]
    const index = access.isOwn(change, user) ? 1 : 0
    const known = included === undefined ? texts[index] : undefined
    if (known !== undefined) return known
    const of = included ?? change
    const controls = controlsFor(of, user)
    const alone = `{"@id":"${representation.address(change.id)}","@type":${JSON.stringify(memberType(cls, base))}}`
    const object = included === undefined ? alone : representation.whole(included, LD_JSON, controls)
    const isGone = change.kind === 'delete' && included === undefined
    const etag = isGone ? '' : `,"etag":${JSON.stringify(representation.etag(of, LD_JSON, controls))}`
    const text = `"@id":"${base}/events#${ids.of(change)}","@type":"${TYPES[change.kind]}","object":${object},"published":"${new Date(change.at).toISOString()}"${etag}}`
    if (included === undefined) {
      texts[index] = text
      cached.set(change, texts)
    }
    return text
  }

  return {
    /** Whether a query asks for the change, and the user may see it. */
    isShown(change: Change, { classNames, resources }: FeedQuery, user: Principal | undefined): boolean {
      const { className, id } = change
      const view = views.get(className)
      if (view === undefined || classNames?.has(className) === false) return false
      if (resources?.has(view.representation.address(id)) === false) return false
      return view.access.mayRead(change, user)
    },
    /** The ranges of the log that have what `isShown`, and nothing else; undefined for all of it. */
    rangesOf(query: FeedQuery, user: Principal | undefined): readonly ChangeRange[] | undefined {
      const { classNames, resources } = query
      const ranges = [...views.values()].flatMap(({ cls, access }) => {
        const owner = access.readOwner(cls.name, user)
        // 0 is no user's number: no member may be read.
        if (owner === 0 || classNames?.has(cls.name) === false) return []
        const ofClass = { className: cls.name, ...(owner !== undefined && { owner }) }
        if (resources === undefined) return [ofClass]
        const path = hasCollection(cls) ? cls.collection : cls.name
        const ofPath = [...resources.values()].filter(({ name }) => name === path)
        if (!hasCollection(cls)) return ofPath.some(({ id }) => id === undefined) ? [ofClass] : []
        return ofPath.flatMap(({ id }) => (id === undefined ? [] : [{ ...ofClass, id }]))
      })
      const isAll = resources === undefined && ranges.length === views.size
      return isAll && ranges.every(({ owner }) => owner === undefined) ? undefined : ranges
    },
    /** One line with its own context. */
    whole: (...args: Parameters<typeof rest>): string => head + rest(...args),
    /** An element of a collection, whose context covers it. */
    within: (...args: Parameters<typeof rest>): string => `{${rest(...args)}`,
  }
}
