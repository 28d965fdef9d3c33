import type { Routes } from '../http/index.ts'
import {
  filteredWithin,
  HISTORY,
  hasCollection,
  hasFilters,
  ID,
  type Model,
  pathTo,
  permittedOperations,
} from '../vocabulary/index.ts'
import { apiProblem } from './problems/index.ts'
import { equalFilterName } from './query/filter-names.ts'
import type { Resource } from './types.ts'

/**
 * For nested paths such as `/customers/c1/orders` in other APIs: suggests the filter with the same meaning. `queried`: what
 * filters may ask for.
 */
export function createNestedPathHint(
  { classes }: Model,
  queried: Pick<Model, 'classes'>,
  mount: string,
): NonNullable<Routes<Resource>['hint']> {
  const collections = new Map(classes.filter(hasCollection).map((cls) => [cls.collection, cls]))
  const filtered = new Map(queried.classes.map((cls) => [cls.collection, cls]))
  return (collection, rest) => {
    // Two names and an id fit into 500 characters.
    const [id = '', name = '', ...more] = rest.slice(0, 500).split('/')
    const cls = collections.get(collection)
    if (cls === undefined || !ID.test(id) || more.join('') !== '') return undefined
    const address = `${mount}${pathTo(collection)}/${id}`
    const reverse = cls.reverseLinks.find((link) => link.name === name)
    if (reverse !== undefined) {
      const filter = equalFilterName(reverse.property)
      return apiProblem('NotNested', {
        filters: [`${mount}${pathTo(reverse.collection)}?${filter}=${address}`],
      })
    }
    if (cls.properties.some((property) => property.name === name))
      return apiProblem('PartOfMember', { name, address })
    if (name === HISTORY && cls.history === undefined) return apiProblem('NoHistory', { className: cls.name })
    const listed = filtered.get(name)
    if (listed === undefined || !listed.operations.has('list')) {
      const known = permittedOperations(cls).map((operation) => operation.name)
      return known.length > 0 ? apiProblem('UnknownOperation', { name, known }) : undefined
    }
    const filters = [...listed.properties.filter(hasFilters), ...filteredWithin(listed)]
      .filter(({ range }) => range.kind === 'link' && range.className === cls.name)
      .map((property) => `${mount}${pathTo(name)}?${property.name}=${address}`)
    if (filters.length === 0) return undefined
    return apiProblem('NotNested', { filters: filters.slice(0, 5) })
  }
}
