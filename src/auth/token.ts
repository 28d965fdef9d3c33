import { hash, randomFillSync } from 'node:crypto'
import type { Random } from './nonce.ts'

/** A token may live shorter than this, not longer (seed.md, Limits). */
export const LONGEST_TOKEN_MS = 45 * 60_000

const SHAPE = /^[0-9a-f]{64}$/

export const isTokenShaped = (text: string): boolean => SHAPE.test(text)

/** 32 bytes from the system's generator as 64 lower-case hex digits. */
export function issueToken(random: Random = randomFillSync): string {
  const bytes = Buffer.alloc(32)
  random(bytes)
  return bytes.toString('hex')
}

/** What is stored in the token's place. A token has 256 random bits: one fast hash without salt is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

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
