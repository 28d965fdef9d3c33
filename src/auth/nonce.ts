import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto'
import { AHEAD_MS } from '../database/index.ts'
import { createMac, type Mac } from '../seal.ts'

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
  /** Undefined for a text that this deployment did not issue, or not recently. */
  read(text: string, now: number): Nonce | undefined
  /**
   * Nonces belong to a series, and nonces of earlier series are refused: a new series begins when a clock was set back
   * (authentication.md, Time). Each series has its own keys, since nonces from before and after may have the same time.
   */
  readonly series: number
  /** Ignores a series that is not later than the current one. */
  useSeries(series: number): void
}

export interface Nonce {
  /** The nonce in lower case, as it is stored when it is spent. */
  readonly value: string
  readonly expiresAt: number
  readonly series: number
}

const SIGNED = 9
const NONCE_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const RANDOM_BYTES = 5
const LARGEST_BATCH = 64

/** The first secret signs; the others are still accepted while a secret is being rotated. */
export function createNonces(
  secrets: readonly Buffer[],
  ttlMs: number,
  random: (buffer: Buffer) => unknown = randomFillSync,
  first = 0,
): Nonces {
  if (secrets.length === 0) throw new Error('A nonce needs at least one secret.')
  return new SignedNonces(secrets, ttlMs, random, first)
}

class SignedNonces implements Nonces {
  readonly #secrets: readonly Buffer[]
  readonly #ttlMs: number
  readonly #random: (buffer: Buffer) => unknown
  #series: number
  #signatures: readonly Mac[]
  #nextSignatures: readonly Mac[]
  readonly #bytes = Buffer.alloc(16)
  readonly #head = this.#bytes.subarray(0, SIGNED)
  readonly #drawn = Buffer.alloc(RANDOM_BYTES * LARGEST_BATCH)
  /** Nonces created in the second `#madeAt` and not yet issued; discarded when that second is over. */
  #ready: string[] = []
  #madeAt = 0
  #batch = 1

  constructor(
    secrets: readonly Buffer[],
    ttlMs: number,
    random: (buffer: Buffer) => unknown,
    series: number,
  ) {
    this.#secrets = secrets
    this.#ttlMs = ttlMs
    this.#random = random
    this.#series = series
    this.#signatures = this.#signaturesOf(series)
    this.#nextSignatures = this.#signaturesOf(series + 1)
  }

  get series(): number {
    return this.#series
  }

  readonly useSeries = (later: number): void => {
    if (later <= this.#series) return
    this.#series = later
    this.#signatures = this.#signaturesOf(later)
    this.#nextSignatures = this.#signaturesOf(later + 1)
    this.#ready = []
  }

  issue(now: number): string {
    const second = Math.floor(now / 1000)
    if (second !== this.#madeAt || this.#ready.length === 0) this.#makeReady(second)
    return this.#ready.pop() as string
  }

  read(text: string, now: number): Nonce | undefined {
    if (!NONCE_SHAPE.test(text)) return undefined
    const value = text.toLowerCase()
    const claimed = Buffer.from(value.replaceAll('-', ''), 'hex')
    const isSignedBy = (signature: Mac) =>
      timingSafeEqual(
        signature(claimed.subarray(0, SIGNED)).subarray(0, 16 - SIGNED),
        claimed.subarray(SIGNED),
      )
    if (!this.#signatures.some(isSignedBy)) {
      // Another process has begun the next series: only a process that has the secret can have signed this nonce.
      if (!this.#nextSignatures.some(isSignedBy)) return undefined
      this.useSeries(this.#series + 1)
    }
    const issuedAt = claimed.readUInt32BE(0) * 1000
    const expiresAt = issuedAt + this.#ttlMs
    const isRecent = issuedAt <= now + AHEAD_MS && now < expiresAt
    return isRecent ? { value, expiresAt, series: this.#series } : undefined
  }

  #signaturesOf(series: number): Mac[] {
    return this.#secrets.map((secret) => createMac(keyOf(secret, series)))
  }

  /**
   * Batches double within a second: nonces that are made in a row cost half as much as single ones between other work, and
   * drawing random bytes costs the same for one nonce as for a batch.
   */
  #makeReady(second: number): void {
    this.#batch = second === this.#madeAt ? Math.min(2 * this.#batch, LARGEST_BATCH) : 1
    this.#madeAt = second
    this.#random(this.#drawn.subarray(0, RANDOM_BYTES * this.#batch))
    this.#bytes.writeUInt32BE(second, 0)
    this.#ready = Array.from({ length: this.#batch }, (_, index) => this.#make(RANDOM_BYTES * index))
  }

  #make(from: number): string {
    const bytes = this.#bytes
    // Byte by byte: one call into native code costs more than copying five.
    for (let index = 0; index < RANDOM_BYTES; index += 1)
      bytes[4 + index] = this.#drawn[from + index] as number
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
    const digest = (this.#signatures[0] as Mac)(this.#head)
    for (let index = SIGNED; index < 16; index += 1) bytes[index] = digest[index - SIGNED] as number
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

/** The first series is signed with the secret itself. */
const keyOf = (secret: Buffer, series: number): Buffer =>
  series === 0 ? secret : createHmac('sha256', secret).update(`nonce series ${series}`).digest()
