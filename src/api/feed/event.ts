import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { LD_JSON } from '../../http/index.ts'
import type { Change, ChangeRange, StoredMember } from '../../members/index.ts'
import { eventContext, isAccount, type Model, memberType, pathOf, pathTo } from '../../vocabulary/index.ts'
import type { Relation } from '../access/ties.ts'
import type { ShowActor } from '../accounts/actors.ts'
import type { ClassDependencies } from '../types.ts'
import { type EventIds, type LastChange, seenOf } from './ids.ts'
import type { FeedQuery } from './query.ts'
import { createRangesOf, isAsked } from './ranges.ts'
import { isReadBy, type SeenChange, type Sights } from './sights.ts'

const TYPES = { create: 'Create', update: 'Update', delete: 'Delete' } as const

/** A class as the reader of its events sees it. */
export type EventView = Pick<ClassDependencies, 'cls' | 'access' | 'representation' | 'controlsFor'>

export interface EventDependencies {
  readonly base: string
  /** The part of the model that the set of roles may see. */
  readonly model: Model
  readonly views: ReadonlyMap<string, EventView>
  readonly ids: EventIds
  readonly sights: Sights
  readonly showActor: ShowActor
}

/** An event that a user gets for a change. */
export type FeedEvent =
  | (SeenChange & { readonly change: Change })
  /**
   * Members of a class came into sight or left it with the change of another member. `part`: the number of the first
   * path that moved them, among all paths through the class of the change, for whatever users, from 1 on.
   */
  | { readonly kind: 'resync'; readonly change: Change; readonly className: string; readonly part: number }

export interface EventRepresentation {
  /** The events of a change that a query asks for, and the user may see. `last`: those up to this one are left out. */
  eventsOf(
    change: Change,
    query: FeedQuery,
    user: Principal | undefined,
    last: LastChange,
  ): Awaitable<readonly FeedEvent[]>
  /** Ranges of the log with all changes that have events; undefined for the whole log. */
  rangesOf(query: FeedQuery, user: Principal | undefined): readonly ChangeRange[] | undefined
  /** Whether the ranges may have changes without events: it is not known in advance where paths lead. */
  readonly hasPaths: boolean
  /** Whether the events of a user depend on more than the changes say. */
  readonly isPersonal: boolean
  idOf(event: FeedEvent): string
  /** An event as one line with its own context. `found`: the member as it is now, for an event that has it in full. */
  whole(event: FeedEvent, user: Principal | undefined, found?: StoredMember): Awaitable<string>
  /** An event as an element of a collection, without a context of its own. */
  within(event: FeedEvent, user: Principal | undefined, found?: StoredMember): Awaitable<string>
}

/** Whether the event has the member in full, if the query asks for it. */
export const hasObject = ({ kind, change }: FeedEvent): boolean =>
  kind !== 'resync' && (kind !== 'delete' || change.kind === 'delete')

/** Where the client can go on after the event. */
export const reachedBy = (event: FeedEvent): NonNullable<LastChange> =>
  event.kind === 'resync' ? { ...event.change, part: event.part } : event.change

/** Changes as JSON-LD, with the terms of ActivityStreams 2.0 (live.md, The feed). */
export function createEventRepresentation(dependencies: EventDependencies): EventRepresentation {
  const { base, model, ids, sights } = dependencies
  // Accounts are not in the feed (people.md, Accounts).
  const views = new Map([...dependencies.views].filter(([, { cls }]) => !isAccount(cls)))
  const head = `{"@context":${JSON.stringify(eventContext(model, base))},`
  const textOf = createEventText(dependencies)

  function resyncsOf(change: Change, query: FeedQuery, user: Principal | undefined): readonly FeedEvent[] {
    const dependents = sights.dependentsOf(change.className)
    if (dependents.length === 0) return NONE
    const resyncs = new Map<string, FeedEvent>()
    for (const [index, dependent] of dependents.entries()) {
      const { className, path } = dependent
      const view = views.get(className)
      if (view === undefined || !isReadBy(view.access, path) || !isAsked(view, query)) continue
      // One for each collection, however many paths have moved its members (people.md, Rules that follow a link).
      if (!resyncs.has(className) && sights.isMoved(change, dependent, user))
        resyncs.set(className, { kind: 'resync', change, className, part: index + 1 })
    }
    return [...resyncs.values()]
  }

  const event = (text: Awaitable<string>, start: string): Awaitable<string> =>
    text instanceof Promise ? text.then((one) => start + one) : start + text

  return {
    eventsOf(change, query, user, last) {
      const seen = seenOf(last, change)
      const resyncs = resyncsOf(change, query, user).filter((one) => partOf(one) > seen)
      const view = views.get(change.className)
      if (view === undefined || !isAskedFor(view, query, change)) return resyncs
      const withOwn = (found: SeenChange | undefined): readonly FeedEvent[] =>
        found === undefined ? resyncs : [...resyncs, { ...found, change }]
      const found = sights.seenAs(change, view.access, user)
      return found instanceof Promise ? found.then(withOwn) : withOwn(found as SeenChange | undefined)
    },
    rangesOf: createRangesOf(views, sights),
    hasPaths: [...views.values()].some(({ access }) => access.ties.paths.length > 0),
    isPersonal: [...views.values()].some(({ cls, access }) =>
      sights.hasLongPath(cls.name, access.ties.paths),
    ),
    idOf: (one) => ids.of(reachedBy(one)),
    whole: (...args) => event(textOf(...args), head),
    within: (...args) => event(textOf(...args), '{'),
  }
}

