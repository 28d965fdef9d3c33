import type { CollectionDescription } from '../../../src/client/index.ts'
import { inWords, shortName } from '../names/naming.ts'
import { pathBelow, type Route } from '../routes.ts'
import type { Description } from './description.ts'

type Described = Pick<CollectionDescription, 'name' | 'operations' | 'memberClass'>

/** POST, or PUT as older documentations have it. */
export const canCreate = ({ operations }: Described): boolean =>
  operations.some(({ method }) => method === 'POST' || method === 'PUT')

/** Whoever says nothing of it may have left it out. */
export const canList = ({ operations }: Described): boolean =>
  operations.length === 0 || operations.some(({ method }) => method === 'GET')

/** What one member is called: `book`. */
export const memberWord = ({ name, memberClass }: Described): string =>
  inWords(memberClass ? memberClass.title || shortName(memberClass.iri) : name)

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

export interface Single {
  readonly name: string
  readonly description: string
  /** Below the API's base. */
  readonly path: string
}

/** What the entry point leads to beside collections: one resource each. */
export function singlesOf(
  base: string,
  { documentation, links }: Pick<Description, 'documentation' | 'links'>,
): readonly Single[] {
  return documentation.links.flatMap(({ name, isCollection, description }) => {
    const path = pathBelow(base, links[name] ?? '')
    // The session is what the bar shows.
    return isCollection || name === 'session' || path === undefined ? [] : { name, description, path }
  })
}
