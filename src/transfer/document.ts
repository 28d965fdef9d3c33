import type { JsonValue } from '../json.ts'
import { type Cut, type Cutter, withoutByteOrderMark } from './cutter.ts'
import { cutInMemory } from './document-in-memory.ts'
import { besideGraph, contextOf, elementOf } from './document-parts.ts'
import { type Visitor, walkDocument } from './document-walk.ts'

/** What cannot be cut while it is read must fit into the memory. */
const LARGEST_IN_MEMORY = 64 * 1024 * 1024

export const TOO_LARGE =
  'This JSON-LD has more than 64 MiB and cannot be read piece by piece: make it an object whose "@context" ' +
  'comes before its "@graph", and its members the elements of that, or use NDJSON.'

/**
 * A JSON-LD document, whose nodes are the members: the elements of its `@graph`, or of a list, or the document itself.
 * Where its `@context` comes before its `@graph` it is cut while it is read; else it is read into the memory first.
 */
export function createDocumentCutter(): Cutter {
  let cuts: Cut[] = []
  let isStreamed: boolean | undefined
  /** Until it can be told whether it is a byte order mark. */
  let start: Buffer | undefined = Buffer.alloc(0)
  let kept: Buffer[] = []
  let length = 0
  const walk = walkDocument(streaming((cut) => cuts.push(cut), decide))

  function decide(streamed: boolean): void {
    isStreamed ??= streamed
  }

  function keep(chunk: Buffer): void {
    if (isStreamed === true) {
      kept = []
      return
    }
    kept.push(chunk)
    length += chunk.length
    if (length > LARGEST_IN_MEMORY) throw new Error(TOO_LARGE)
  }

  function feed(chunk: Buffer): void {
    walk.push(chunk)
    keep(chunk)
  }

  function feedStart(bytes: Buffer): void {
    start = undefined
    feed(withoutByteOrderMark(bytes))
  }

  function taken(): Cut[] {
    const found = cuts
    cuts = []
    return found
  }

  return {
    push(chunk) {
      if (start === undefined) feed(chunk)
      else {
        start = Buffer.concat([start, chunk])
        if (start.length >= 3) feedStart(start)
      }
      return taken()
    },
    end() {
      if (start !== undefined) feedStart(start)
      walk.end()
      return isStreamed === true ? taken() : cutInMemory(Buffer.concat(kept))
    },
  }
}

/** `decide` is told as soon as it is known whether the document can be cut while it is read. */
function streaming(emit: (cut: Cut) => void, decide: (streamed: boolean) => void): Visitor {
  let context: JsonValue | undefined
  let elements = 0
  let seen: 'nothing' | 'context' | 'graph' = 'nothing'
  /** Until there is a `@graph` it may be a node, whose keys these are. */
  const beside: Cut[] = []
  return {
    list() {
      decide(false)
      return 'stop'
    },
    key(name, line) {
      if (name === '@context' && seen === 'nothing') return 'keep'
      if (name === '@graph' && seen === 'context') {
        seen = 'graph'
        decide(true)
        beside.forEach(emit)
        return 'cut'
      }
      if (name === '@graph' || name === '@context') {
        decide(false)
        return 'stop'
      }
      if (seen === 'graph') emit(besideGraph(name, line))
      else if (beside.length < MOST_BESIDE) beside.push(besideGraph(name, line))
      return 'pass'
    },
    kept(value) {
      seen = 'context'
      const read = contextOf(value)
      if ('context' in read) {
        context = read.context
        return 'go on'
      }
      emit(read)
      decide(true)
      return 'stop'
    },
    element(value) {
      elements++
      emit(elementOf(value, elements, context))
    },
    broken(line, problem) {
      if (seen === 'graph') emit({ line, problem })
      decide(false)
    },
  }
}

const MOST_BESIDE = 100
