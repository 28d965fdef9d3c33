import type { Awaitable } from '../../database/index.ts'
import type { JsonObject } from '../../json.ts'
import type { Change } from '../../members/index.ts'

/** A change, as it is passed to a follower. Only what the follower asks for is read. */
export interface FollowerCall {
  /** The event as the program sees it (live.md), without its context; `id` is the same in every attempt. */
  event(): Promise<FollowedEvent>
  /**
   * The event as one line of JSON-LD with its own context, as the feed sends it. `object`: the address of the member, or
   * the member in full as it is now.
   */
  eventText(object: 'address' | 'whole'): Promise<string>
  /** The member as it is now, in the API's own terms; undefined when it is gone. A copy. */
  member(): Promise<unknown>
  /** The member as it was before this change, where its class has history; otherwise undefined. A copy. */
  before(): Promise<unknown>
  /** The members of a collection, read and written as the program. */
  readonly members: unknown
}

/** Prepares the calls of followers for changes. */
export interface FollowerCalls {
  callFor(change: Change): FollowerCall
  /** For messages: the address of the member, and the id of the event. */
  describe(change: Change): { readonly member: string; readonly event: string }
}

export interface FollowedEvent extends JsonObject {
  readonly id: string
}

/** Code that is called for every change of some classes, durably (library.md, Followers). */
export interface Follower {
  /** Identifies its position in the database, for all programs and hosts. */
  readonly name: string
  readonly classes: readonly string[]
  /** How long an attempt may take; its late result is discarded. By default, as long as a hook. */
  readonly limitMs?: number | undefined
  /** Rejects if the change must be delivered again. */
  deliver(call: FollowerCall): Promise<void>
}

/** Thrown by a follower that must not be called again until `hydrant follower resume`. */
export class FollowerPaused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'FollowerPaused'
  }
}

/** The argument of a program's follower (library.md). */
interface FollowerArguments {
  readonly event: FollowedEvent
  readonly member: unknown
  readonly before: unknown
  readonly members: unknown
}

/** A follower, as a program declares it. */
export interface ProgramFollower {
  readonly classes: readonly string[]
  handle(change: FollowerArguments): Awaitable<unknown>
}

/** For suggestions when a name is misspelt. */
export const FOLLOWER_KEYS = ['classes', 'handle']

/** The followers of a program. */
export const followersOf = (declared: Readonly<Record<string, ProgramFollower>> = {}): readonly Follower[] =>
  Object.entries(declared).map(([name, one]) => ({
    name,
    classes: one.classes,
    async deliver(call) {
      const [event, member, before] = await Promise.all([call.event(), call.member(), call.before()])
      await one.handle({ event, member, before, members: call.members })
    },
  }))
