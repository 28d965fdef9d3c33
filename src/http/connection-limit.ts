/** A connection that may be closed to make room for a new one. */
export interface Yielding {
  /** Its deadline; undefined while a request is carried out or its response is sent. */
  readonly idleUntil: number | undefined
  end(): void
}

/** One in this many of the idle connections that were found may be closed before all connections are examined again. */
const PART = 8
/** If all connections are busy, they are not examined again before this time. */
const PAUSE_MS = 100

/**
 * Makes room for a new connection when the limit (`--max-connections`) is reached, by closing the idle connection with the
 * nearest deadline. If new connections were refused instead, a client that holds idle connections, and replaces each that
 * is closed, could keep all others out. A connection without any request yet has 10 s, and one between requests has 75 s,
 * so the former go first; a client whose idle connection was closed connects again.
 */
export function createConnectionLimit(all: () => Iterable<Yielding>, now: () => number) {
  /**
   * The last one is closed first. Examining all connections for each new one would make a flood cheap for the attacker,
   * not for us.
   */
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
      // The deadline has changed, so the connection was used meanwhile.
      if (found.one.idleUntil !== found.until) continue
      found.one.end()
      return true
    }
    return false
  }

  return {
    /** False if every connection is busy. */
    makeRoom(): boolean {
      if (endIdlest()) return true
      if (now() < nextLook) return false
      look()
      return endIdlest()
    },
  }
}
