import { type Change, keyOfMember, type StoredMember } from '../../members/index.ts'
import { NO_CIPHER } from '../../seal.ts'
import { type Model, storedClasses } from '../../vocabulary/index.ts'
import { createAccess } from '../access/access.ts'
import { createTieReader, STRANGER } from '../access/ties.ts'
import { createShowActor } from '../accounts/actors.ts'
import { createEventRepresentation, type EventView } from '../feed/event.ts'
import { createEventIds } from '../feed/ids.ts'
import { createNamedAt } from '../feed/named-at.ts'
import { createSights } from '../feed/sights.ts'
import { createMemberControls, createMemberRepresentation } from '../output/member.ts'
import type { ResourceDependencies } from '../types.ts'
import type { FollowedEvent, FollowerCalls } from './follower.ts'

export interface CallDependencies
  extends Pick<ResourceDependencies, 'base' | 'store' | 'secret' | 'epoch' | 'accounts'> {
  /** Without access rules: followers see everything. */
  readonly model: Model
  /** Acts as the program. */
  readonly members: unknown
}

/** The longest text of an entry of a history: one is read, whatever its size. */
const ANY_SIZE = Number.MAX_SAFE_INTEGER

export function createFollowerCalls(dependencies: CallDependencies): FollowerCalls {
  const { base, model, store, secret, epoch, accounts, members } = dependencies
  const { changes, history } = store
  const ids = createEventIds({ base, secret, changes }, epoch)
  const views = createViews(dependencies)
  const events = createEventRepresentation({
    ...{ base, model, views, ids },
    sights: createSights(model, createNamedAt(store)),
    showActor: createShowActor(model, base, accounts, []),
  })
  const viewOf = ({ className }: Change): EventView => views.get(className) as EventView
  /** A copy for each call, so that no follower can change what others get. */
  const copyOf = (change: Change, member: StoredMember | undefined): unknown =>
    member && JSON.parse(viewOf(change).representation.within(member))
  const find = (change: Change) => store.members.find(change.className, change.id)
  const eventOf = (change: Change) => ({ kind: change.kind, relation: STRANGER, change })

  return {
    callFor: (change) => ({
      members,
      async event() {
        const text = await events.within(eventOf(change), undefined)
        return { id: ids.of(change), ...JSON.parse(text) } as FollowedEvent
      },
      async eventText(object) {
        return events.whole(eventOf(change), undefined, object === 'whole' ? await find(change) : undefined)
      },
      member: async () => copyOf(change, await find(change)),
      async before() {
        const { kind, version } = change
        if (kind === 'create' || viewOf(change).cls.history === undefined) return undefined
        // The entry of a removal is the member as it was last.
        const before = kind === 'delete' ? version + 1 : version
        const [entry] = await history.list(change, { before, limit: 1 }, ANY_SIZE)
        return copyOf(change, entry)
      },
    }),
    describe: (change) => ({
      member: viewOf(change)?.representation.address(change.id) ?? keyOfMember(change),
      event: ids.of(change),
    }),
  }
}

/** The classes as the program sees them. */
function createViews({ base, model, store }: CallDependencies): ReadonlyMap<string, EventView> {
  const accessTo = createAccess(model, [], () => NO_CIPHER, createTieReader(model, store.members))
  return new Map(
    storedClasses(model).map((cls) => {
      const representation = createMemberRepresentation(cls, base)
      const access = accessTo(cls)
      const controlsFor = createMemberControls(cls, base, { access, representation })
      return [cls.name, { cls, access, representation, controlsFor }]
    }),
  )
}
