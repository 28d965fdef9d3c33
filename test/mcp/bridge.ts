import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type CallToolResult, Client, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { PARAPHRASE, USER } from '../support/client.ts'
import type { Ended } from '../support/folders.ts'
import { ROOT } from '../support/markdown.ts'

export const BRIDGE = join(ROOT, 'packages/mcp/src/main.ts')

export interface BridgeOptions {
  readonly base: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The revision 2026-07-28 of the protocol, instead of those before it. */
  readonly isModern?: boolean
}

export interface ConnectedBridge {
  readonly client: Client
  /** All messages of the protocol in both directions, and what was printed to standard error. */
  readonly messages: string[]
  /** The result of a tool; fails if that is an error. */
  call(name: string, args?: object): Promise<Data>
  /** The error of a tool: its sentence, and the details. */
  refused(name: string, args?: object): Promise<Refused>
}

// biome-ignore lint/suspicious/noExplicitAny: plain JSON, as an agent reads it
export type Data = Record<string, any>

export interface Refused {
  readonly sentence: string
  readonly details: Data
}

export const CREDENTIALS = { HYDRANT_USER: `${USER}`, HYDRANT_PARAPHRASE: PARAPHRASE }

/** The bridge as a child process, and the SDK's own client in front of it; both end with the test. */
export async function connectBridge(t: Ended, options: BridgeOptions): Promise<ConnectedBridge> {
  const { base, args = [], env = CREDENTIALS, isModern = false } = options
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BRIDGE, base, ...args],
    // The compile cache of `npm test` saves half of the start.
    env: { ...env, ...pick(process.env, 'PATH', 'NODE_COMPILE_CACHE') },
    stderr: 'pipe',
  })
  const messages: string[] = []
  record(transport, messages)
  const client = new Client(
    { name: 'test', version: '0' },
    isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )
  await client.connect(transport)
  t.after(() => client.close())

  const send = (name: string, given: object) =>
    client.callTool({ name, arguments: { ...given } }) as Promise<CallToolResult>
  const textsOf = ({ content }: CallToolResult) =>
    content.map((block) => (block.type === 'text' ? block.text : ''))
  return {
    client,
    messages,
    async call(name, given = {}) {
      const result = await send(name, given)
      const [text = ''] = textsOf(result)
      if (result.isError) throw new Error(`${name}: ${textsOf(result).join(' ')}`)
      return JSON.parse(text)
    },
    async refused(name, given = {}) {
      const result = await send(name, given)
      const [sentence = '', details = '{}'] = textsOf(result)
      if (!result.isError) throw new Error(`${name} was not refused: ${sentence}`)
      return { sentence, details: JSON.parse(details) }
    },
  }
}

const pick = (env: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

function record(transport: StdioClientTransport, messages: string[]): void {
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    messages.push(JSON.stringify(message))
    return send(message)
  }
  let receive: ((message: JSONRPCMessage) => void) | undefined
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set(handle: typeof receive) {
      receive = (message) => {
        messages.push(JSON.stringify(message))
        handle?.(message)
      }
    },
  })
  const printed = transport.stderr as Readable | null
  printed?.setEncoding('utf8').on('data', (text: string) => void messages.push(text))
}
