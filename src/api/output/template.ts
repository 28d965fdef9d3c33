/** A variable of a template, with what it means. */
export interface MappedVariable {
  /** Encoded as a variable (RFC 6570 §2.3). */
  readonly name: string
  /** The name in the mapping, if it is another. */
  readonly mapped?: string
  /**
   * Whether it may be repeated: such a variable is exploded (RFC 6570 §2.4.2), so that a list becomes several values, not a
   * long one.
   */
  readonly isExploded: boolean
  readonly property: string
}

/** A `hydra:IriTemplate` for a query. */
export const representTemplate = ({
  id,
  address,
  variables,
}: {
  readonly id: string
  readonly address: string
  readonly variables: readonly MappedVariable[]
}): object => ({
  '@id': id,
  '@type': 'IriTemplate',
  template: `${address}{?${variables.map(({ name, isExploded }) => name + (isExploded ? '*' : '')).join(',')}}`,
  variableRepresentation: 'BasicRepresentation',
  mapping: variables.map(({ name, mapped = name, property }) => ({
    '@type': 'IriTemplateMapping',
    variable: mapped,
    property,
    required: false,
  })),
})
