import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createClient } from 'hydrant-client'
import { PROBLEM_CODES } from 'hydrant-mcp'
import { hydrant, serveIn } from '../cli/command.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/agents.md'
const BASE = 'http://localhost:8080/api'
const PASSPHRASES = ['what the staff typed', 'what the agent has']

interface HostConfiguration {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The folder and the server of the page, with the members that its examples show. */
async function serveWorkshop(t: TestContext) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), codeBlock(PAGE, 'yaml', 'Workshop'))
  const lines = codeBlock(PAGE, 'text', 'hydrant user add').trim().split('\n')
  const [staff = [], agent = [], serve = []] = lines.map((line) => line.split(' ').slice(1))
  for (const [index, args] of [staff, agent].entries())
    assert.equal((await hydrant(args, { cwd: folder, input: `${PASSPHRASES[index]}\n` })).status, 0)
  const rights = await hydrant(['check', 'api.yaml', '--as', 'agent'], { cwd: folder })
  assert.match(rights.stdout, /A user with the role agent may/)
  const { base } = await serveIn(t, folder, serve.slice(1))
  const env = { PASSPHRASE_2: PASSPHRASES[1] ?? '' }
  await run('bash', ['-ec', codeBlock(PAGE, 'sh', 'agent.txt')], { cwd: folder, env })

  const person = createClient({ base, credentials: { id: 1, paraphrase: PASSPHRASES[0] ?? '' } })
  const headers = { 'if-none-match': '*' }
  const ann = { name: 'Ann Miller', phone: '1234' }
  await person.request('PUT', 'customers/ann', { headers, body: ann })
  const kettle = { thing: 'A kettle', customer: `${base}/customers/ann` }
  await person.request('PUT', 'repairs/kettle', { headers, body: kettle })
  return { folder, base, person }
}

/** Starts what a configuration says, as a host does. `npx` would fetch the package: the build of this folder is used. */
async function startHost(t: TestContext, configuration: HostConfiguration, folder: string, base: string) {
  const { command, args, env } = configuration
  assert.deepEqual([command, ...args.slice(0, 2)], ['npx', '-y', 'hydrant-mcp'])
  const main = join(ROOT, 'packages/mcp/dist/main.js')
  const client = new Client({ name: 'test', version: '0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...args.slice(2).map((one) => one.replace(BASE, base))],
    env: { ...env, HYDRANT_PARAPHRASE_FILE: join(folder, 'agent.txt') },
  })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}

/** A result, or an error as the page shows it, with the addresses of the page. */
function shown({ content, isError }: CallToolResult, base: string): unknown {
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
  const [first = '', second = '{}'] = texts.map((text) => text.replaceAll(base, BASE))
  return isError ? { error: first, ...JSON.parse(second) } : JSON.parse(first)
}

/** Versions depend on a secret of the database, and their end on compression. */
const withoutVersions = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\\"\d+-[\w-]+\\"/g, 'version'))

test('The configurations of three hosts start the bridge, and the conversation goes as printed', async (t) => {
  const { folder, base, person } = await serveWorkshop(t)
  const configurations = codeBlocks(PAGE, 'json')
    .map((block) => JSON.parse(block))
    .flatMap(({ mcpServers, servers = mcpServers }) =>
      servers ? [servers.workshop as HostConfiguration] : [],
    )
  assert.equal(configurations.length, 3)
  const clients = []
  for (const one of configurations) clients.push(await startHost(t, one, folder, base))
  const lists = await Promise.all(clients.map(async (client) => (await client.listTools()).tools.length))
  assert.deepEqual(lists, [6, 6, 4])

  const [client] = clients
  const blocks = codeBlocks(PAGE, 'json', 'The tools').map((block) => JSON.parse(block))
  let etag = ''
  for (let index = 0; index < blocks.length; index += 2) {
    const { tool, arguments: printed } = blocks[index]
    // The agent sends the version that it has read last.
    const given = JSON.parse(JSON.stringify(printed).replaceAll(BASE, base))
    const args = printed.ifMatch ? { ...given, ifMatch: etag } : given
    const result = (await client?.callTool({ name: tool, arguments: args })) as CallToolResult
    const found = shown(result, base) as { readonly etag?: string }
    assert.deepEqual(withoutVersions(found), withoutVersions(blocks[index + 1]), tool)
    etag = found.etag ?? etag
    if (tool === 'read') await (await person.get('repairs/kettle')).update({ notes: 'Needs a new plug' })
  }
})

/** What the operator reads in a terminal, and no agent. */
const AT_START = /^(?:address|credentials|two|user|paraphrase-(?:file|missing))|-argument$/

test('The page has every code of the bridge, and the README of the package a configuration like those', () => {
  const text = readFileSync(join(ROOT, PAGE), 'utf8')
  const codes = PROBLEM_CODES.filter((code) => !AT_START.test(code))
  assert.ok(codes.length > 10)
  for (const code of codes) assert.ok(text.includes(`\`${code}\``), `${code} is not documented`)
  const [block = ''] = codeBlocks('packages/mcp/README.md', 'json')
  const { command, args, env }: HostConfiguration = JSON.parse(block).mcpServers.library
  assert.deepEqual([command, ...args], ['npx', '-y', 'hydrant-mcp', BASE])
  assert.deepEqual(Object.keys(env), ['HYDRANT_USER', 'HYDRANT_PARAPHRASE_FILE'])
})

test('The clone has the command as the page names it, for a host that has no npm', async (t) => {
  assert.ok(codeBlocks(PAGE, 'json').length > 0)
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'me'))
  symlinkSync(ROOT, join(folder, 'me', 'hydrant'))
  const main = join(folder, 'me/hydrant/packages/mcp/dist/main.js')
  const { status, stderr } = await run(process.execPath, [main, 'nonsense'])
  assert.deepEqual([status, stderr.startsWith('hydrant-mcp: ')], [2, true])
})
