/** A connection that may have to give way to a new one. */
export interface Yielding {
  /** When its deadline ends it; undefined while a request is carried out or its response is sent. */
  readonly idleUntil: number | undefined
  end(): void
}

/** How many of the connections that were found idle are ended before all are looked at again: one in so many. */
const PART = 8
/** Where all connections are busy, the next look is not sooner. */
const PAUSE_MS = 100

/**
 * Makes room for a new connection where there are as many as there may be (`--max-connections`): the idle connection gives
 * way whose deadline is nearest. Refusing the newcomer instead would let one client that holds idle connections, and
 * replaces each that is reaped, keep all others out. A connection on which no request has come yet has 10 s, and one that
 * has been answered 75 s, so those that only wait go first; a client whose idle connection has gone connects again.
 */
export function createConnectionLimit(all: () => Iterable<Yielding>, now: () => number) {
  /** The one to end first comes last. Looking at all for each newcomer would cost a flood nothing, and us much. */
  let idlest: { readonly one: Yielding; readonly until: number }[] = []
  let nextLook = 0

  function look(): void {
    idlest = []
    for (const one of all()) {
      const until = one.idleUntil
      if (until !== undefined) idlest.push({ one, until })
    }
    idlest.sort((one, other) => other.until - one.until)
    idlest.splice(0, idlest.length - Math.ceil(idlest.length / PART))
    if (idlest.length === 0) nextLook = now() + PAUSE_MS
  }

  function endIdlest(): boolean {
    for (let found = idlest.pop(); found !== undefined; found = idlest.pop()) {
      // Otherwise it has been used meanwhile.
      if (found.one.idleUntil !== found.until) continue
      found.one.end()
      return true
    }
    return false
  }

  return {
    /** False where every connection is busy. */
    makeRoom(): boolean {
      if (endIdlest()) return true
      if (now() < nextLook) return false
      look()
      return endIdlest()
    },
  }
}
