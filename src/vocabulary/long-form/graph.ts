import type { ExpandedNode } from '../json-ld.ts'
import { HYDRA, PREFIXES, SH, XSD } from '../names.ts'

/** A value of a property; those of a list are values of the property, in their order. */
type Value = Node | Literal

export interface Literal {
  readonly value: string | number | boolean
  readonly datatype: string | undefined
  readonly language: string | undefined
}

/** A node as one part of a document describes it: two classes may describe one public property in different ways. */
export class Node {
  readonly id: string
  readonly #types = new Set<string>()
  readonly #properties = new Map<string, Value[]>()
  readonly #whole: Node | undefined

  constructor(id: string, whole?: Node) {
    this.id = id
    this.#whole = whole
  }

  get isBlank(): boolean {
    return this.id.startsWith('_:')
  }

  get types(): ReadonlySet<string> {
    return this.#types.size === 0 && this.#whole !== undefined ? this.#whole.types : this.#types
  }

  values(...iris: string[]): Value[] {
    return iris.flatMap((iri) => this.#properties.get(iri) ?? this.#whole?.values(iri) ?? [])
  }

  nodes(...iris: string[]): Node[] {
    return this.values(...iris).filter((value) => value instanceof Node)
  }

  literals(...iris: string[]): Literal[] {
    return this.values(...iris).filter((value): value is Literal => !(value instanceof Node))
  }

  /** The IRIs among the values, by node or (where its term has no `@type` in the document) by a plain string. */
  iris(...iris: string[]): string[] {
    const named = this.nodes(...iris).map(({ id }) => id)
    const written = this.literals(...iris).map(({ value }) => absolute(String(value)))
    return [...named, ...written].filter((iri) => lastPart(iri) !== 'null')
  }

  /** The text of the first property that has one, in English if possible; some servers write `"null"` for nothing. */
  text(...iris: string[]): string | undefined {
    const all = iris.map((iri) => this.literals(iri)).find((literals) => literals.length > 0) ?? []
    const found = all.find(({ language }) => language?.toLowerCase().startsWith('en')) ?? all[0]
    const text = String(found?.value ?? '')
    return text === '' || text === 'null' ? undefined : text
  }

  /** True or false, also as a string, which older servers write. */
  flag(iri: string): boolean | undefined {
    const text = this.text(iri)?.toLowerCase()
    return text === 'true' ? true : text === 'false' ? false : undefined
  }

  /** The node as this part of the document describes it, or as the whole document does where this part says nothing. */
  get here(): Node {
    if (this.#whole === undefined) return this
    if (this.#properties.size === 0) return this.#whole
    const alone = new Node(this.id)
    for (const [iri, values] of this.#properties) alone.#properties.set(iri, values)
    return alone
  }

  addType(type: string): void {
    this.#types.add(type)
    this.#whole?.addType(type)
  }

  add(iri: string, value: Value): void {
    const values = this.#properties.get(iri)
    if (values === undefined) this.#properties.set(iri, [value])
    else values.push(value)
    this.#whole?.add(iri, value)
  }
}

/** What a document without types for its terms writes as a plain string. */
const NAMESPACES = new Map(Object.entries({ ...PREFIXES, xmls: XSD, sh: SH }))

function absolute(text: string): string {
  const [, prefix = '', rest = ''] = /^([a-z]+):(?!\/\/)(.*)$/.exec(text) ?? []
  const namespace = NAMESPACES.get(prefix)
  return namespace === undefined ? text : namespace + rest
}

/** The nodes of a document, each as a whole, in the order in which they are first mentioned. */
export type Graph = ReadonlyMap<string, Node>

/** Nodes merged by `@id`: it does not matter whether a document is nested or a flat `@graph`, or has named graphs. */
export function graphOf(expanded: readonly ExpandedNode[]): Graph {
  const graph = new Map<string, Node>()
  let blanks = 0
  for (const one of expanded) read(one)
  return graph

  function read(from: ExpandedNode): Node {
    const node = mention(from['@id'])
    for (const type of listOf(from['@type'])) node.addType(String(type))
    for (const [key, values] of Object.entries(from)) {
      if (key === '@reverse') reverse(node, values as ExpandedNode)
      else if (key === '@graph' || key === '@included')
        for (const part of listOf(values)) read(part as ExpandedNode)
      else if (!key.startsWith('@')) for (const value of readValues(values)) node.add(key, value)
    }
    return node
  }

  function mention(id: unknown): Node {
    // The label of an unlabelled blank node must differ from all others: none has a `#`.
    const name = typeof id === 'string' ? id : `_:#${blanks++}`
    const whole = graph.get(name) ?? new Node(name)
    graph.set(name, whole)
    return new Node(name, whole)
  }

  function reverse(node: Node, properties: ExpandedNode): void {
    for (const [iri, subjects] of Object.entries(properties))
      for (const subject of listOf(subjects)) read(subject as ExpandedNode).add(iri, node)
  }

  function readValues(values: unknown): Value[] {
    return listOf(values).flatMap((value) => {
      const object = value as ExpandedNode
      if (Object.hasOwn(object, '@list')) return readValues(object['@list'])
      if (!Object.hasOwn(object, '@value')) return read(object)
      return {
        value: scalarOf(object['@value']),
        datatype: object['@type'] as string | undefined,
        language: object['@language'] as string | undefined,
      }
    })
  }
}

const listOf = (values: unknown): unknown[] => [values ?? []].flat()

/** A JSON literal (`@json`) may be anything; nothing here uses it. */
const scalarOf = (value: unknown): string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value)

export const operationsOf = (node: Node): Node[] => node.nodes(`${HYDRA}supportedOperation`)

/** The last part of an IRI, as a name: `http://example.org/vocab#Drone/speed` → `speed`. */
export function lastPart(iri: string): string {
  let end = iri.length
  while (iri[end - 1] === '#' || iri[end - 1] === '/') end--
  const parts = iri.slice(0, end).split(/[#/:?]/)
  const part = parts.at(-1) ?? ''
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}

export const classPath = (name: string) => `supportedClass ${quoted(name)}`

export const propertyPath = (className: string, name: string) =>
  `${classPath(className)}, supportedProperty ${quoted(name)}`

/** Never longer than a line: a document may call anything by any name. */
export const quoted = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
