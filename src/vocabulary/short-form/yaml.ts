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
import { suggestion } from '../../text.ts'
import type { Findings, Position } from '../findings.ts'
import { isAbsoluteIri } from '../names.ts'

export interface Source {
  readonly lines: LineCounter
  readonly findings: Findings
}

/** A value of the API file with its position. */
export class Value {
  readonly node: Node | null
  readonly path: string
  readonly #offset: number
  readonly #source: Source

  constructor(source: Source, { node, offset, path = '' }: { node: unknown; offset: number; path?: string }) {
    this.node = isNode(node) ? node : null
    this.#offset = this.node?.range?.[0] ?? offset
    this.path = path
    this.#source = source
  }

  get position(): Position {
    const { line, col } = this.#source.lines.linePos(this.#offset)
    return { line, column: col, path: this.path }
  }

  /** Returns undefined, so that a reader can return it. An alias or a tag is reported as such, and nothing else of it. */
  problem(message: string): undefined {
    return isAlias(this.node) || this.node?.tag !== undefined ? undefined : this.#report(message)
  }

  #report(message: string): undefined {
    return this.#source.findings.at(this.position).problem(message)
  }

  /** Aliases can make a small file enormous, and tags ask for types that JSON does not have: neither is needed here. */
  refuseReference(): void {
    const { node } = this
    if (isAlias(node)) this.#report(`the alias *${node.source} is not possible here; write the value out`)
    else if (node?.tag !== undefined)
      this.#report(`the tag ${node.tag} is not possible here; write the value alone`)
  }

  /** Whether so much is wrong with the file already that further hints help nobody. */
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

  /** The elements of a list, or the value itself where there is no list. */
  get elements(): Value[] {
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
  part(node: unknown, name = ''): Value {
    const path = name === '' ? this.path : this.path === '' ? name : `${this.path}.${name}`
    return new Value(this.#source, { node, offset: this.#offset, path })
  }

  /** The value of a key, to point at; undefined where there is no such key. */
  find(name: string): Value | undefined {
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

export interface Entry {
  readonly name: string
  readonly key: Value
  readonly value: Value
}

export class Entries extends Map<string, Entry> {
  text(name: string): string | undefined {
    const json = this.get(name)?.value.json
    return typeof json === 'string' ? json : this.#refuse(name, 'a string; put it in quotes')
  }

  flag(name: string): boolean | undefined {
    const json = this.get(name)?.value.json
    return typeof json === 'boolean' ? json : this.#refuse(name, 'true or false')
  }

  iri(name: string): string | undefined {
    const iri = this.text(name)
    if (iri === undefined || isAbsoluteIri(iri)) return iri
    const right = 'it must be one such as http://schema.org/name'
    return this.get(name)?.value.problem(`"${iri}" is not an absolute IRI; ${right}`)
  }

  #refuse(name: string, right: string): undefined {
    return this.get(name)?.value.problem(`"${name}" must be ${right}`)
  }
}

/** What to write instead of words, in lower case. */
export type Hints = ReadonlyMap<string, string>

/** What to write instead of a word: a hint, or the nearest possible one, or else the hint for the empty word and all of them. */
export function hintFor(word: string, hints: Hints | undefined, possible: readonly string[]): string {
  const hint = hints?.get(word.toLowerCase()) ?? suggestion(word, possible)
  const general = hint.startsWith('possible: ') ? hints?.get('') : undefined
  return general === undefined ? hint : `${general}; ${hint}`
}

/** The entries of a map. Names must be unique and among `known`; `hints` are for those that are not. */
export function readEntries(map: Value, what: string, known?: readonly string[], hints?: Hints): Entries {
  const entries = new Entries()
  if (!isMap(map.node)) map.problem(`${what} must be a map of names to values`)
  for (const pair of isMap(map.node) ? map.node.items : []) {
    const name = isScalar(pair.key) ? pair.key.value : undefined
    const key = map.part(pair.key, String(name))
    if (typeof name !== 'string') {
      key.problem(`a name in ${what} must be a string; put it in quotes`)
    } else if (known !== undefined && !known.includes(name)) {
      key.problem(`"${name}" is not possible in ${what}; ${hintFor(name, hints, known)}`)
    } else if (entries.has(name)) {
      key.problem(`"${name}" is in ${what} twice; keep one of them`)
    } else {
      entries.set(name, { name, key, value: key.part(pair.value) })
    }
  }
  return entries
}
