export interface ClassGraph {
  readonly boxes: readonly GraphBox[]
  readonly links: readonly GraphLink[]
}

export interface GraphBox {
  readonly id: string
  readonly title: string
  readonly lines: readonly GraphLine[]
  /** How many properties are not among them. */
  readonly more: number
}

interface GraphLine {
  readonly name: string
  readonly type: string
}

export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  /** The value is within the member, and has no address of its own. */
  readonly embedded: boolean
}

/** How many there are, as it is written beside the name. */
export const cardinality = ({ many, required }: Pick<GraphLink, 'many' | 'required'>): string =>
  many ? '(many)' : required ? '(one)' : '(optional)'
