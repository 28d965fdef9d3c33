import { percentDecoded, show } from '../../text.ts'
import type { ExpandedNode } from '../json-ld.ts'
import { DASH, type OwnTerm, PREFIXES, SH, XSD } from '../names.ts'

/** A value of a property; the elements of a list are values of the property, in their order. */
type NodeValue = DocumentNode | RdfLiteral

export interface RdfLiteral {
  readonly value: string | number | boolean
  readonly datatype: string | undefined
  readonly language: string | undefined
}

/**
 * A node as one part of a document describes it: two classes may describe one public property in different ways.
 * Properties and types are asked for with their usual prefixes: `hydra:title`.
 */
export class DocumentNode {
  readonly id: string
  readonly #types = new Set<string>()
  readonly #properties = new Map<string, NodeValue[]>()
  readonly #whole: DocumentNode | undefined

  constructor(id: string, whole?: DocumentNode) {
    this.id = id
    this.#whole = whole
  }

  get isBlank(): boolean {
    return this.id.startsWith('_:')
  }

  get types(): ReadonlySet<string> {
    return this.#types.size === 0 && this.#whole !== undefined ? this.#whole.types : this.#types
  }

  isA(...names: string[]): boolean {
    return names.some((name) => this.types.has(absolute(name)))
  }

  has(...names: string[]): boolean {
    return this.values(...names).length > 0
  }

  values(...names: string[]): NodeValue[] {
    return names.flatMap((name) => this.#properties.get(absolute(name)) ?? this.#whole?.values(name) ?? [])
  }

  /** The IRIs of its properties. */
  keys(): Iterable<string> {
    return this.#properties.keys()
  }

  nodes(...names: string[]): DocumentNode[] {
    return this.values(...names).filter((value) => value instanceof DocumentNode)
  }

  literals(...names: string[]): RdfLiteral[] {
    return this.values(...names).filter((value): value is RdfLiteral => !(value instanceof DocumentNode))
  }

  /** The IRIs among the values: nodes or, if the term has no `@type` in the document, plain strings. */
  iris(...names: string[]): string[] {
    const named = this.nodes(...names).map(({ id }) => id)
    const written = this.literals(...names).map(({ value }) => absolute(String(value)))
    return [...named, ...written].filter((iri) => lastPart(iri) !== 'null')
  }

  /** The text of the first property that has one, in English if possible; some servers write `"null"` for nothing. */
  text(...names: string[]): string | undefined {
    const all = names.map((name) => this.literals(name)).find((literals) => literals.length > 0) ?? []
    const found = all.find(({ language }) => language?.toLowerCase().startsWith('en')) ?? all[0]
    const text = String(found?.value ?? '')
    return text === '' || text === 'null' ? undefined : text
  }

  /** True or false, or the same as a string, which older servers write. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase()
    return text === 'true' ? true : text === 'false' ? false : undefined
  }

  /** The node as this part of the document describes it or, if this part says nothing, as the whole document does. */
  get here(): DocumentNode {
    if (this.#whole === undefined) return this
    if (this.#properties.size === 0) return this.#whole
    const alone = new DocumentNode(this.id)
    for (const [iri, values] of this.#properties) alone.#properties.set(iri, values)
    return alone
  }

  addType(type: string): void {
    this.#types.add(type)
    this.#whole?.addType(type)
  }

  add(iri: string, value: NodeValue): void {
    const values = this.#properties.get(iri) ?? []
    this.#properties.set(iri, values)
    values.push(value)
    this.#whole?.add(iri, value)
  }
}

/** Some documents write `xmls`. */
const NAMESPACES = new Map(Object.entries({ ...PREFIXES, xmls: XSD, sh: SH, dash: DASH }))

/** The IRI of a name with a usual prefix; any other text is returned as it is. */
export function absolute(text: string): string {
  const [, prefix = '', rest = ''] = /^([a-z]+):(?!\/\/)(.*)$/.exec(text) ?? []
  const namespace = NAMESPACES.get(prefix)
  return namespace === undefined ? text : namespace + rest
}

/** An ApiDocumentation, independent of its JSON-LD shape. */
export interface ApiDocument {
  readonly graph: Graph
  readonly documentation: DocumentNode
  /** Whether a term is one of the document's own, and not of a public vocabulary. */
  readonly isOwn: (iri: string) => boolean
  /** The IRIs of our own terms, as far as the document uses them. */
  readonly ownTerms: ReadonlyMap<OwnTerm, string>
}

/** The nodes of a document, each as a whole, in the order in which they are first mentioned. */
export type Graph = ReadonlyMap<string, DocumentNode>

/** Nodes merged by `@id`: it does not matter whether a document is nested or a flat `@graph`, or has named graphs. */
export function graphOf(expanded: readonly ExpandedNode[]): Graph {
  const graph = new Map<string, DocumentNode>()
  let blanks = 0
  for (const one of expanded) read(one)
  return graph

  function read(from: ExpandedNode): DocumentNode {
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

  function mention(id: unknown): DocumentNode {
    // The label of an unlabelled blank node must differ from all others: none has a `#`.
    const name = typeof id === 'string' ? id : `_:#${blanks++}`
    const whole = graph.get(name) ?? new DocumentNode(name)
    graph.set(name, whole)
    return new DocumentNode(name, whole)
  }

  function reverse(node: DocumentNode, properties: ExpandedNode): void {
    for (const [iri, subjects] of Object.entries(properties))
      for (const subject of listOf(subjects)) read(subject as ExpandedNode).add(iri, node)
  }

  function readValues(values: unknown): NodeValue[] {
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

export const operationsOf = (node: DocumentNode): DocumentNode[] => node.nodes('hydra:supportedOperation')

/** The last part of an IRI, as a name: `http://example.org/vocab#Drone/speed` → `speed`. */
export function lastPart(iri: string): string {
  let end = iri.length
  while (iri[end - 1] === '#' || iri[end - 1] === '/') end--
  const part =
    iri
      .slice(0, end)
      .split(/[#/:?]/)
      .at(-1) ?? ''
  return percentDecoded(part)?.normalize('NFC') ?? part
}

export const classPath = (name: string) => `supportedClass ${quoted(name)}`

export const propertyPath = (className: string, name: string) =>
  `${classPath(className)}, supportedProperty ${quoted(name)}`

/** Never longer than a line: a document may call anything by any name. */
export const quoted = (text: string) => show(text, 120)
