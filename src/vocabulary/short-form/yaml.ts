import { isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, type Scalar } from 'yaml'
import { type JsonValue, Numeral } from '../../json.ts'
import { suggestion } from '../../text.ts'
import type { Findings, Position } from '../findings.ts'
import { isAbsoluteIri } from '../namespaces.ts'

/** A value of the API file that remembers where it stands. */
export class Value implements Position {
  readonly node: Node | null
  readonly path: string
  readonly #offset: number
  readonly #lines: LineCounter

  constructor(node: unknown, offset: number, path: string, lines: LineCounter) {
    this.node = isNode(node) ? node : null
    this.#offset = this.node?.range?.[0] ?? offset
    this.path = path
    this.#lines = lines
  }

  get line(): number {
    return this.#lines.linePos(this.#offset).line
  }

  get column(): number {
    return this.#lines.linePos(this.#offset).col
  }

  /** A key with nothing after it, or with `null`. */
  get isEmpty(): boolean {
    return this.node === null || (isScalar(this.node) && this.node.value === null)
  }

  get isList(): boolean {
    return isSeq(this.node)
  }

  /** The elements of a list, or the value itself where there is no list. */
  get elements(): Value[] {
    if (!isSeq(this.node)) return [this]
    return this.node.items.map((item, index) => this.part(item, String(index)))
  }

  /** One that is left empty stands where this does. */
  part(node: unknown, name = ''): Value {
    const path = name === '' ? this.path : this.path === '' ? name : `${this.path}.${name}`
    return new Value(node, this.#offset, path, this.#lines)
  }

  /** The value of a key, to point at; undefined where there is no such key. */
  find(name: string): Value | undefined {
    const items = isMap(this.node) ? this.node.items : []
    const pair = items.find(({ key }) => isScalar(key) && key.value === name)
    return pair === undefined ? undefined : this.part(pair.key, name).part(pair.value)
  }

  get scalar(): null | string | number | boolean | undefined {
    const value = this.node === null ? null : isScalar(this.node) ? this.node.value : undefined
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  /** A scalar as JSON would have sent it, with a number's digits as they stand in the file. */
  get json(): JsonValue | undefined {
    const value = this.scalar
    if (typeof value !== 'number') return value
    const source = (this.node as Scalar).source ?? ''
    // YAML also knows 0x10, +1 and .5, which are not JSON.
    return new Numeral(
      /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(source) ? source : String(value),
    )
  }
}

export interface Entry {
  readonly name: string
  readonly key: Value
  readonly value: Value
}

export type Entries = ReadonlyMap<string, Entry>

/** The entries of a map, each name once; `known` are the only possible names. */
export function readEntries(
  map: Value,
  what: string,
  findings: Findings,
  known?: readonly string[],
): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  if (!isMap(map.node)) {
    findings.problem(map, `${what} must be a map of names to values`)
    return entries
  }
  for (const pair of map.node.items) {
    const name = isScalar(pair.key) ? pair.key.value : undefined
    const key = map.part(pair.key, String(name))
    if (typeof name !== 'string') {
      findings.problem(key, `a name in ${what} must be a string; put it in quotes`)
    } else if (known !== undefined && !known.includes(name)) {
      findings.problem(key, `"${name}" is not possible in ${what}; ${suggestion(name, known)}`)
    } else if (entries.has(name)) {
      findings.problem(key, `"${name}" is in ${what} twice; keep one of them`)
    } else {
      entries.set(name, { name, key, value: key.part(pair.value) })
    }
  }
  return entries
}

export function readText(entry: Entry | undefined, findings: Findings): string | undefined {
  if (entry === undefined) return undefined
  const value = entry.value.scalar
  if (typeof value === 'string') return value
  return findings.problem(entry.value, `"${entry.name}" must be a string; put it in quotes`)
}

export function readFlag(entry: Entry | undefined, findings: Findings): boolean | undefined {
  if (entry === undefined) return undefined
  const value = entry.value.scalar
  if (typeof value === 'boolean') return value
  return findings.problem(entry.value, `"${entry.name}" must be true or false`)
}

export function readIri(entry: Entry | undefined, findings: Findings): string | undefined {
  const iri = readText(entry, findings)
  if (entry === undefined || iri === undefined || isAbsoluteIri(iri)) return iri
  const right = 'it must be one such as http://schema.org/name'
  return findings.problem(entry.value, `"${iri}" is not an absolute IRI; ${right}`)
}

/** Aliases can make a small file enormous, and tags ask for types that JSON does not have: neither is needed here. */
export function refuseReferences(root: Value, node: Node, findings: Findings): void {
  const at = root.part(node)
  if (isAlias(node))
    findings.problem(at, `the alias *${node.source} is not possible here; write the value out`)
  else if (node.tag !== undefined)
    findings.problem(at, `the tag ${node.tag} is not possible here; write the value alone`)
}
