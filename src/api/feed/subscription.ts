import type { Principal } from '../../auth/index.ts'

/** Whose stream it is, and until when it may last. */
export interface Reader {
  readonly principal: Principal | undefined
  readonly address: string
  readonly endsAt: number
}

const NOTHING = () => {}

/** A stream, as the feed knows it. */
export class Subscription {
  readonly reader: Reader
  isBegun = false
  /** The stream has to end: its token or its time is over, or its user has other roles. */
  isOver = false
  isHeartbeatDue = false
  heartbeatAt = performance.now()
  #wake = NOTHING

  constructor(reader: Reader) {
    this.reader = reader
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
