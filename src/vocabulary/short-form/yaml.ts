import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Scalar,
  visit,
} from 'yaml'
import { JSON_NUMBER, JsonNumber, type JsonValue } from '../../json.ts'
import type { Arguments, ProblemData, ProblemPlace } from '../../problem.ts'
import type { ApiFileProblems, FilePart } from '../file-problems.ts'
import type { Findings } from '../findings.ts'
import { isAbsoluteIri } from '../names.ts'
import { findJoinedBracket, findJoinedText } from './joined-value.ts'

export interface YamlSource {
  readonly lines: LineCounter
  readonly findings: Findings
}

/** A value of the API file with its position. */
export class FileValue {
  readonly node: Node | null
  readonly path: string
  readonly #offset: number
  readonly #source: YamlSource

  constructor(
    source: YamlSource,
    { node, offset, path = '' }: { node: unknown; offset: number; path?: string },
  ) {
    this.node = isNode(node) ? node : null
    this.#offset = this.node?.range?.[0] ?? offset
    this.path = path
    this.#source = source
  }

  get position(): ProblemPlace {
    const { line, col } = this.#source.lines.linePos(this.#offset)
    return { line, column: col, path: this.path }
  }

  /** Returns undefined, so that a reader can return it. */
  problem<Code extends keyof ApiFileProblems>(
    code: Code,
    ...values: Arguments<ApiFileProblems[Code], never>
  ): undefined {
    return this.#isReference ? undefined : this.#findings.problem(code, ...values)
  }

  /** Reports a problem that was found by code that does not know its place. */
  add(problem: Pick<ProblemData, 'code' | 'values'>): undefined {
    return this.#isReference ? undefined : this.#findings.add(problem)
  }

  /** An alias or a tag is reported as such, and has no other problem. */
  get #isReference(): boolean {
    return isAlias(this.node) || this.node?.tag !== undefined
  }

  get #findings(): Findings {
    return this.#source.findings.at(this.position)
  }

  /** Aliases can make a small file enormous, and tags ask for types that JSON does not have: neither is needed here. */
  refuseReference(): void {
    const { node } = this
    if (isAlias(node)) this.#findings.problem('AliasNotPossible', { name: node.source })
    else if (node?.tag !== undefined) this.#findings.problem('TagNotPossible', { name: node.tag })
  }

  /** Whether the file already has so many problems that further hints would not help. */
  get isCrowded(): boolean {
    return this.#source.findings.areMany
  }

  /** A key with nothing after it, or with `null`. */
  get isEmpty(): boolean {
    return this.node === null || (isScalar(this.node) && this.node.value === null)
  }

  get isMap(): boolean {
    return isMap(this.node)
  }

  get isList(): boolean {
    return isSeq(this.node)
  }

  /** The elements of a list, or the value itself if it is not a list. */
  get elements(): FileValue[] {
    if (!isSeq(this.node)) return [this]
    return this.node.items.map((item, index) => this.part(item, String(index)))
  }

  /** All texts in the value, keys included. */
  get texts(): string[] {
    const texts: string[] = []
    if (this.node !== null)
      visit(this.node, {
        Scalar(_, { value }) {
          if (typeof value === 'string') texts.push(value)
        },
      })
    return texts
  }

  /** A part of the value. An empty part has the position of the value. */
  part(node: unknown, name = ''): FileValue {
    const path = name === '' ? this.path : this.path === '' ? name : `${this.path}.${name}`
    return new FileValue(this.#source, { node, offset: this.#offset, path })
  }

  /** The keys of a map, as they are written. */
  get names(): unknown[] {
    const items = isMap(this.node) ? this.node.items : []
    return items.map(({ key }) => (isScalar(key) ? key.value : undefined))
  }

  /** The value of a key, for its position; undefined if there is no such key. */
  find(name: string): FileValue | undefined {
    const items = isMap(this.node) ? this.node.items : []
    const pair = items.find(({ key }) => isScalar(key) && key.value === name)
    return pair === undefined ? undefined : this.part(pair.key, name).part(pair.value)
  }

  /** A scalar as JSON, a number with the digits of the file; undefined for any other value. */
  get json(): JsonValue | undefined {
    const value = this.node === null ? null : isScalar(this.node) ? this.node.value : undefined
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    const source = (this.node as Scalar).source ?? ''
    // YAML also knows 0x10, +1 and .5, which are not JSON.
    return new JsonNumber(JSON_NUMBER.test(source) ? source : String(value))
  }
}

export interface FileEntry {
  readonly name: string
  readonly key: FileValue
  readonly value: FileValue
}

export class FileEntries extends Map<string, FileEntry> {
  text(name: string): string | undefined {
    const json = this.get(name)?.value.json
    return typeof json === 'string' ? json : this.get(name)?.value.problem('NotAText', { name })
  }

  flag(name: string): boolean | undefined {
    const json = this.get(name)?.value.json
    return typeof json === 'boolean' ? json : this.get(name)?.value.problem('NotAFlag', { name })
  }

  iri(name: string): string | undefined {
    const iri = this.text(name)
    if (iri === undefined || isAbsoluteIri(iri)) return iri
    return this.get(name)?.value.problem('RelativeIri', { iri })
  }
}

/** The entries of a map. Names must be unique and among `known`. */
export function readEntries(map: FileValue, within: FilePart, known?: readonly string[]): FileEntries {
  const entries = new FileEntries()
  if (!isMap(map.node)) {
    const joined = findJoined(map, { isAlone: true })
    if (joined === undefined) map.problem('NotAMap', { within })
    else map.problem('MissingSpace', joined)
  }
  for (const pair of isMap(map.node) ? map.node.items : []) {
    const name = isScalar(pair.key) ? pair.key.value : undefined
    const key = map.part(pair.key, String(name))
    const value = key.part(pair.value)
    const joined = findJoined(key, { isAlone: value.isEmpty })
    if (typeof name !== 'string') {
      key.problem('NameNotText', { within })
    } else if (joined !== undefined) {
      key.problem('MissingSpace', joined)
    } else if (known !== undefined && !known.includes(name)) {
      key.problem('UnknownKey', { name, known, within })
    } else if (entries.has(name)) {
      key.problem('RepeatedKey', { name, within })
    } else {
      entries.set(name, { name, key, value })
    }
  }
  return entries
}

/** `isAlone`: it has no value, or is one itself. In quotes, a colon is meant to be a part of the text. */
function findJoined({ node, json }: FileValue, { isAlone }: { readonly isAlone: boolean }) {
  if (!isScalar(node) || node.type !== 'PLAIN' || typeof json !== 'string') return undefined
  return findJoinedBracket(json) ?? (isAlone ? findJoinedText(json) : undefined)
}