const NONE: readonly FeedEvent[] = []

const partOf = (event: FeedEvent): number => (event.kind === 'resync' ? event.part : Number.POSITIVE_INFINITY)

const isAskedFor = (
  { cls, representation }: EventView,
  { classNames, resources }: FeedQuery,
  { id }: Change,
): boolean => classNames?.has(cls.name) !== false && resources?.has(representation.address(id)) !== false

type RelationText = Map<string, string>

/** An event without its opening brace. */
function createEventText({ base, views, ids, showActor }: EventDependencies) {
  /** The texts of each change, by what it was for the user: most streams show the same. */
  const cached = new WeakMap<Change, RelationText>()

  function frame(type: string, { change, ...event }: FeedEvent, object: string, actor = ''): string {
    const id = ids.of(reachedBy({ change, ...event } as FeedEvent))
    return `"@id":"${base}/events#${id}","@type":"${type}","object":${object},${actor}"published":"${new Date(change.at).toISOString()}"`
  }

  /** With the key, where the user may see the account. */
  const actorText = (shown: string | undefined): string => (shown === undefined ? '' : `"actor":"${shown}",`)

  function changeText(
    event: SeenChange & { readonly change: Change },
    view: EventView,
    actor: string,
  ): string {
    const { kind, change, relation } = event
    const { cls, representation, controlsFor } = view
    const object = `{"@id":"${representation.address(change.id)}","@type":${JSON.stringify(memberType(cls, base))}}`
    const text = frame(TYPES[kind], event, object, actor)
    if (kind === 'delete') return `${text}}`
    return `${text},"etag":${JSON.stringify(representation.etag(change, LD_JSON, controlsFor(relation)))}}`
  }

  function cachedText(
    event: SeenChange & { readonly change: Change },
    view: EventView,
    actor: string,
  ): string {
    const { kind, change, relation } = event
    const texts: RelationText = cached.get(change) ?? new Map()
    cached.set(change, texts)
    const key = `${kind} ${relation.owner} ${relation.paths} ${actor}`
    const text = texts.get(key) ?? changeText(event, view, actor)
    texts.set(key, text)
    return text
  }

  return (event: FeedEvent, user: Principal | undefined, found?: StoredMember): Awaitable<string> => {
    if (event.kind === 'resync') {
      const { cls } = views.get(event.className) as EventView
      return `${frame('Resync', event, `{"@id":"${base}${pathTo(pathOf(cls) ?? '')}"}`)}}`
    }
    const shown = showActor(event.change.actor, user)
    if (shown instanceof Promise) return shown.then((one) => textBy(actorText(one), event, user, found))
    return textBy(actorText(shown as string | undefined), event, user, found)
  }

  function textBy(
    actor: string,
    event: SeenChange & { readonly change: Change },
    user: Principal | undefined,
    found?: StoredMember,
  ): Awaitable<string> {
    const { kind, change } = event
    const view = views.get(change.className) as EventView
    if (found === undefined || !hasObject(event)) return cachedText(event, view, actor)
    const { access, representation, controlsFor } = view
    // The id may belong to another member now, which the user may not read.
    const withObject = (relation: Relation): string => {
      if (!access.mayReadBy(relation)) return cachedText(event, view, actor)
      const controls = controlsFor(relation)
      const text = frame(TYPES[kind], event, representation.whole(found, LD_JSON, controls), actor)
      return `${text},"etag":${JSON.stringify(representation.etag(found, LD_JSON, controls))}}`
    }
    const relation = access.relationOf(found, user)
    return relation instanceof Promise ? relation.then(withObject) : withObject(relation as Relation)
  }
}
