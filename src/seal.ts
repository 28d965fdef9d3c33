import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'

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
