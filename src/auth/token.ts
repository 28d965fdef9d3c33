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
