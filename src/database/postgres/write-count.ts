import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { SharedCount } from '../index.ts'

/** How many writes the processes of this host have acknowledged; raised before each acknowledgement. */
export interface WriteCount {
  raise(): void
  read(): number
  close(): void
}

export function countWrites(): WriteCount {
  let count = 0
  return {
    raise() {
      count += 1
    },
    read: () => count,
    close() {},
  }
}

/** How many bytes the count of a process takes. */
const COUNT_BYTES = 8

/** A message between processes could arrive later than the next request of the client whose write is acknowledged. */
export function shareWriteCount({ path, place, places }: SharedCount): WriteCount {
  const file = openSync(path, 'r+')
  const all = Buffer.alloc(places * COUNT_BYTES)
  const own = Buffer.alloc(COUNT_BYTES)
  // A process that takes the place of one that has ended goes on where that one was.
  readSync(file, own, 0, COUNT_BYTES, place * COUNT_BYTES)
  return {
    raise() {
      own.writeDoubleLE(own.readDoubleLE() + 1)
      writeSync(file, own, 0, COUNT_BYTES, place * COUNT_BYTES)
    },
    read() {
      readSync(file, all, 0, all.length, 0)
      let sum = 0
      for (let at = 0; at < all.length; at += COUNT_BYTES) sum += all.readDoubleLE(at)
      return sum
    },
    close: () => closeSync(file),
  }
}
