import type { AbortOptions } from 'hydrant-client'
import { cut, findAt, hasRest, IN_REST, readPlace } from '../cut.ts'
import { BridgeProblem } from '../problems.ts'
import {
  isPage,
  type PlainResult,
  plain,
  representMember,
  representPage,
  versionOf,
} from '../representation.ts'
import { offered } from '../rights.ts'
import { PAGE_PROPERTIES } from './search.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, TEXTS, type ToolApi } from './tool.ts'

/** A member for an agent. */
export const MEMBER_PROPERTIES = { address: TEXT, etag: TEXT, member: ANY_OBJECT, may: TEXTS }

export const READ: AgentTool = {
  name: 'read',
  description:
    'A member, page or collection by its address. A member comes with its etag, which changes to it need, and with what you may do. A long value ends in the address of its rest: read that.',
  writes: false,
  input: closed({ address: TEXT }, ['address']),
  output: object({ ...MEMBER_PROPERTIES, ...PAGE_PROPERTIES, rest: {} }),
  run: (api, { address }: { readonly address: string }, signal) => readAddress(api, address, { signal }),
}

/** For the tool and for resources. */
export async function readAddress(
  { client, addresses, isReadOnly }: ToolApi,
  given: string,
  options: AbortOptions,
): Promise<PlainResult> {
  const address = await addresses.resolve(given, options)
  const place = readPlace(address)
  if (place !== undefined) {
    const member = await client.get(place.address, options)
    const value = findAt(plain(member.data), place)
    if (!hasRest(value, place.from)) throw new BridgeProblem('no-rest', { address })
    return { address: member.iri, etag: versionOf(member), rest: cut(value, place, IN_REST) }
  }
  const isCollection = (await client.collections(options)).some(({ iri }) => iri === address.split('?', 1)[0])
  const member = isCollection ? undefined : await client.get(address, options)
  if (member === undefined || isPage(member))
    return representPage(await client.collectionAt(address).page(address, options))
  const shown = await representMember(client, member, options)
  return { ...shown, may: offered(shown.may, isReadOnly) }
}
