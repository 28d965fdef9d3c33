import type { ClassDescription, MemberEntry } from 'hydrant-client'
import { useLoading } from '../state.ts'
import { useApi } from './description.ts'

/** The last change of a member; undefined if its class has no history, or none that this user may see. */
export function useLatestEntry(iri: string, cls: ClassDescription | undefined): MemberEntry | undefined {
  const { client } = useApi()
  const { value } = useLoading(
    async (signal) => {
      const entries = client.history(iri, { signal, itemsPerPage: 1 })
      return cls?.history ? ((await entries.next()).value ?? undefined) : undefined
    },
    [iri],
  )
  return value
}
