import { type CollectionClass, classIri, pathTo, propertyIri } from '../../vocabulary/index.ts'
import type { ParsedQuery } from '../query/query.ts'

/** What is true of all members that a query selects, as JSON. */
type AssertionsOf = (parsed: Pick<ParsedQuery, 'selection'>) => string

/**
 * The class of the members and, where a link from the other side leads to them (asking.md), the member that they all link
 * to. `own`: everything that the text depends on, apart from the query. `ofClass`: of all members of the class.
 */
export function createMemberAssertions(
  cls: CollectionClass,
  base: string,
): { readonly own: string; readonly ofClass: string; readonly of: AssertionsOf } {
  const ofClass = JSON.stringify({ property: 'rdf:type', object: classIri(cls, base) })
  const starts = new Map(
    cls.properties.flatMap((property) => {
      const { name, range, reverse } = property
      if (reverse === undefined || range.kind !== 'link') return []
      const iri = JSON.stringify(propertyIri(cls, property, base))
      return [[name, `{"property":${iri},"object":"${base}${pathTo(range.collection)}/`]]
    }),
  )
  return {
    own: [ofClass, ...starts.values()].join(),
    ofClass,
    of({ selection }) {
      let others = ''
      for (const filter of starts.size === 0 ? [] : selection.filters) {
        if (filter.test !== 'in' || filter.keys.length !== 1) continue
        const start = starts.get(filter.property)
        if (start === undefined) continue
        // The key of a link is the id of its target.
        others += `,${start}${filter.keys[0]}"}`
      }
      return others === '' ? ofClass : `[${ofClass}${others}]`
    },
  }
}
