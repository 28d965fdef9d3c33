import { useEffect } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../api.ts'
import { useStore } from '../store.ts'
import { useMemberName } from './member-name.ts'
import { memoryOf, rememberNames } from './memory.ts'
import { ownName, shortName } from './naming.ts'

/** Names that were read anywhere, by address; and those that come while one looks on. */
export const useKnownNames = (): ReadonlyMap<string, string> => useStore(memoryOf(useApi().client).names)

/** Keeps the names of members that have been read. */
export function useRemembering(members: readonly Member[] = [], cls: ClassDescription | undefined): void {
  const { client } = useApi()
  useEffect(
    () =>
      rememberNames(
        client,
        members.map(({ iri, data }) => [iri, ownName(data, cls)]),
      ),
    [members, cls],
  )
}

/** What a linked member is called. It is asked for where nobody has read it yet, and kept. */
export function useLinkName(iri: string, given?: string): string {
  const { client, base } = useApi()
  const address = URL.parse(iri, `${base}/`)?.href ?? iri
  const known = useKnownNames().get(address)
  const name = useMemberName(iri, given ?? known)
  useEffect(() => {
    if (iri && name !== shortName(iri)) rememberNames(client, [[address, name]])
  }, [address, name])
  return name
}
