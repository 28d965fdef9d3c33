import { ProtocolError, ProtocolErrorCode, type Resource, type Server } from '@modelcontextprotocol/server'
import type { AbortOptions, CollectionDescription } from 'hydrant-client'
import { cutLine } from './names.ts'
import { BridgeProblem } from './problems.ts'
import type { SecretKeeper } from './secrets.ts'
import type { ResourceSubscriptions } from './subscriptions.ts'
import { describeError } from './tool-errors.ts'
import { readAddress } from './tools/read.ts'
import type { ToolApi } from './tools/tool.ts'

const MEDIA_TYPE = 'application/json'
const LONGEST_DESCRIPTION = 150

interface OfferedResourcesDependencies {
  readonly api: ToolApi
  readonly secrets: SecretKeeper
  readonly subscriptions: ResourceSubscriptions
}

/** agents.md: collections are resources, members a resource template. */
export function offerResources(
  server: Server,
  { api, secrets, subscriptions }: OfferedResourcesDependencies,
): void {
  /** Resources have no tool errors: a refusal is an error of the protocol, with the same sentence and details. */
  async function answer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return secrets.hide(await work())
    } catch (error) {
      const { sentence, details } = secrets.hide(describeError(error))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence, details)
    }
  }

  server.setRequestHandler('resources/list', async (_, { mcpReq: { signal } }) => ({
    resources: await answer(async () => (await api.client.collections({ signal })).map(represent)),
  }))

  server.setRequestHandler('resources/templates/list', async (_, { mcpReq: { signal } }) => {
    const uriTemplate = await answer(() => templateOfMembers(api, { signal }))
    return { resourceTemplates: [{ name: 'member', uriTemplate, mimeType: MEDIA_TYPE }] }
  })

  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    const found = await answer(async () =>
      readAddress(api, await findResource(api, uri, { signal }), { signal }),
    )
    return { contents: [{ uri, mimeType: MEDIA_TYPE, text: JSON.stringify(found) }] }
  })

  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    await answer(async () => {
      await findResource(api, uri, { signal })
      await subscriptions.start(uri, [uri])
    })
    return {}
  })

  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.stop(uri)
    return {}
  })
}

function represent({ name, iri, description, memberClass }: CollectionDescription): Resource {
  const about = description || memberClass?.description
  return {
    uri: iri,
    name,
    mimeType: MEDIA_TYPE,
    ...(about && { description: cutLine(about, LONGEST_DESCRIPTION) }),
  }
}

async function templateOfMembers({ client }: ToolApi, options: AbortOptions): Promise<string> {
  const collections = await client.collections(options)
  return `${client.base}/${isUsual(client.base, collections) ? '{collection}/{id}' : '{+path}'}`
}

/** The address of a collection or a member; anything else is left to the tools. */
async function findResource(
  { client, addresses }: ToolApi,
  uri: string,
  options: AbortOptions,
): Promise<string> {
  const address = await addresses.resolve(uri, options)
  const collections = await client.collections(options)
  const [path = ''] = address.split(/[?#]/, 1)
  const isOffered = collections.some(({ iri }) => path === iri || path.startsWith(`${iri}/`))
  if (!isOffered && isUsual(client.base, collections)) throw new BridgeProblem('not-a-resource', {})
  return address
}

/** Whether members are where Hydrant has them: below their collections. Other APIs may have them anywhere. */
const isUsual = (base: string, collections: readonly CollectionDescription[]): boolean =>
  collections.length > 0 && collections.every(({ name, iri }) => iri === `${base}/${name}`)
