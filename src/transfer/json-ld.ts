import { JsonError, type JsonValue, readJson } from '../json.ts'
import {
  type Class,
  type Context,
  classIri,
  type Model,
  memberContext,
  memberType,
  storedClasses,
  vocabIri,
} from '../vocabulary/index.ts'
import { BrokenDocument, type DocumentKey, DocumentReader, type JsonText } from './document-reader.ts'
import {
  type DataItem,
  MAX_MEBIBYTES,
  type MemberText,
  type Split,
  type UnreadableItem,
  withoutByteOrderMark,
} from './ndjson.ts'
import { DataError, importProblem, inFile } from './problems.ts'

/** The class without what is served but not stored, and so is not part of the data. */
export const storedPart = (cls: Class): Class => ({ ...cls, reverseLinks: [] })

/**
 * The context of a document with members of all classes: the meaning of a term depends on the class of the member, so each
 * class has its own terms (JSON-LD 1.1 §4.1.5, type-scoped contexts).
 */
export function documentContext(model: Model, base: string): Context {
  const scopes = storedClasses(model)
    .map(storedPart)
    .map((cls) => [
      memberType(cls, base),
      { '@id': classIri(cls, base), '@context': memberContext(cls, base) },
    ])
  return { '@version': 1.1, '@vocab': vocabIri(base, ''), ...Object.fromEntries(scopes) }
}

/** If the context comes after the members, they wait for it in memory. */
const LARGEST_IN_MEMORY = 64 * 1024 * 1024

/** How many keys beside "@graph" are remembered to be reported, since the document may still turn out to be a member itself. */
const MAX_BESIDE = 100

/** The name of the class for a key of json-server's db.json. */
type FindTable = (key: string) => string | undefined

/**
 * A JSON-LD document, whose nodes are the members: the elements of its `@graph`, or of a list, or the document itself.
 * Or json-server's db.json, if the first key names a table.
 */
export const createSplitJsonLd = (findTable: FindTable): Split =>
  async function* (chunks) {
    const reader = new DocumentReader()
    const parts = splitDocument(reader, findTable)
    for await (const chunk of withoutByteOrderMark(chunks)) {
      reader.feed(chunk)
      yield takeFound(parts)
    }
    reader.end()
    yield takeFound(parts)
  }

/** Yields items, and undefined when it needs another chunk. */
type ItemSteps = Generator<DataItem | undefined, void>

function takeFound(parts: ItemSteps): DataItem[] {
  const all: DataItem[] = []
  for (let next = parts.next(); next.value !== undefined; next = parts.next()) all.push(next.value)
  return all
}

function* splitDocument(reader: DocumentReader, findTable: FindTable): ItemSteps {
  try {
    if (yield* reader.isAt('[')) {
      yield* splitElements(reader)
      yield* reader.requireEnd()
    } else yield* splitObject(reader, findTable)
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error
    yield { line: error.line, problem: error.problem }
  }
}

/** Yields the elements of the list that begins here, or the value itself if it is not a list. */
function* splitElements(reader: DocumentReader): ItemSteps {
  const isList = yield* reader.accept('[')
  if (isList && (yield* reader.accept(']'))) return
  let position = 0
  do {
    const { bytes, line } = yield* reader.value()
    yield bytes.toText(line, ++position)
  } while (isList && (yield* reader.accept(',')))
  if (isList) yield* reader.require(']', 'commaOrBracket')
}

function* splitObject(reader: DocumentReader, findTable: FindTable): ItemSteps {
  /** Undefined as soon as there is a `@graph`: then the document is not a node. */
  let node: JsonText | undefined = reader.record()
  let known: { readonly context: JsonValue } | undefined
  /** Items in the order of the document, until the context is known. */
  let waiting: DataItem[] = []

  function* release(): ItemSteps {
    if (node !== undefined) return
    if (known === undefined) {
      if (reader.length > LARGEST_IN_MEMORY)
        throw new DataError(reader.line, importProblem('DocumentTooLarge'))
      return
    }
    for (const one of waiting) yield 'text' in one ? { ...one, ...known } : one
    waiting = []
  }

  let isBegun = false
  yield* reader.require('{', 'document')
  if (!(yield* reader.accept('}'))) {
    do {
      const key = yield* reader.key()
      const { name, line } = key
      if (!isBegun && findTable(name) !== undefined) return yield* splitTables(reader, key, findTable)
      isBegun ||= !isRemark(name)
      if (name === '@context' ? known !== undefined : name === '@graph' && node === undefined)
        throw new BrokenDocument(line, importProblem('DuplicateDocumentKey', { key: name }))
      if (name === '@context') known = { context: readContext(yield* reader.value()) }
      else if (name === '@graph') {
        node = undefined
        reader.stopRecording()
        for (const found of splitElements(reader)) {
          if (found === undefined) yield
          else waiting.push(found)
          yield* release()
        }
      } else {
        yield* reader.value()
        if (node === undefined || waiting.length < MAX_BESIDE) waiting.push(besideGraph(name, line))
      }
      yield* release()
    } while (yield* reader.accept(','))
    yield* reader.require('}', 'commaOrBrace')
  }
  yield* reader.requireEnd()
  if (node !== undefined) yield node.bytes.toText(node.line, 1)
  else yield* waiting
}

/** `$schema` and the like, which json-server accepts too. */
const isRemark = (key: string): boolean => key.startsWith('$')

/** Reads the tables from the first one on: each is a list of members, or a single member. */
function* splitTables(reader: DocumentReader, first: DocumentKey, findTable: FindTable): ItemSteps {
  reader.stopRecording()
  for (let key = first; ; key = yield* reader.key()) {
    const type = findTable(key.name)
    if (type === undefined) {
      yield* reader.value()
      if (!isRemark(key.name)) yield noTable(key)
    } else {
      for (const found of splitElements(reader))
        yield found !== undefined && 'text' in found ? withType(found, type) : found
    }
    if (!(yield* reader.accept(','))) break
  }
  yield* reader.require('}', 'commaOrBrace')
  yield* reader.requireEnd()
}

const noTable = ({ name, line }: DocumentKey): UnreadableItem => ({
  line,
  problem: importProblem('UnknownTable', { name: name.slice(0, 100) }),
})

/** Adds the type at the end, so that the columns in errors stay right. */
function withType(found: MemberText, type: string): MemberText {
  if (!found.text.startsWith('{')) return found
  const inner = found.text.slice(0, -1)
  return { ...found, text: `${inner}${inner.trim() === '{' ? '' : ','}"@type":${JSON.stringify(type)}}` }
}

/** The problem of a key beside "@graph": it describes the document as a whole, which is not a member. */
const besideGraph = (name: string, line: number): UnreadableItem => ({
  line,
  problem: importProblem('BesideGraph', { key: name.slice(0, 100) }),
})

function readContext({ bytes, line }: JsonText): JsonValue {
  if (bytes.isTooLong)
    throw new BrokenDocument(line, importProblem('ContextTooLong', { maxMebibytes: MAX_MEBIBYTES }))
  const read = bytes.toText(line, 1)
  if ('problem' in read) throw new BrokenDocument(line, read.problem)
  try {
    return readJson(read.text)
  } catch (error) {
    throw error instanceof JsonError ? new BrokenDocument(line, inFile(error, line)) : error
  }
}
