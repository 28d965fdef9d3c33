import { HttpError } from '../errors.ts'
import { readJson } from '../json.ts'
import { createValueReader, type Value, type ValueReader } from './value-reader.ts'

/** Who is told of what a JSON document has at its top, while it is walked through chunk by chunk. */
export interface Visitor {
  /** It is a list: whether its elements are wanted. */
  list(): 'cut' | 'stop'
  /** It is an object that has this key: what to do with the value. */
  key(name: string, line: number): Treatment
  /** The value of a key to keep. */
  kept(value: Value): 'go on' | 'stop'
  /** An element of a list that was to be cut; or what stands there instead of a list. */
  element(value: Value): void
  /** It is no JSON from here on. */
  broken(line: number, problem: string): void
}

export type Treatment = 'keep' | 'pass' | 'cut' | 'stop'

export interface DocumentWalk {
  push(chunk: Buffer): void
  end(): void
  /** All of it at once. */
  whole(document: Buffer): void
}

type Expected =
  | 'a document'
  | 'a key or "}"'
  | 'a key'
  | 'a colon'
  | 'a value'
  | 'an element or "]"'
  | 'an element'
  | 'a comma or "]"'
  | 'a comma or "}"'
  | 'the end of the document'

/** What twice would change the meaning of all members. */
const KEYWORDS = new Set(['@context', '@graph'])

const LINE_FEED = 0x0a
const SPACE = new Set([...Buffer.from(' \t\r\n')])

export function walkDocument(visitor: Visitor): DocumentWalk {
  let expected: Expected = 'a document'
  let line = 1
  let isList = false
  let stopped = false
  let treatment: Treatment = 'pass'
  const seen = new Set<string>()
  let reading: { readonly reader: ValueReader; readonly then: (value: Value) => void } | undefined

  /** What a character that is no space means here; whether it is used up by that. */
  function meet(byte: number): boolean {
    switch (`${expected} ${String.fromCharCode(byte)}`) {
      case 'a document {':
        return expect('a key or "}"')
      case 'a document [':
        isList = true
        stopped = visitor.list() === 'stop'
        return expect('an element or "]"')
      case 'a key or "}" "':
      case 'a key "':
        return begin(byte, readKey, 'a colon')
      case 'a key or "}" }':
      case 'a comma or "}" }':
        return expect('the end of the document')
      case 'a colon :':
        return expect('a value')
      case 'an element or "]" ]':
      case 'a comma or "]" ]':
        return expect(isList ? 'the end of the document' : 'a comma or "}"')
      case 'a comma or "]" ,':
        return expect('an element')
      case 'a comma or "}" ,':
        return expect('a key')
    }
    if (expected === 'an element' || expected === 'an element or "]"')
      return begin(byte, visitor.element, 'a comma or "]"')
    if (expected !== 'a value') return fail(line)
    if (treatment === 'cut' && byte === 0x5b) return expect('an element or "]"')
    return begin(byte, { keep, cut: visitor.element, pass, stop: pass }[treatment], 'a comma or "}"')
  }

  function keep(value: Value): void {
    stopped = visitor.kept(value) === 'stop'
  }

  function expect(next: Expected): true {
    expected = next
    return true
  }

  function begin(first: number, then: (value: Value) => void, next: Expected): false {
    reading = { reader: createValueReader(first, line, then !== pass), then }
    expected = next
    return false
  }

  function readKey({ line: at, bytes }: Value): void {
    const name = bytes === undefined ? undefined : keyOf(bytes)
    if (name === undefined) {
      expected = 'a key'
      fail(at)
    } else if (seen.has(name)) {
      stopped = true
      visitor.broken(at, `The key "${name}" is in the document twice; have it once.`)
    } else {
      if (KEYWORDS.has(name)) seen.add(name)
      treatment = visitor.key(name, at)
      stopped = treatment === 'stop'
    }
  }

  function fail(at: number): true {
    stopped = true
    visitor.broken(at, `This is not JSON: ${expected} is expected here.`)
    return true
  }

  const walk: DocumentWalk = {
    push(chunk) {
      let at = 0
      while (at < chunk.length && !stopped) {
        const byte = chunk[at] as number
        if (reading !== undefined) {
          const { reader, then } = reading
          const end = reader.read(chunk, at)
          at = end ?? chunk.length
          if (end === undefined) continue
          line += reader.feeds()
          reading = undefined
          then(reader.value())
        } else if (SPACE.has(byte)) {
          if (byte === LINE_FEED) line++
          at++
        } else if (meet(byte)) at++
      }
    },
    end() {
      if (stopped || (expected === 'the end of the document' && reading === undefined)) return
      visitor.broken(line, 'The document is cut off: it ends before its JSON does.')
    },
    whole(document) {
      walk.push(document)
      walk.end()
    },
  }
  return walk
}

function pass(): void {}

function keyOf(bytes: Buffer): string | undefined {
  try {
    return readJson(bytes.toString('utf8')) as string
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}
