import { HYDRA } from '../namespaces.ts'
import { Node } from './graph.ts'
import { irisOf, lastPart, textOf } from './names.ts'

/** A property as a class supports it. */
export interface Supported {
  readonly node: Node
  readonly property: Node
  /** What the document calls it: its title, else the end of its IRI. */
  readonly called: string
}

/** In the order of the document; one that is there twice (a nested class that is written out again) counts once. */
export function supportedBy(cls: Node): Supported[] {
  const found = new Map<string, Supported>()
  for (const node of cls.nodes(`${HYDRA}supportedProperty`)) {
    const property = node.nodes(`${HYDRA}property`)[0] ?? written(node)
    if (property === undefined) continue
    const called = textOf(node, `${HYDRA}title`)?.normalize('NFC') ?? lastPart(property.id)
    const key = JSON.stringify([property.isBlank ? '' : property.id, called])
    if (!found.has(key)) found.set(key, { node, property, called })
  }
  return [...found.values()]
}

/** The property by a plain string, where its term has no `@type` in the document. */
function written(node: Node): Node | undefined {
  const [iri] = irisOf(node, `${HYDRA}property`)
  return iri === undefined ? undefined : new Node(iri)
}

export const operationsOf = (node: Node): Node[] => node.nodes(`${HYDRA}supportedOperation`)
