import assert from 'node:assert/strict'

/** Ids that the server has chosen; versions and the ETags of pages; cursors. */
export const OPAQUE =
  /[\da-f]{8}-[\da-f-]{27}|(?<=ETag\n")(?:[\w-]{12}(?=")|[\w-]{22}(?=-)|\d+(?=-))|(?<=(?:after|before)=)[\w-]+/g

/** The same with whole ETags: that of a member with others in it covers their versions, too. */
export const WITH_ETAGS = new RegExp(`(?<=ETag\\n")[^"]+|${OPAQUE.source}`, 'g')

/** Fails unless the two texts are the same but for what is opaque, which has one counterpart for good. */
export function createCompare(opaqueParts = OPAQUE) {
  const counterparts = [new Map<string, string>(), new Map<string, string>()] as const
  return (one: string, other: string, about: string): void => {
    const [left, right] = [one, other]
    assert.equal(left.replaceAll(opaqueParts, '…'), right.replaceAll(opaqueParts, '…'), about)
    const theirs = right.match(opaqueParts) ?? []
    for (const [index, opaque] of (left.match(opaqueParts) ?? []).entries()) {
      const counterpart = theirs[index] ?? ''
      // A number that is not sealed has no counterpart but itself.
      if (/^\d+$/.test(opaque + counterpart)) assert.equal(opaque, counterpart, about)
      for (const [map, from, to] of [
        [counterparts[0], opaque, counterpart],
        [counterparts[1], counterpart, opaque],
      ] as const) {
        assert.equal(map.get(from) ?? to, to, `${about}: ${from} had another counterpart`)
        map.set(from, to)
      }
    }
  }
}
