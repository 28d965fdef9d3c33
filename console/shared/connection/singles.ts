import { pathBelow } from '../routes.ts'
import type { Description } from './description.ts'

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
