/** Leaves come before the nodes that they must link to; nodes link in a circle. Hardly anything has an id. */
export const GRAPH = `
title: Graph
classes:
  Node:
    properties:
      name: { type: string, required: true }
      next: Node
  Leaf:
    collection: leaves
    properties:
      node: { type: Node, required: true }
`

export interface GraphSize {
  readonly leaves: number
  readonly nodes: number
  readonly circle: number
}

export const graphData = ({ leaves, nodes, circle }: GraphSize): object[] => [
  ...Array.from({ length: leaves }, (_, id) => ({ '@type': 'Leaf', node: `/nodes/${id % circle}` })),
  ...Array.from({ length: nodes }, () => ({ '@type': 'Node', name: 'equal' })),
  ...Array.from({ length: circle }, (_, id) => ({
    '@id': `/nodes/${id}`,
    name: `${id}`,
    next: `/nodes/${(id + 1) % circle}`,
  })),
]
