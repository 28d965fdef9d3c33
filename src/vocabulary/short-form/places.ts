import { isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, type Scalar } from 'yaml'
import { type JsonValue, Numeral } from '../../json.ts'
import { suggestion } from '../../text.ts'
import { isAbsoluteIri } from '../namespaces.ts'
import type { Problem } from '../problems.ts'

/** A value of the API file that remembers where it stands. */
export interface Place {
  readonly node: Node | null
  readonly offset: number
  readonly path: string
}

export interface Entry {
  readonly name: string
  readonly key: Place
  readonly value: Place
}

/** Collects problems instead of throwing the first one: all of them are reported at once. */
export class Problems {
  readonly list: Problem[] = []
  readonly #lines: LineCounter

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  /** Undefined, so that a reader can return what it adds. */
  add(place: { readonly offset: number; readonly path: string }, message: string): undefined {
    const { line, col } = this.#lines.linePos(place.offset)
    this.list.push({ line, column: col, path: place.path, message })
  }

  sorted(): Problem[] {
    return this.list.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }
}

/** The entries of a map, each name once; `known` are the only possible names. */
export function readEntries(
  place: Place,
  what: string,
  problems: Problems,
  known?: readonly string[],
): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  if (!isMap(place.node)) {
    problems.add(place, `${what} must be a map of names to values`)
    return entries
  }
  for (const { key: node, value } of place.node.items) {
    const name = isScalar(node) ? node.value : undefined
    const offset = startOf(node, place.offset)
    const key = { node: isNode(node) ? node : null, offset, path: join(place.path, String(name)) }
    if (typeof name !== 'string') {
      problems.add(key, `a name in ${what} must be a string; put it in quotes`)
    } else if (known !== undefined && !known.includes(name)) {
      problems.add(key, `"${name}" is not possible in ${what}; ${suggestion(name, known)}`)
    } else if (entries.has(name)) {
      problems.add(key, `"${name}" is in ${what} twice; keep one of them`)
    } else {
      const child = isNode(value) ? value : null
      entries.set(name, { name, key, value: { node: child, offset: startOf(child, offset), path: key.path } })
    }
  }
  return entries
}

/** The value of a key, to point at; undefined where there is no such key. */
export function findPlace(place: Place, name: string): Place | undefined {
  const pair = isMap(place.node)
    ? place.node.items.find(({ key }) => isScalar(key) && key.value === name)
    : undefined
  if (pair === undefined) return undefined
  const node = isNode(pair.value) ? pair.value : null
  return { node, offset: startOf(node, startOf(pair.key, place.offset)), path: join(place.path, name) }
}

/** The elements of a list, or the value itself where there is no list. */
export function elementsOf(place: Place): Place[] {
  if (!isSeq(place.node)) return [place]
  return place.node.items.map((item, index) => ({
    node: isNode(item) ? item : null,
    offset: startOf(item, place.offset),
    path: join(place.path, String(index)),
  }))
}

export const isList = (place: Place) => isSeq(place.node)

/** A key with nothing after it, or with `null`. */
export const isEmpty = ({ node }: Place) => node === null || (isScalar(node) && node.value === null)

export function readText(entry: Entry | undefined, problems: Problems): string | undefined {
  if (entry === undefined) return undefined
  const value = scalarOf(entry.value)
  if (typeof value === 'string') return value
  return problems.add(entry.value, `"${entry.name}" must be a string; put it in quotes`)
}

export function readFlag(entry: Entry | undefined, problems: Problems): boolean | undefined {
  if (entry === undefined) return undefined
  const value = scalarOf(entry.value)
  if (typeof value === 'boolean') return value
  return problems.add(entry.value, `"${entry.name}" must be true or false`)
}

export function readIri(entry: Entry | undefined, problems: Problems): string | undefined {
  const iri = readText(entry, problems)
  if (entry === undefined || iri === undefined || isAbsoluteIri(iri)) return iri
  return problems.add(
    entry.value,
    `"${iri}" is not an absolute IRI; it must be one such as http://schema.org/name`,
  )
}

/** A scalar as JSON would have sent it, with a number's digits as they stand in the file. */
export function jsonOf(place: Place): JsonValue | undefined {
  const value = scalarOf(place)
  if (typeof value !== 'number') return value
  const source = (place.node as Scalar).source ?? ''
  // YAML also knows 0x10, +1 and .5, which are not JSON.
  return new Numeral(
    /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(source) ? source : String(value),
  )
}

function scalarOf({ node }: Place): null | string | number | boolean | undefined {
  const value = node === null ? null : isScalar(node) ? node.value : undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Aliases can make a small file enormous, and tags ask for types that JSON does not have: neither is needed here. */
export function refuseReferences(place: Place, node: Node, problems: Problems): void {
  const at = { ...place, offset: startOf(node, place.offset) }
  if (isAlias(node)) problems.add(at, `the alias *${node.source} is not possible here; write the value out`)
  else if (node.tag !== undefined)
    problems.add(at, `the tag ${node.tag} is not possible here; write the value alone`)
}

const startOf = (node: unknown, otherwise: number) =>
  isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
