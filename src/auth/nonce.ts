import { randomFillSync, timingSafeEqual } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

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
const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** How far ahead the clock of the host that issued a nonce may run. */
const AHEAD_MS = 5_000
/** Random bytes are drawn for many nonces at once: a draw costs as much as the rest of a challenge. */
const DRAWN = 5 * 512

/** The first secret seals; the others are still accepted while a secret is being rotated. */
export function createNonces(secrets: readonly Buffer[], ttlMs: number, random: Random = randomFillSync): Nonces {
  const seals = secrets.map(createSeal)
  const [sealNew] = seals
  if (sealNew === undefined) throw new Error('A nonce needs at least one secret.')
  const drawn = Buffer.alloc(DRAWN)
  let used = DRAWN
  // One for all: a buffer for each nonce would cost more, in the end by the garbage collector, than the hashing.
  const bytes = Buffer.alloc(SEALED)

  function draw(): void {
    if (used === DRAWN) {
      random(drawn)
      used = 0
    }
    drawn.copy(bytes, 4, used, used + 5)
    used += 5
  }

  return {
    issue(now) {
      bytes.writeUInt32BE(Math.floor(now / 1000), 0)
      draw()
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
      const hex = bytes.toString('hex') + sealNew(bytes)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },

    read(text, now) {
      const value = text.toLowerCase()
      if (!SHAPE.test(value)) return undefined
      const hex = value.replaceAll('-', '')
      const sealed = Buffer.from(hex.slice(0, 2 * SEALED), 'hex')
      const claimed = Buffer.from(hex.slice(2 * SEALED))
      if (!seals.some((seal) => timingSafeEqual(Buffer.from(seal(sealed)), claimed))) return undefined
      const issuedAt = sealed.readUInt32BE(0) * 1000
      const expiresAt = issuedAt + ttlMs
      return issuedAt <= now + AHEAD_MS && now < expiresAt ? { value, expiresAt } : undefined
    },
  }
}

/**
 * HMAC-SHA-256 (RFC 2104) of a nonce's first nine bytes, cut to 56 bits, in hexadecimal. The keyed state is made
 * once and copied for each nonce; `createHmac` of node:crypto builds it anew, at fifteen times the cost.
 */
function createSeal(secret: Buffer): (sealed: Buffer) => string {
  const keyed = hmac.create(sha256, secret)
  const scratch = keyed.clone()
  const digest = Buffer.alloc(32)
  return (sealed) => {
    keyed._cloneInto(scratch)
    scratch.update(sealed).digestInto(digest)
    return digest.toString('hex', 0, 16 - SEALED)
  }
}
