import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { BoundedMap } from './bounded-map.ts'
import { createChaskey } from './chaskey.ts'

/** Encrypts a number as text that reveals neither its size nor its distance from another one. */
export interface Seal {
  seal(number: number): string
  /** Undefined for text that was not sealed with this secret, for the same purpose. */
  open(text: string): number | undefined
}

/** With 64 bits more beside the number. */
export interface WideSeal extends Seal {
  seal(number: number, more?: bigint): string
  /** The caller checks `more`: for text that was not sealed with this secret, both are random. Undefined for other text. */
  openBoth(text: string): { readonly number: number; readonly more: bigint } | undefined
}

/** Leaves numbers as they are. */
export const PLAIN: Seal = {
  seal: String,
  open: (text) => (/^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined),
}

/** How many numbers a seal has cached, with their texts: most texts that are opened were sealed a moment ago. */
const MAX_CACHED = 1_000

/** Seals by purpose, each created once. `secret`: as for `createSeal`. */
export function createSeals(secret: Buffer): (purpose: string) => Seal {
  const seals = new Map<string, Seal>()
  return (purpose) => {
    const seal = seals.get(purpose) ?? cache(createSeal(secret, purpose))
    seals.set(purpose, seal)
    return seal
  }
}

function cache({ seal, open }: Seal): Seal {
  const texts = new BoundedMap<number, string>(MAX_CACHED)
  const numbers = new BoundedMap<string, number>(MAX_CACHED)
  return {
    seal: (number) =>
      texts.getOrInsertComputed(number, () => {
        const text = seal(number)
        numbers.set(text, number)
        return text
      }),
    open: (text) => numbers.get(text) ?? open(text),
  }
}

/** How many characters a sealed number has. */
export const SEALED = 22

/** `secret`: that of the deployment, so that every process and host opens what another one has sealed. */
export function createSeal(secret: Buffer, purpose: string): WideSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 16))
  // Created once, which takes 20 times as long as a block. ECB, since each number is one block, without padding.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)

  function openBoth(text: string) {
    if (text.length !== SEALED) return undefined
    const sealed = Buffer.from(text, 'base64url')
    // Canonical base64url alone: the last character has unused bits.
    if (sealed.length !== 16 || sealed.toString('base64url') !== text) return undefined
    const block = decipher.update(sealed)
    return { number: Number(block.readBigUInt64BE()), more: block.readBigUInt64BE(8) }
  }

  return {
    openBoth,
    seal(number, more = 0n) {
      const block = Buffer.alloc(16)
      block.writeBigUInt64BE(BigInt(number))
      block.writeBigUInt64BE(more, 8)
      return cipher.update(block).toString('base64url')
    },
    open(text) {
      const opened = openBoth(text)
      // For text that was made up, the second half is zero once in 2^64 times.
      return opened?.more === 0n && Number.isSafeInteger(opened.number) ? opened.number : undefined
    },
  }
}

/** The HMAC of some bytes; the buffer is used again by the next call. */
export type Mac = (bytes: Buffer) => Buffer

/**
 * HMAC-SHA-256 (RFC 2104). The keyed state is created once and copied for each call; `createHmac` of node:crypto builds
 * it anew, at fifteen times the cost. `_cloneInto` is not documented, but `clone`, which is, allocates a new state for
 * each call and takes twice as long.
 */
export function createMac(secret: Buffer): Mac {
  const keyed = hmac.create(sha256, secret)
  const scratch = keyed.clone()
  const digest = Buffer.alloc(32)
  return (bytes) => {
    keyed._cloneInto(scratch)
    scratch.update(bytes).digestInto(digest)
    return digest
  }
}

/** Encrypts text so that it reveals nothing but its length, in steps of 48 bytes. */
export interface TextSeal {
  /** The same each time for the same text, since pages with a strong ETag contain it. */
  seal(text: string): string
  /** Undefined for text that was not sealed with this secret, for the same purpose. */
  open(text: string): string | undefined
}

const TAG_BYTES = 16
const TAG_WORDS = TAG_BYTES / 4
const STEP = 48
/** A byte that UTF-8 does not have. */
const PADDING = 0xff
const WHOLE_STEPS = /^(?:[\w-]{64})+$/

/** How many characters a text of so many bytes has when it is sealed. */
export const sealedLength = (bytes: number): number => (Math.ceil((TAG_BYTES + bytes) / STEP) * STEP * 4) / 3

/** The longest text that is sealed, in bytes. */
const LONGEST = 8 * 1024

/**
 * SIV (RFC 5297 §2.6), deterministic authenticated encryption, by Chaskey: the MAC of the padded text is its tag and the
 * initialisation vector of the keystream. HMAC and AES in its place would make a page cost a tenth more. `secret`: as for
 * `createSeal`.
 */
export function createTextSeal(secret: Buffer, purpose: string): TextSeal {
  const keys = new Int32Array(hkdfSync('sha256', secret, '', purpose, 2 * TAG_BYTES))
  const { mac } = createChaskey(keys.slice(0, TAG_WORDS))
  const { applyKeystream } = createChaskey(keys.slice(TAG_WORDS))
  // One text at a time: the tag, then the text.
  const words = new Int32Array(LONGEST / 4)
  const bytes = Buffer.from(words.buffer)
  const tag = new Int32Array(TAG_WORDS)

  return {
    seal(text) {
      const end = TAG_BYTES + bytes.write(text, TAG_BYTES)
      const size = Math.ceil(end / STEP) * STEP
      for (let at = end; at < size; at += 1) bytes[at] = PADDING
      mac(words, TAG_WORDS, size / 4, words)
      applyKeystream(words, TAG_WORDS, size / 4, words)
      return bytes.toString('base64url', 0, size)
    },
    open(text) {
      // Whole steps have no unused bits, so that each sealed text has one spelling.
      if (text.length > LONGEST || !WHOLE_STEPS.test(text)) return undefined
      const size = bytes.write(text, 'base64url')
      applyKeystream(words, TAG_WORDS, size / 4, words)
      mac(words, TAG_WORDS, size / 4, tag)
      let difference = 0
      for (let at = 0; at < TAG_WORDS; at += 1) difference |= (words[at] as number) ^ (tag[at] as number)
      if (difference !== 0) return undefined
      let end = size
      while (bytes[end - 1] === PADDING) end -= 1
      return bytes.toString('utf8', TAG_BYTES, end)
    },
  }
}
