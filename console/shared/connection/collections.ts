import type { CollectionDescription } from '../../../src/client/index.ts'
import { inWords, shortName } from '../names/naming.ts'

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
