import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors.ts'
import { type JsonValue, readJson } from '../json.ts'
import { type JsonText, scanDocument, type Visitor } from './json-scanner.ts'
import {
  type Found,
  LONGEST_MEMBER,
  NOT_UTF8,
  type Problem,
  type Splitter,
  TOO_LONG,
  toMemberText,
  withoutByteOrderMark,
} from './ndjson.ts'

/** What cannot be split while it is read must fit into the memory. */
const LARGEST_IN_MEMORY = 64 * 1024 * 1024

const TOO_LARGE =
  'This JSON-LD has more than 64 MiB and cannot be read piece by piece: make it an object whose "@context" ' +
  'comes before its "@graph", and its members the elements of that, or use NDJSON.'

/**
 * A JSON-LD document, whose nodes are the members: the elements of its `@graph`, or of a list, or the document itself.
 * Where its `@context` comes before its `@graph` it is split while it is read; else it is read into the memory first.
 */
export function createJsonLdSplitter(): Splitter {
  let found: Found[] = []
  let isStreamed: boolean | undefined
  /** Until it can be told whether it is a byte order mark. */
  let start: Buffer | undefined = Buffer.alloc(0)
  let kept: Buffer[] = []
  let length = 0
  const scan = scanDocument(
    visitMembers({
      emit: (one) => found.push(one),
      decide: (streamed) => {
        isStreamed ??= streamed
      },
    }),
  )

  function feed(chunk: Buffer): void {
    scan.push(chunk)
    if (isStreamed === true) {
      kept = []
      return
    }
    kept.push(chunk)
    length += chunk.length
    if (length > LARGEST_IN_MEMORY) throw new Error(TOO_LARGE)
  }

  function feedStart(bytes: Buffer): void {
    start = undefined
    feed(withoutByteOrderMark(bytes))
  }

  function taken(): Found[] {
    const members = found
    found = []
    return members
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
      scan.end()
      return isStreamed === true ? taken() : splitInMemory(Buffer.concat(kept))
    },
  }
}

/** Twice through it: the context may come last. */
function splitInMemory(document: Buffer): Found[] {
  const surveyed = survey(document)
  if ('problem' in surveyed) return [surveyed]
  if (!surveyed.hasMembers) return [nodeOf(document)]
  const found: Found[] = []
  const visitor = visitMembers({ emit: (one) => found.push(one), decide() {}, known: surveyed })
  scanDocument(visitor).whole(document)
  return found
}

interface Survey {
  readonly context: JsonValue | undefined
  /** Else the document is a member itself. */
  readonly hasMembers: boolean
}

function survey(document: Buffer): Survey | Problem {
  let context: JsonValue | undefined
  let hasMembers = false
  let problem: Problem | undefined
  scanDocument({
    list() {
      hasMembers = true
      return 'stop'
    },
    key(name) {
      if (name === '@graph') hasMembers = true
      return name === '@context' ? 'keep' : 'pass'
    },
    kept(value) {
      const read = readContext(value)
      if ('context' in read) context = read.context
      else problem = read
      return 'go on'
    },
    element() {},
    broken(line, sentence) {
      problem ??= { line, problem: sentence }
    },
  }).whole(document)
  return problem ?? { context, hasMembers }
}

interface MemberVisit {
  readonly emit: (found: Found) => void
  /** Told as soon as it is known whether the document can be split while it is read. */
  readonly decide: (streamed: boolean) => void
  /** The context, where the document was gone through before. */
  readonly known?: Pick<Survey, 'context'>
}

const MOST_BESIDE = 100

function visitMembers({ emit, decide, known }: MemberVisit): Visitor {
  let context = known?.context
  let elements = 0
  let seen: 'nothing' | 'context' | 'graph' = known === undefined ? 'nothing' : 'context'
  /** Until there is a `@graph` it may be a node, whose keys these are. */
  const beside: Problem[] = []

  function stop(): 'stop' {
    decide(false)
    return 'stop'
  }

  return {
    list: () => (known === undefined ? stop() : 'split'),
    key(name, line) {
      if (name === '@context') {
        if (known !== undefined) return 'pass'
        return seen === 'nothing' ? 'keep' : stop()
      }
      if (name === '@graph') {
        if (seen !== 'context') return stop()
        seen = 'graph'
        decide(true)
        beside.forEach(emit)
        return 'split'
      }
      if (seen === 'graph') emit(besideGraph(name, line))
      else if (beside.length < MOST_BESIDE) beside.push(besideGraph(name, line))
      return 'pass'
    },
    kept(value) {
      seen = 'context'
      const read = readContext(value)
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
      if (seen === 'graph' || known !== undefined) emit({ line, problem })
      decide(false)
    },
  }
}

/** It says something about the document as a whole, which is no member. */
const besideGraph = (name: string, line: number): Problem => ({
  line,
  problem: `${JSON.stringify(name.slice(0, 100))} stands beside "@graph", where it belongs to no member; leave it out.`,
})

function readContext({ bytes, line }: JsonText): { readonly context: JsonValue } | Problem {
  if (bytes === undefined) return { line, problem: 'The context has more than 16 MiB; make it smaller.' }
  if (!isUtf8(bytes)) return { line, problem: NOT_UTF8 }
  try {
    return { context: readJson(bytes.toString('utf8')) }
  } catch (error) {
    if (error instanceof HttpError) return { line, problem: error.message }
    throw error
  }
}

const elementOf = ({ bytes, line }: JsonText, position: number, context: JsonValue | undefined): Found =>
  bytes === undefined ? { line, problem: TOO_LONG } : toMemberText(bytes, { line, position, context })

function nodeOf(document: Buffer): Found {
  const start = document.findIndex((byte) => byte > 0x20)
  const line = document.subarray(0, start).filter((byte) => byte === 0x0a).length + 1
  const bytes = document.subarray(start)
  return elementOf({ line, bytes: bytes.length > LONGEST_MEMBER ? undefined : bytes }, 1, undefined)
}
