import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CollectionDescription, Member } from '../../../../src/client/index.ts'
import { canCreate } from '../../../shared/connection/collections.ts'

/** Asks for a new member of a collection, over the form that needs it. */
export type Create = (wanted: Wanted) => void

export interface Wanted {
  readonly collection: CollectionDescription
  /** What was looked for: most likely its name. */
  readonly name: string
  /** Told what was created, and nothing where it was not. */
  readonly done: (member: Member | undefined) => void
}

/** Undefined where nothing can be created in between: in a filter, and in such a form itself. */
export const CreatingContext = createContext<Create | undefined>(undefined)

export function useCreating(collection: CollectionDescription | undefined): Create | undefined {
  const create = useContext(CreatingContext)
  const can = collection && canCreate(collection) && collection.memberClass
  return can ? create : undefined
}
