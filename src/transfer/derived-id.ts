import { hash } from 'node:crypto'

/**
 * Ids for members without one. The same file gives the same ids, so that a second import adds no member twice. They are
 * UUIDs of version 8 (RFC 9562 §5.8): zeros, which no nonce begins with, 16 bits for the name of the file, 36 for the
 * position in it, and 62 bits of a digest of both and the text. So they ascend with the file, and databases insert them
 * several times as fast as random ids.
 */
export function createDerivedId(file: string): (position: number, text: string) => string {
  const name = hash('sha256', file, 'hex').slice(0, 4)
  return (position, text) => {
    const digits = position.toString(16).padStart(9, '0')
    const digest = hash('sha256', `${file}\n${position}\n${text}`, 'hex')
    const variant = '89ab'[Number.parseInt(digest.slice(0, 1), 16) % 4]
    return [
      `00${name}${digits.slice(0, 2)}`,
      digits.slice(2, 6),
      `8${digits.slice(6)}`,
      variant + digest.slice(1, 4),
      digest.slice(4, 16),
    ].join('-')
  }
}
