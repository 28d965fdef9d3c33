import { readName, useApi } from '../connection/index.ts'
import { pathBelow, shortName } from '../names.ts'
import { useAbortableEffect, useObservable } from '../state.ts'

export const useKnownNames = (): ReadonlyMap<string, string> => useObservable(useApi().memory.names)

/** The name of a linked member; until it is known, the end of its address. No requests are sent to other servers. */
export function useMemberName(iri: string, given?: string, asks = true): string {
  const api = useApi()
  const { base } = api
  // Other APIs write addresses relative to the root of the server.
  const address = (iri && URL.parse(iri, `${base}/`)?.href) || iri
  const remembered = useKnownNames().get(address)
  const known = given ?? remembered
  const isMissing = asks && known === undefined && pathBelow(base, address) !== undefined
  useAbortableEffect((signal) => isMissing && void readName(api, address, signal), [address, isMissing])
  return known ?? shortName(iri)
}
