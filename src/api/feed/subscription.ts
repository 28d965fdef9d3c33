import type { Principal } from '../../auth/index.ts'
import { AHEAD_MS } from '../../database/index.ts'

/** The client of a stream, and how long the stream may last. */
export interface Subscriber {
  readonly principal: Principal | undefined
  readonly address: string
  readonly endsAt: number
}

const NOTHING = () => {}

/** A stream, as the feed knows it. */
export class Subscription {
  readonly subscriber: Subscriber
  /** The latest end of the stream, by the monotonic clock, because the host's clock may be set back. */
  readonly deadline: number
  isBegun = false
  /** The stream has to end: its token was revoked, its time is over, or its user has other roles. */
  isOver = false
  isHeartbeatDue = false
  heartbeatAt = performance.now()
  #wake = NOTHING

  constructor(subscriber: Subscriber, now: number) {
    this.subscriber = subscriber
    this.deadline = performance.now() + subscriber.endsAt - now
  }

  /** Whether the time is over, or the token lies in the future since the clock was set back (authentication.md, Time). */
  isPast(now: number): boolean {
    const { endsAt, principal } = this.subscriber
    const issuedAt = principal?.token?.issuedAt ?? 0
    return now >= endsAt || performance.now() >= this.deadline || issuedAt > now + AHEAD_MS
  }

  /** Resolves when there is something to do (a change, a comment line, the end) that `doAtOnce` has not done. */
  next(doAtOnce: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (doAtOnce()) return
        this.#wake = NOTHING
        resolve()
      }
    })
  }

  wake(): void {
    this.#wake()
  }

  end(): void {
    this.isOver = true
    this.#wake()
  }
}
