import { hash } from 'node:crypto'

/** The id of a member that comes without one, from its place in the file and its text. */
export type DerivedId = (place: number, text: string) => string

/**
 * Ids that the same file gives to the same members again, so that a second import adds nothing twice: UUIDs of version 8
 * (RFC 9562 §5.8), with 24 bits for the file's name, 36 for the place in it, and 62 over both and the text. In
 * this order they ascend with the file: a database takes them several times as fast as random ones.
 */
export function createDerivedId(file: string): DerivedId {
  const name = hash('sha256', file, 'hex').slice(0, 6)
  return (place, text) => {
    const digits = place.toString(16).padStart(9, '0')
    const digest = hash('sha256', `${file}\n${place}\n${text}`, 'hex')
    const variant = '89ab'[Number.parseInt(digest.slice(0, 1), 16) % 4]
    return [
      name + digits.slice(0, 2),
      digits.slice(2, 6),
      `8${digits.slice(6)}`,
      variant + digest.slice(1, 4),
      digest.slice(4, 16),
    ].join('-')
  }
}
