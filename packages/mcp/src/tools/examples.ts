import type { CollectionDescription, PropertyDescription } from 'hydrant-client'
import { nameOfIri } from '../names.ts'
import type { SearchFilters } from './filters.ts'

/** Keyed by datatype of XML Schema; examples of other datatypes are texts. */
const VALUES: Readonly<Record<string, unknown>> = {
  integer: 1,
  double: 1.5,
  decimal: '1.50',
  boolean: true,
  date: '2026-01-31',
  dateTime: '2026-01-31T12:00:00Z',
  time: '12:00:00',
}

/** A body that creates a member: what is required, and what has an example. */
export function exampleBody(
  properties: readonly PropertyDescription[],
  collections: readonly CollectionDescription[],
): object {
  const shown = properties.filter(
    ({ writable, required, example }) => writable && (required || example !== undefined),
  )
  return Object.fromEntries(
    shown.map((property) => {
      const value = exampleValue(property, collections)
      return [property.name, property.many ? [value] : value]
    }),
  )
}

function exampleValue(
  { example, constraints, range, isLink }: PropertyDescription,
  collections: readonly CollectionDescription[],
): unknown {
  const given = example ?? constraints.default ?? constraints.values?.[0]
  if (given !== undefined) return given
  if (!isLink) return VALUES[range === undefined ? '' : nameOfIri(range)] ?? '…'
  const target = collections.find(({ memberClass }) => memberClass?.iri === range)
  return `${target?.iri ?? ''}/…`
}

/** A query that uses what the collection offers. */
export function exampleQuery({ byOperators, sortable, parameters }: SearchFilters): object {
  const [contained] = Object.entries(byOperators).find(([key]) => key.includes('contains'))?.[1] ?? []
  const [sorted] = sortable
  return {
    ...(contained !== undefined && { [`${contained}.contains`]: '…' }),
    ...(sorted !== undefined &&
      (parameters.includes('sort') ? { sort: `-${sorted}` } : { [`order[${sorted}]`]: 'desc' })),
    ...(parameters.includes('itemsPerPage') && { itemsPerPage: 5 }),
  }
}
