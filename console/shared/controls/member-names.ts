import { useEffect } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { classOf, useApi } from '../connection/index.ts'
import { nameOf, ownName, pathBelow, shortName } from '../names/index.ts'
import { memoryOf, rememberNames, useLoading, useStore } from '../state/index.ts'

export const useKnownNames = (): ReadonlyMap<string, string> => useStore(memoryOf(useApi().client).names)

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

/** The name of a linked member; until it has been read, the last part of its address. Other servers are not asked. */
export function useMemberName(iri: string, known?: string): string {
  const api = useApi()
  // Other APIs write addresses from the root of the server on.
  const address = (iri && URL.parse(iri, `${api.base}/`)?.href) || iri
  const asks = known === undefined && pathBelow(api.base, address) !== undefined
  const loading = useLoading(
    async (signal) => {
      if (!asks) return undefined
      const member = await api.client.get(address, { signal })
      return { iri, name: nameOf(member, classOf(api, member)) }
    },
    [iri, asks],
  )
  return known ?? (loading.value?.iri === iri ? loading.value.name : shortName(iri))
}

/** The same, from the names that are known already, and remembered for others. */
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
