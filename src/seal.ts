import { createCipheriv, createDecipheriv, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'

/** Encrypts a number as text that reveals neither its size nor its distance from another one. */
export interface NumberCipher {
  seal(number: number): string
  /** Undefined for a text that was not encrypted with this secret, for the same purpose. */
  open(text: string): number | undefined
}

/** A cipher that adds 64 more bits to the number. */
export interface WideNumberCipher extends NumberCipher {
  seal(number: number, more?: bigint): string
  /**
   * The caller checks `more`: if the text was not encrypted with this secret, both are random. Undefined for a
   * malformed text.
   */
  openBoth(text: string): { readonly number: number; readonly more: bigint } | undefined
}

/** Leaves numbers as they are. */
export const NO_CIPHER: NumberCipher = {
  seal: String,
  open: (text) => (/^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined),
}

/** How many numbers a cipher caches, with their texts: most texts to decrypt were encrypted a moment ago. */
const MAX_CACHED = 1_000

/** Ciphers by purpose, each created once. `secret`: as for `createNumberCipher`. */
export function createNumberCiphers(secret: Buffer): (purpose: string) => NumberCipher {
  const ciphers = new Map<string, NumberCipher>()
  return (purpose) => {
    const cipher = ciphers.get(purpose) ?? cache(createNumberCipher(secret, purpose))
    ciphers.set(purpose, cipher)
    return cipher
  }
}

function cache({ seal, open }: NumberCipher): NumberCipher {
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

/** The length of an encrypted number, in characters. */
export const SEALED = 22

/** `secret`: the secret of the deployment, so that every process and host can decrypt what another one has encrypted. */
export function createNumberCipher(secret: Buffer, purpose: string): WideNumberCipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 16))
  // Created once, which takes 20 times as long as a block. ECB, since each number is one block, without padding.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)

  function openBoth(text: string) {
    if (text.length !== SEALED) return undefined
    const sealed = Buffer.from(text, 'base64url')
    // Accepts only canonical base64url: the last character has unused bits.
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
      // For a forged text, the second half is zero once in 2^64 times.
      return opened?.more === 0n && Number.isSafeInteger(opened.number) ? opened.number : undefined
    },
  }
}

/** The HMAC of up to 8 KiB; the buffer is used again by the next call. */
export type Mac = (bytes: Buffer) => Buffer

/** The longest text that is signed or sealed, in bytes. */
const LONGEST = 8 * 1024
/** SHA-256 works on blocks of this size. */
const BLOCK = 64

/**
 * HMAC-SHA-256 (RFC 2104): the hash of the key and of the hash of the key and the text. Uses `hash` of node:crypto, since
 * `createHmac` takes fifteen times as long for a few bytes, and hex, which is returned in a third of the time.
 */
export function createMac(secret: Buffer): Mac {
  const key = Buffer.alloc(BLOCK)
  key.write(secret.length > BLOCK ? hash('sha256', secret) : secret.toString('hex'), 'hex')
  const inner = Buffer.alloc(BLOCK + LONGEST)
  const outer = Buffer.alloc(BLOCK + 32)
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36
    outer[index] = byte ^ 0x5c
  }
  const digest = Buffer.alloc(32)
  return (bytes) => {
    const end = BLOCK + bytes.copy(inner, BLOCK)
    outer.write(hash('sha256', inner.subarray(0, end)), BLOCK, 'hex')
    digest.write(hash('sha256', outer), 'hex')
    return digest
  }
}

/** Encrypts a text so that it reveals only its length, in steps of 48 bytes. */
export interface TextCipher {
  /** Returns the same result each time for the same text, since pages with a strong ETag contain it. */
  seal(text: string): string
  /** Undefined for a text that was not encrypted with this secret, for the same purpose. */
  open(text: string): string | undefined
}

const TAG = 16
const STEP = 48
/** A byte that UTF-8 does not have. */
const PADDING = 0xff
const WHOLE_STEPS = /^(?:[\w-]{64})+$/

/** The length of the encrypted form of a text with this many bytes, in characters. */
export const sealedLength = (bytes: number): number => (Math.ceil((TAG + bytes) / STEP) * STEP * 4) / 3

/**
 * SIV (RFC 5297 §2.6), deterministic authenticated encryption: a MAC of the padded text is its tag, and the first block of
 * the counter with which AES encrypts it. `secret`: as for `createNumberCipher`.
 */
export function createTextCipher(secret: Buffer, purpose: string): TextCipher {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', purpose, 48))
  const mac = createMac(keys.subarray(16))
  const cipher = createCipheriv('aes-128-ecb', keys.subarray(0, 16), null).setAutoPadding(false)
  // One text at a time: the tag, then the text.
  const words = new Int32Array(LONGEST / 4)
  const bytes = Buffer.from(words.buffer)
  const counters = new Int32Array(LONGEST / 4)
  const counterBytes = Buffer.from(counters.buffer)

  /** Encrypts or decrypts the bytes after the tag. */
  function applyKeystream(size: number): void {
    for (let at = 0; at < size / 4; at += 1) counters[at] = words[at % 4] as number
    for (let at = 3; at < size / 4; at += 4) counters[at] = (counters[at] as number) ^ at
    const stream = cipher.update(counterBytes.subarray(TAG, size))
    for (let at = TAG; at < size; at += 1) bytes[at] = (bytes[at] as number) ^ (stream[at - TAG] as number)
  }

  return {
    seal(text) {
      const end = TAG + bytes.write(text, TAG)
      const size = Math.ceil(end / STEP) * STEP
      bytes.fill(PADDING, end, size)
      mac(bytes.subarray(TAG, size)).copy(bytes, 0, 0, TAG)
      applyKeystream(size)
      return bytes.toString('base64url', 0, size)
    },
    open(text) {
      // Whole steps have no unused bits, so each encrypted text has only one spelling.
      if (text.length > LONGEST || !WHOLE_STEPS.test(text)) return undefined
      const size = bytes.write(text, 'base64url')
      applyKeystream(size)
      const tag = mac(bytes.subarray(TAG, size)).subarray(0, TAG)
      if (!timingSafeEqual(tag, bytes.subarray(0, TAG))) return undefined
      let end = size
      while (bytes[end - 1] === PADDING) end -= 1
      return bytes.toString('utf8', TAG, end)
    },
  }
}
