/** "Now", as tokens and nonces see it. Never runs backwards (authentication.md, Token). */
export interface Clock {
  now(): number
  /** A time that was written somewhere: from here on it is not later than now. */
  witness(time: number): void
}

export function createClock(host: () => number = Date.now): Clock {
  let highest = 0
  return {
    now() {
      const time = host()
      if (time > highest) highest = time
      return highest
    },
    witness(time) {
      if (time > highest) highest = time
    },
  }
}
