import { type Class, pathTo, type ReverseLink } from '../../vocabulary/index.ts'
import { encode } from './encoding.ts'
import { equalFilterName } from './filter-names.ts'

/**
 * The address of the members that link to a member of `cls` (asking.md, Links from the other side), up to the id of that
 * member: a query may have the characters of an id as they are.
 */
export function reverseAddressStart({ collection, property }: ReverseLink, cls: Class, base: string): string {
  const members = `${base}${pathTo(cls.collection ?? cls.name)}/`
  return `${base}${pathTo(collection)}?${encode(equalFilterName(property))}=${encode(members)}`
}
