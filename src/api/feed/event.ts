import type { Principal } from '../../auth/index.ts'
import { LD_JSON } from '../../http/index.ts'
import type { Change, ChangeRange, StoredMember } from '../../members/index.ts'
import { eventContext, hasCollection, type Model, memberType } from '../../vocabulary/index.ts'
import type { ClassDependencies } from '../types.ts'
import type { EventIds } from './ids.ts'
import type { FeedQuery } from './query.ts'

const TYPES = { create: 'Create', update: 'Update', delete: 'Delete' } as const

export interface EventDependencies {
  readonly base: string
  /** The part of the model that the set of roles may see. */
  readonly model: Model
  readonly views: ReadonlyMap<string, ClassDependencies>
  readonly ids: EventIds
}

export interface EventRepresentation {
  /** Whether a query asks for the change, and the user may see it. */
  isShown(change: Change, query: FeedQuery, user: Principal | undefined): boolean
  /** The ranges of the log with exactly the changes that `isShown` accepts; undefined for the whole log. */
  rangesOf(query: FeedQuery, user: Principal | undefined): readonly ChangeRange[] | undefined
  /** An event as one line with its own context. `found`: the member as it is now, for an event that has it in full. */
  whole(change: Change, user: Principal | undefined, found?: StoredMember): string
  /** An event as an element of a collection, without a context of its own. */
  within(change: Change, user: Principal | undefined, found?: StoredMember): string
}

/** Changes as JSON-LD, with the terms of ActivityStreams 2.0 (live.md, The feed). */
export function createEventRepresentation(dependencies: EventDependencies): EventRepresentation {
  const { base, model, views, ids } = dependencies
  const head = `{"@context":${JSON.stringify(eventContext(model, base))},`
  /** Two texts for each change, for other users and for the owner of the member: most streams show the same. */
  const cached = new WeakMap<Change, [string | undefined, string | undefined]>()

  /** An event without its opening brace. */
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
    isShown(change, { classNames, resources }, user) {
      const { className, id } = change
      const view = views.get(className)
      if (view === undefined || classNames?.has(className) === false) return false
      if (resources?.has(view.representation.address(id)) === false) return false
      return view.access.mayRead(change, user)
    },
    rangesOf(query, user) {
      const ranges = [...views.values()].flatMap((view) => rangesOfClass(view, query, user))
      const isAll = query.resources === undefined && ranges.length === views.size
      return isAll && ranges.every(({ owner }) => owner === undefined) ? undefined : ranges
    },
    whole: (...event) => head + rest(...event),
    within: (...event) => `{${rest(...event)}`,
  }
}

function rangesOfClass(
  { cls, access }: ClassDependencies,
  { classNames, resources }: FeedQuery,
  user: Principal | undefined,
): readonly ChangeRange[] {
  const owner = access.readOwner(cls.name, user)
  // 0 is no user's number: no member may be read.
  if (owner === 0 || classNames?.has(cls.name) === false) return []
  const ofClass = { className: cls.name, ...(owner !== undefined && { owner }) }
  if (resources === undefined) return [ofClass]
  const path = hasCollection(cls) ? cls.collection : cls.name
  const ofPath = [...resources.values()].filter(({ name }) => name === path)
  if (!hasCollection(cls)) return ofPath.some(({ id }) => id === undefined) ? [ofClass] : []
  return ofPath.flatMap(({ id }) => (id === undefined ? [] : [{ ...ofClass, id }]))
}
