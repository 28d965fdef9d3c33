import type { Selection, StoredMember } from '../store.ts'

/**
 * So many bytes the text of each member of a page may have, and so many its holes, without a look at the others. Where
 * none has more, which is nearly every page, nothing is added up. A hole has one byte at least.
 */
export function sharesOf({ room, limit }: Pick<Selection, 'room' | 'limit'>): [body: number, holes: number] {
  const half = Math.floor(room.bytes / limit / 2)
  return [half, Math.floor(half / Math.max(1, room.link))]
}

/** What is served of a member, but for its address and its type. */
export const bytesOf = ({ body, holes }: Pick<StoredMember, 'body' | 'holes'>, link: number): number =>
  Buffer.byteLength(body) + (holes === '' ? 0 : link * holes.split(',').length)
