import { hash, randomFillSync, timingSafeEqual } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

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

export const isTokenShaped = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** 32 bytes from the system's generator as 64 lower-case hex digits. */
export function issueToken(random: Random = randomFillSync): string {
  const bytes = Buffer.alloc(32)
  random(bytes)
  return bytes.toString('hex')
}

/** What is stored in the token's place. A token has 256 random bits: one fast hash without salt is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/**
 * A nonce is UUID-shaped, version 8, and proves by itself that this deployment issued it and when, so that
 * nothing is stored for a challenge (authentication.md, Nonce):
 *
 *     bytes 0-3   32 bits of Unix seconds
 *     bytes 4-8   34 random bits around the UUID's version (4 bits) and variant (2 bits)
 *     bytes 9-15  56 bits of HMAC-SHA-256 over bytes 0-8
 */
export interface Nonces {
  issue(now: number): string
  /** Undefined for what this deployment did not issue, or not recently. */
  read(text: string, now: number): Nonce | undefined
}

export interface Nonce {
  /** The one spelling (lower case) under which it is spent. */
  readonly value: string
  readonly expiresAt: number
}

/** Fills a buffer with random bytes. */
export type Random = (buffer: Buffer) => unknown

const SEALED = 9
const NONCE_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** How far ahead the clock of the host that issued a nonce may run. */
const AHEAD_MS = 5_000
const RANDOM_BYTES = 5
const LARGEST_BATCH = 64

/** The first secret seals; the others are still accepted while a secret is being rotated. */
export function createNonces(
  secrets: readonly Buffer[],
  ttlMs: number,
  random: Random = randomFillSync,
): Nonces {
  const seals = secrets.map(createSeal)
  const [seal] = seals
  if (seal === undefined) throw new Error('A nonce needs at least one secret.')
  const bytes = Buffer.alloc(16)
  const head = bytes.subarray(0, SEALED)
  const drawn = Buffer.alloc(RANDOM_BYTES * LARGEST_BATCH)
  /** Made in the second `madeAt` and not yet issued; thrown away when the second is over. */
  let ready: string[] = []
  let madeAt = 0
  let batch = 1

  const make = (from: number): string => {
    // Byte by byte: a call into native code costs more than five of them.
    for (let index = 0; index < RANDOM_BYTES; index += 1) bytes[4 + index] = drawn[from + index] as number
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
    const digest = seal(head)
    for (let index = SEALED; index < 16; index += 1) bytes[index] = digest[index - SEALED] as number
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  /**
   * Twice as many each time within a second: in a row they cost half of what each costs between other work,
   * and drawing random bytes costs the same for one as for all.
   */
  function makeReady(second: number): void {
    batch = second === madeAt ? Math.min(2 * batch, LARGEST_BATCH) : 1
    madeAt = second
    random(drawn.subarray(0, RANDOM_BYTES * batch))
    bytes.writeUInt32BE(second, 0)
    ready = Array.from({ length: batch }, (_, index) => make(RANDOM_BYTES * index))
  }

  return {
    issue(now) {
      const second = Math.floor(now / 1000)
      if (second !== madeAt || ready.length === 0) makeReady(second)
      return ready.pop() as string
    },

    read(text, now) {
      if (!NONCE_SHAPE.test(text)) return undefined
      const value = text.toLowerCase()
      const claimed = Buffer.from(value.replaceAll('-', ''), 'hex')
      const isSealedWith = (one: Seal) =>
        timingSafeEqual(one(claimed.subarray(0, SEALED)).subarray(0, 16 - SEALED), claimed.subarray(SEALED))
      if (!seals.some(isSealedWith)) return undefined
      const issuedAt = claimed.readUInt32BE(0) * 1000
      const expiresAt = issuedAt + ttlMs
      return issuedAt <= now + AHEAD_MS && now < expiresAt ? { value, expiresAt } : undefined
    },
  }
}

/** Takes the first nine bytes; the first seven of what it gives are the seal, until it is asked again. */
type Seal = (head: Buffer) => Buffer

/**
 * HMAC-SHA-256 (RFC 2104). The keyed state is made once and copied for each nonce; `createHmac` of node:crypto builds
 * it anew, at fifteen times the cost. `_cloneInto` is not documented, but `clone`, which is, makes a new state for each
 * nonce and takes twice as long.
 */
function createSeal(secret: Buffer): Seal {
  const keyed = hmac.create(sha256, secret)
  const scratch = keyed.clone()
  const digest = Buffer.alloc(32)
  return (head) => {
    keyed._cloneInto(scratch)
    scratch.update(head).digestInto(digest)
    return digest
  }
}
