import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { readAddress } from './read.ts'
import { cutLine } from './rights.ts'
import type { SecretKeeper } from './secrets.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { ToolApi } from './tool.ts'
import { describeError } from './tool-errors.ts'

const MEDIA_TYPE = 'application/json'
const LONGEST_DESCRIPTION = 150

interface ResourceDependencies {
  readonly api: ToolApi
  readonly secrets: SecretKeeper
  readonly subscriptions: Subscriptions
}

/** agents.md: collections are resources, members a resource template. */
export function offerResources(server: Server, { api, secrets, subscriptions }: ResourceDependencies): void {
  const { client } = api

  /** Resources have no tool errors: a refusal is an error of the protocol, with the same sentence and details. */
  async function answer<T>(work: Promise<T>): Promise<T> {
    try {
      return secrets.hide(await work)
    } catch (error) {
      const { sentence, details } = secrets.hide(describeError(error))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence, details)
    }
  }

  const list = async (signal: AbortSignal) =>
    (await client.collections({ signal })).map(({ name, iri, description, memberClass }) => {
      const about = description || memberClass?.description
      return {
        uri: iri,
        name,
        mimeType: MEDIA_TYPE,
        ...(about && { description: cutLine(about, LONGEST_DESCRIPTION) }),
      }
    })

  const templateOfMembers = async (signal: AbortSignal): Promise<string> => {
    const collections = await client.collections({ signal })
    const isUsual = collections.every(({ name, iri }) => iri === `${client.base}/${name}`)
    return `${client.base}/${isUsual ? '{collection}/{id}' : '{+path}'}`
  }

  server.setRequestHandler('resources/list', async (_, { mcpReq: { signal } }) => ({
    resources: await answer(list(signal)),
  }))

  server.setRequestHandler('resources/templates/list', async (_, { mcpReq: { signal } }) => {
    const uriTemplate = await answer(templateOfMembers(signal))
    return { resourceTemplates: [{ name: 'member', uriTemplate, mimeType: MEDIA_TYPE }] }
  })

  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    const text = JSON.stringify(await answer(readAddress(api, uri, { signal })))
    return { contents: [{ uri, mimeType: MEDIA_TYPE, text }] }
  })

  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await answer(subscriptions.start(uri, [uri]))
    return {}
  })

  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.stop(uri)
    return {}
  })
}
