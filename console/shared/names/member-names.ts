import { useEffect } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { type Api, useApi, useLoading } from '../api.ts'
import { pathBelow } from '../routes.ts'
import { useStore } from '../store.ts'
import { memoryOf, rememberNames } from './memory.ts'
import { nameOf, ownName, shortName } from './naming.ts'

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

/** What is described of a member; by its type, or by the collection whose address its own begins with. */
export function classOf(
  { documentation, collections }: Pick<Api, 'documentation' | 'collections'>,
  { types, iri }: Pick<Member, 'types' | 'iri'>,
): ClassDescription | undefined {
  const holding = collections.find((one) => iri.startsWith(`${one.iri.replace(/\/$/, '')}/`))
  return documentation.classes.find((one) => types.includes(one.iri)) ?? holding?.memberClass
}

/** What a linked member is called; until that is known, the last part of its address. Nothing elsewhere is asked. */
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
