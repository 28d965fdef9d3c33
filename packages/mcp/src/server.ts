import { type CallToolResult, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient, type UserCredentials } from 'hydrant-client'
import { createAddresses } from './addresses.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { watchListening } from './listening.ts'
import { BridgeProblem } from './problems.ts'
import { offerResources } from './resources.ts'
import { createSecretKeeper, type SecretKeeper } from './secrets.ts'
import { createSubscriptions } from './subscriptions.ts'
import { describeError } from './tool-errors.ts'
import { TOOLS } from './tools/index.ts'
import type { AgentTool, ToolApi } from './tools/tool.ts'

/** Characters: a longer result, such as a whole documentation, would fill the context of a model. */
const LONGEST_RESULT = 100_000

/** Hosts wait only a moment for the end of a process. */
const LONGEST_GOODBYE_MS = 1_000

export interface BridgeSettings {
  /** The address of the API's entry point. */
  readonly base: string
  /** Without credentials, the bridge reads what anyone may read. */
  readonly credentials: UserCredentials | undefined
  /** Leaves out the tools that change something. */
  readonly isReadOnly: boolean
  readonly version: string
}

/** Serves the tools on standard input and output, until the host closes them. */
export async function serveBridge({ base, credentials, isReadOnly, version }: BridgeSettings): Promise<void> {
  const secrets = createSecretKeeper(credentials?.paraphrase)
  const client = createClient({ base, credentials, fetch: createGuardedFetch(secrets) })
  const api: ToolApi = { client, addresses: createAddresses(client), isReadOnly }
  let current: McpServer | undefined
  const report = (uri: string) => void current?.server.sendResourceUpdated({ uri }).catch(() => {})
  const subscriptions = createSubscriptions({ ...api, report })

  const createServer = (): McpServer => {
    const server = new McpServer(
      { name: 'hydrant-mcp', version },
      {
        capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: true } },
      },
    )
    for (const tool of TOOLS) if (!(isReadOnly && tool.writes)) offerTool(server, tool, api, secrets)
    offerResources(server.server, { api, secrets, subscriptions })
    current = server
    return server
  }

  const transport = new StdioServerTransport()
  serveStdio(createServer, { transport })
  watchListening(transport, subscriptions)
  await new Promise<void>((resolve) => {
    const close = transport.onclose
    transport.onclose = () => {
      close?.()
      subscriptions.stopAll()
      resolve()
    }
  })
  // The token is of no use to anybody now. If it cannot be revoked, it expires by itself.
  await client.signOut({ signal: AbortSignal.timeout(LONGEST_GOODBYE_MS) }).catch(() => {})
}

function offerTool(server: McpServer, tool: AgentTool, api: ToolApi, secrets: SecretKeeper): void {
  const { name, description, writes, input, output } = tool
  server.registerTool(
    name,
    {
      description,
      inputSchema: fromJsonSchema<never>(input),
      outputSchema: fromJsonSchema(output),
      // `update` and `delete` fail when they are repeated, since the version has changed, but `create` does not.
      annotations: { readOnlyHint: !writes, destructiveHint: writes, idempotentHint: !writes },
    },
    async (args, { mcpReq: { signal } }): Promise<CallToolResult> => {
      try {
        const result = secrets.hide(await tool.run(api, args, signal))
        const text = JSON.stringify(result)
        // What was written is written, and is no error.
        if (!writes && text.length > LONGEST_RESULT)
          throw new BridgeProblem('result-too-long', { characters: text.length, most: LONGEST_RESULT })
        return { content: [{ type: 'text', text }], structuredContent: result }
      } catch (error) {
        const { sentence, details } = secrets.hide(describeError(error))
        const texts = [sentence, JSON.stringify(details)]
        return { content: texts.map((text) => ({ type: 'text', text })), isError: true }
      }
    },
  )
}
