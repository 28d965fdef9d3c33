import { hash, randomBytes } from 'node:crypto'

/** "Now", as tokens and nonces see it. Never runs backwards (authentication.md, Token). */
export interface Clock {
  now(): number
  /** From here on `now` is not before this time, which another host may have written. */
  advanceTo(time: number): void
}

export function createClock(host: () => number = Date.now): Clock {
  let highest = 0
  return {
    now() {
      const time = host()
      if (time > highest) highest = time
      return highest
    },
    advanceTo(time) {
      if (time > highest) highest = time
    },
  }
}

export const isTokenShaped = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** 32 bytes from the system's generator as 64 lower-case hex digits. */
export const issueToken = (): string => randomBytes(32).toString('hex')

/** What is stored in the token's place. A token has 256 random bits: one fast hash without salt is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
