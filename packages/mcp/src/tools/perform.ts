import type { AbortOptions, Member } from 'hydrant-client'
import { hasCutValue } from '../cut.ts'
import { BridgeProblem } from '../problems.ts'
import { currentOf, offersOf, plain, representMember, versionOf } from '../representation.ts'
import { findCreation, holdsParaphrase, rightsIn } from '../rights.ts'
import { MEMBER_PROPERTIES } from './read.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, type ToolApi } from './tool.ts'

/** An operation as an agent asks for it. */
export interface AskedOperation {
  readonly address: string
  readonly operation: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly ifMatch?: string
}

export const PERFORM: AgentTool = {
  name: 'perform',
  description:
    'create (address: a collection), update (body: only what changes; null removes), replace, delete, or another operation that a member offers. update, replace and delete need ifMatch, the etag that read gave. If the member has changed since, nothing is written: the error has it as it is now, with its etag.',
  writes: true,
  input: closed({ address: TEXT, operation: TEXT, body: ANY_OBJECT, ifMatch: TEXT }, [
    'address',
    'operation',
  ]),
  output: object({ ...MEMBER_PROPERTIES, result: {} }, ['address']),
  async run(api, asked: AskedOperation, signal) {
    const options = { signal }
    const { client } = api
    const address = await checkOperation(api, asked, options)
    const { operation, body } = asked
    if (operation === 'create')
      return representMember(client, await create(api, address, body, options), options)
    const member = await readVersion(api, { ...asked, address }, options)
    if (operation === 'update')
      return representMember(client, await member.update(body as never, options), options)
    if (operation === 'replace')
      return representMember(client, await member.replace(body as never, options), options)
    if (operation === 'delete') {
      await member.remove(options)
      return { address: member.iri }
    }
    const known = await offersOf(client, member, options)
    if (!known.includes(operation)) {
      const collection = (await client.collections(options)).find(({ iri }) => iri === address)
      const creates = collection !== undefined && rightsIn(collection).includes('create')
      const offered = creates ? [...known, 'create'] : known
      throw new BridgeProblem('unknown-operation', { address, operation, known: offered })
    }
    const result = await member.call(operation, body, options)
    return { address: member.iri, ...(result && { result: plain(result.data) }) }
  },
}

/** In a collection; or a single resource, which must not be there yet: its PUT would replace it. */
async function create(
  { client }: ToolApi,
  address: string,
  body: AskedOperation['body'],
  options: AbortOptions,
): Promise<Member> {
  const { links } = await client.entryPoint(options)
  const described = (await client.documentation(options)).links.find(({ name }) => links[name] === address)
  const creation = described && !described.isCollection && findCreation(described.operations)
  if (!creation) return client.collectionAt(address).create(body ?? {}, options)
  await client.perform(creation, address, { ...options, body, headers: { 'if-none-match': '*' } })
  return client.get(address, options)
}

/** The operations that overwrite or remove what somebody may have changed meanwhile. */
const NEED_VERSION = ['update', 'replace', 'delete']
const NEED_BODY = ['create', 'update', 'replace']

/** Refuses what would lose data or pass a secret on, before anything is sent; returns the address to send it to. */
export async function checkOperation(
  { client, addresses }: ToolApi,
  { address, operation, body, ifMatch }: AskedOperation,
  options: AbortOptions,
): Promise<string> {
  const resolved = await addresses.resolve(address, options)
  if (NEED_VERSION.includes(operation) && !ifMatch) throw new BridgeProblem('version-missing', { operation })
  if (NEED_BODY.includes(operation) && body === undefined)
    throw new BridgeProblem('body-missing', { operation })
  if (hasCutValue(body)) throw new BridgeProblem('text-cut', {})
  if (operation === 'replace' && new URL(resolved).searchParams.has('fields'))
    throw new BridgeProblem('read-in-part', {})
  // Whether the agent chooses a paraphrase or the API makes one: none may be in a conversation (agents.md).
  const accounts = (await client.collections(options)).filter(({ memberClass }) =>
    holdsParaphrase(memberClass),
  )
  const isOfAccounts = accounts.some(({ iri }) => `${resolved}/`.startsWith(`${iri}/`))
  if (isOfAccounts && (operation === 'create' || Object.hasOwn(body ?? {}, 'paraphrase')))
    throw new BridgeProblem('paraphrase-in-body', {})
  return resolved
}

/** The member in the version that the agent has read; otherwise the error has the member as it is now. */
export async function readVersion(
  { client }: ToolApi,
  { address, ifMatch }: AskedOperation,
  options: AbortOptions,
): Promise<Member> {
  const member = await client.get(address, options)
  if (ifMatch === undefined || coreOf(ifMatch) === coreOf(versionOf(member))) return member
  throw new BridgeProblem('changed', { address: member.iri }, currentOf(member))
}

/** One version has several ETags: compression adds its name to them (RFC 9110 §8.8.3.3), or a proxy makes them weak. */
const coreOf = (etag: string): string =>
  etag.replace(/^W\//, '').replace(/[-;](?:gzip|br|zstd|deflate)"$/, '"')
