import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const ID_BYTES = 16
const AT_ONCE = 256

/** Drawn for many ids at once: for each alone, drawing takes as long as validating what was sent. */
const bytes = Buffer.alloc(ID_BYTES * AT_ONCE)
let used = bytes.length

function random(): Uint8Array {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  used += ID_BYTES
  return bytes.subarray(used - ID_BYTES, used)
}

/** Of a member whose creator names none: in the order of time, to the millisecond, and not to be guessed. */
export const newId = (): string => v7({ rng: random })
