import { type Cut, type Cutter, cutOut, LONGEST_MEMBER, TOO_LONG, withoutByteOrderMark } from './cutter.ts'

const LINE_FEED = 0x0a
const BLANK = /^[ \t\r]*$/

/** NDJSON: a member on each line; empty lines are none. */
export function createLineCutter(): Cutter {
  /** The beginning of the line that the next chunk goes on with. */
  let begun: Buffer[] = []
  let length = 0
  let line = 1

  function take(part: Buffer): void {
    length += part.length
    // The rest of a line that is refused anyway is not kept.
    if (length > LONGEST_MEMBER) begun = []
    else begun.push(part)
  }

  function finish(cuts: Cut[]): void {
    if (length > LONGEST_MEMBER) cuts.push({ line, problem: TOO_LONG })
    else {
      const bytes = begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun)
      const cut = cutOut(line === 1 ? withoutByteOrderMark(bytes) : bytes, line, line)
      if ('problem' in cut || !BLANK.test(cut.text)) cuts.push(cut)
    }
    begun = []
    length = 0
    line++
  }

  return {
    push(chunk) {
      const cuts: Cut[] = []
      let from = 0
      for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, feed))
        finish(cuts)
        from = feed + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
      return cuts
    },
    end() {
      const cuts: Cut[] = []
      if (length > 0) finish(cuts)
      return cuts
    },
  }
}
