import type { Class, Property, ReverseLink } from './model.ts'

/** The classes with the links from the other side that the links between them declare, in the order of the file. */
export function withReverseLinks(classes: readonly Class[]): Class[] {
  const byTarget = Map.groupBy(classes.flatMap(declaredBy), ({ target }) => target)
  return classes.map((cls) => {
    const reverseLinks = (byTarget.get(cls.name) ?? []).map(({ link }) => link)
    return reverseLinks.length === 0 && cls.reverseLinks.length === 0 ? cls : { ...cls, reverseLinks }
  })
}

interface DeclaredReverse {
  /** The name of the class that gets the link. */
  readonly target: string
  readonly link: ReverseLink
}

const declaredBy = ({ name: className, collection, properties }: Class): DeclaredReverse[] =>
  properties.flatMap(({ name: property, range, reverse }) => {
    // What cannot be served is a problem of the file (conflicts.ts).
    if (reverse === undefined || range.kind !== 'link' || collection === undefined) return []
    return [{ target: range.className, link: { name: reverse, className, collection, property } }]
  })

/** The classes without the links from the other side that lead to members which users may not list. */
export const withoutUnlisted = (classes: readonly Class[]): Class[] =>
  withReverseLinks(
    classes.map((cls) => {
      const isListed = cls.collection !== undefined && cls.operations.has('list')
      return isListed || !cls.properties.some(hasReverse) ? cls : { ...cls, properties: oneWay(cls) }
    }),
  )

const hasReverse = ({ reverse }: Property): boolean => reverse !== undefined

const oneWay = ({ properties }: Class): Property[] =>
  properties.map((property) => (hasReverse(property) ? { ...property, reverse: undefined } : property))
