import { pathBelow, type Route } from '../routes.ts'

interface Named {
  readonly name: string
  readonly iri: string
}

/** The collection that a place belongs to: its own table, or that of the member. */
export function collectionAt(route: Route, base: string, collections: readonly Named[]): string | undefined {
  if (route.page === 'table' || route.page === 'create') return route.name
  if (route.page !== 'member' && route.page !== 'edit') return undefined
  return collections.find(({ iri }) => {
    const path = pathBelow(base, iri)
    return path !== undefined && route.path.startsWith(`${path}/`)
  })?.name
}
