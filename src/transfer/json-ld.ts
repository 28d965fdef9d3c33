import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors.ts'
import { type JsonValue, readJson } from '../json.ts'
import { type JsonText, scanDocument } from './json-scanner.ts'
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

/** Where the context comes behind the members, they wait for it in the memory. */
const LARGEST_IN_MEMORY = 64 * 1024 * 1024

const TOO_LARGE =
  'This JSON-LD has more than 64 MiB and cannot be read piece by piece: make it an object whose ' +
  '"@context" comes before its "@graph", and its members the elements of that, or use NDJSON.'

/** So many keys that belong to no member are told of, while it may still be a node, whose keys they are. */
const MOST_BESIDE = 100

/** A JSON-LD document, whose nodes are the members: the elements of its `@graph`, or of a list, or the document itself. */
export function createJsonLdSplitter(): Splitter {
  /** Until it can be told whether it is a byte order mark. */
  let start: Buffer | undefined = Buffer.alloc(0)
  /** A node until there is a list or a `@graph`: it is kept as it is. */
  let isNode = true
  let node: Buffer[] = []
  /** Of all that was read. */
  let length = 0
  /** Undefined until it is known; a list has none. */
  let known: { readonly context: JsonValue | undefined } | undefined
  let isBroken = false
  let elements = 0
  let ready: Found[] = []
  /** Until the context is known, and that it is no node. */
  let waiting: Found[] = []

  const scan = scanDocument({
    list() {
      isNode = false
      release({ context: undefined })
    },
    key(name, line) {
      if (name === '@context') return 'keep'
      if (name === '@graph') {
        isNode = false
        if (known !== undefined) release(known)
        return 'split'
      }
      if (!isNode || waiting.length < MOST_BESIDE) emit(besideGraph(name, line))
      return 'pass'
    },
    kept(value) {
      const read = readContext(value)
      if ('problem' in read) return fail(read)
      if (isNode) known = read
      else release(read)
      return undefined
    },
    element({ bytes, line }) {
      elements++
      emit(
        bytes === undefined
          ? { line, problem: TOO_LONG }
          : toMemberText(bytes, { line, position: elements, context: known?.context }),
      )
    },
    broken: (line, problem) => fail({ line, problem }),
  })

  /** In the order of the document. */
  function emit(found: Found): void {
    if (known !== undefined && !isNode) ready.push(found)
    else waiting.push(found)
  }

  function release(context: NonNullable<typeof known>): void {
    known = context
    for (const one of waiting) ready.push('text' in one ? { ...one, ...context } : one)
    waiting = []
  }

  function fail(problem: Problem): 'stop' {
    isBroken = true
    waiting = []
    ready.push(problem)
    return 'stop'
  }

  function feed(chunk: Buffer): void {
    scan.push(chunk)
    length += chunk.length
    if (isNode && length <= LONGEST_MEMBER) node.push(chunk)
    else node = []
    if (!isNode && known === undefined && length > LARGEST_IN_MEMORY) throw new Error(TOO_LARGE)
  }

  function feedStart(bytes: Buffer): void {
    start = undefined
    feed(withoutByteOrderMark(bytes))
  }

  function taken(): Found[] {
    const found = ready
    ready = []
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
      scan.end()
      if (!isBroken && isNode) ready.push(nodeOf(length > LONGEST_MEMBER ? undefined : Buffer.concat(node)))
      else if (!isBroken && known === undefined) release({ context: undefined })
      return taken()
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

/** The document as a member; its context is part of it. */
function nodeOf(document: Buffer | undefined): Found {
  if (document === undefined) return { line: 1, problem: TOO_LONG }
  const start = document.findIndex((byte) => byte > 0x20)
  const line = document.subarray(0, start).filter((byte) => byte === 0x0a).length + 1
  return toMemberText(document.subarray(start), { line, position: 1, context: undefined })
}
