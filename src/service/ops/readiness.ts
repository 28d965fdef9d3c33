/** How long the store may take to answer before nobody should be sent here. */
const PATIENCE_MS = 1_000

export interface Readiness {
  /** From now on it is ready whenever the store answers and nothing is lacking. */
  admit(checks: Checks): void
  /** From now on it is not. */
  refuse(why: string): void
  /** Why it is not ready; undefined when it is. */
  lack(): Promise<string | undefined>
}

export interface Checks {
  /** Rejects when the store does not answer. */
  readonly reachable: () => Promise<void>
  /** What else is lacking. */
  readonly lacking: () => string | undefined
}

/** Whether requests should be sent here. It begins with no. */
export function createReadiness(why: string): Readiness {
  let refused: string | undefined = why
  let checks: Checks | undefined
  return {
    admit(given) {
      checks = given
      refused = undefined
    },
    refuse(reason) {
      refused = reason
    },
    async lack() {
      const known = refused ?? checks?.lacking()
      if (known !== undefined || checks === undefined) return known
      const found = await storeLack(checks.reachable)
      // It may have begun to stop in the meantime.
      return refused ?? found
    },
  }
}

async function storeLack(reachable: () => Promise<void>): Promise<string | undefined> {
  const answered = reachable().then(
    () => undefined,
    // Its own words may name hosts and users.
    () => 'the database cannot be reached',
  )
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, PATIENCE_MS, 'the database does not answer')
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
