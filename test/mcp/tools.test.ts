import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getEncoding } from 'js-tiktoken'
import { business, fifty, library } from './apis.ts'
import { type ConnectedBridge, connectBridge, type Data } from './bridge.ts'

const NAMES = ['entry', 'describe', 'search', 'read', 'perform', 'batch']

// contract: A constant handful of tools
test('The tools are the same six for every API, and nothing else is offered', async () => {
  const lists = []
  for (const open of [library, business, fifty]) {
    const { client } = await open()
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    )
    lists.push(JSON.stringify(tools))
    const { tools: _, resources: __, ...others } = client.getServerCapabilities() ?? {}
    assert.deepEqual(others, {})
  }
  assert.equal(lists[0], lists[2])
})

// contract: Tools say whether they change something
test('Tools that write say so, and no other', async () => {
  const { tools } = await (await library()).client.listTools()
  for (const { name, annotations } of tools) {
    const writes = ['perform', 'batch'].includes(name)
    assert.deepEqual(
      annotations,
      { readOnlyHint: !writes, destructiveHint: writes, idempotentHint: !writes },
      name,
    )
  }
})

// contract: The answer of `tools/list` and the text of `entry` together
test('With 50 classes, the tools and the text of entry take less than 2,500 tokens', async () => {
  const { client, call } = await fifty()
  const listed = JSON.stringify(await client.listTools())
  const entry = await call('entry')
  const names = entry.collections.flatMap((group: Data) => Object.keys(group.names))
  assert.equal(names.length, 50)
  const { length } = getEncoding('o200k_base').encode(listed + JSON.stringify(entry))
  assert.ok(length < 2_500, `${length} tokens`)
})

/** Calls that succeed, by API: what each answers is what the schema of the tool says. */
const RIGHT: Readonly<Record<string, readonly [string, object][]>> = {
  library: [
    ['entry', {}],
    ['describe', { class: 'Book' }],
    ['describe', { class: 'books' }],
    ['search', { collection: 'books', query: { q: 'no such word', sort: '-pages', fields: 'title' } }],
    ['search', { collection: 'books', summary: { group: ['author.name', 'published:year'], sum: 'pages' } }],
    ['read', { address: 'books' }],
    ['perform', { address: 'authors', operation: 'create', body: { name: 'Ann Leckie' } }],
    ['batch', { operations: [{ address: 'authors', operation: 'create', body: { name: 'Bea' } }] }],
  ],
  business: [
    ['entry', {}],
    ['describe', { class: 'TimeEntry' }],
    ['describe', { class: 'Address' }],
    [
      'search',
      { collection: 'invoices', query: { 'customer.name': 'Nobody', or: { a: { status: 'paid' } } } },
    ],
    ['read', { address: 'customers' }],
    ['perform', { address: 'people', operation: 'create', body: { name: 'Cem' } }],
    ['batch', { operations: [{ address: 'people', operation: 'create', body: { name: 'Dora' } }] }],
  ],
  fifty: [
    ['entry', {}],
    ['describe', { class: 'RepairItem' }],
    ['search', { collection: 'repairitems' }],
    ['read', { address: 'repairitems' }],
    ['perform', { address: 'repairitems', operation: 'create', body: { name: 'One' } }],
    ['batch', { operations: [{ address: 'repairitems', operation: 'create', body: { name: 'Two' } }] }],
  ],
}

// contract: Arguments and results have schemas
test('Every tool takes and answers what its schemas say, on every API', async () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false })
  for (const [name, open] of Object.entries({ library, business, fifty })) {
    const { client } = await open()
    const { tools } = await client.listTools()
    for (const [tool, args] of RIGHT[name] ?? []) {
      const described = tools.find((one) => one.name === tool)
      assert.ok(described?.outputSchema, tool)
      assert.ok(ajv.validate(described.inputSchema as object, args), tool)
      const { structuredContent, content, isError } = await client.callTool({
        name: tool,
        arguments: { ...args },
      })
      assert.ok(!isError, `${name} ${tool} ${JSON.stringify(content)}`)
      assert.ok(ajv.validate(described.outputSchema as object, structuredContent), ajv.errorsText())
      assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }])
      assert.ok(!JSON.stringify(structuredContent).includes('@context'))
    }
  }
})

/** Calls that are refused, with the code; undefined where the arguments are not what the schema says. */
const WRONG: readonly [tool: string, args: object, code: string | undefined][] = [
  ['entry', { everything: true }, undefined],
  ['describe', {}, undefined],
  ['describe', { class: 'Nonsense' }, 'unknown-class'],
  ['describe', { class: 'constructor' }, 'unknown-class'],
  ['search', { colection: 'x' }, undefined],
  ['search', { collection: 'nonsense' }, 'UnknownCollection'],
  ['read', { address: 7 }, undefined],
  ['read', { address: 'http://example.org/' }, 'outside-api'],
  ['perform', { address: 'x' }, undefined],
  ['batch', { operations: [] }, undefined],
  ['batch', { operations: [{ address: 'x', operation: 'ship' }] }, undefined],
  ['batch', { operations: [{ address: 'nonsense', operation: 'create', body: {} }] }, 'unknown-collection'],
]

test('Wrong arguments are errors of the tool, on every API', async () => {
  for (const open of [library, business, fifty]) {
    const bridge = await open()
    for (const [tool, args, code] of WRONG) await assertCode(bridge, tool, args, code)
  }
})

async function assertCode(
  { client }: ConnectedBridge,
  tool: string,
  args: object,
  code?: string,
): Promise<void> {
  const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } })
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
  const about = `${tool} ${JSON.stringify(args)}: ${texts.join(' ')}`
  assert.equal(isError, true, about)
  if (code === undefined) assert.match(texts[0] ?? '', /Invalid arguments for tool/, about)
  else assert.equal(JSON.parse(texts[1] ?? '{}').code, code, about)
}

test('A result that would fill the context of a model is refused', async () => {
  const { refused } = await fifty()
  assert.equal((await refused('read', { address: 'vocab' })).details.code, 'result-too-long')
})

// contract: `--read-only` leaves `perform` and `batch` out
test('With --read-only nothing can be changed, nor is it offered', async (t) => {
  const { base } = await library()
  const bridge = await connectBridge(t, { base, args: ['--read-only'] })
  const { tools } = await bridge.client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    NAMES.slice(0, 4),
  )
  await assert.rejects(bridge.client.callTool({ name: 'perform', arguments: {} }), /not found/)
  const { collections } = await bridge.call('entry')
  assert.deepEqual(
    collections.map(({ may }: Data) => may),
    [['read']],
  )
  assert.deepEqual((await bridge.call('describe', { class: 'Book' })).may, ['read'])
})

// contract: The agent is a user like any other
test('An agent is offered what its account may do, and refused the rest with the sentence of the API', async () => {
  const { base, call, refused, other } = await fifty()
  const { collections, user } = await call('entry')
  assert.deepEqual(
    collections.map(({ may, names }: Data) => [may, Object.keys(names).length]),
    [
      [['read'], 10],
      [['read', 'create', 'update', 'replace', 'delete'], 40],
    ],
  )
  assert.deepEqual(user, { id: 7, account: `${base}/accounts/7`, roles: [] })
  const asked = { address: 'ordernotes', operation: 'create', body: { name: 'Mine' } }
  const { sentence, details } = await refused('perform', asked)
  assert.equal(details.status, 403)
  await assert.rejects(other.collection('ordernotes').create({ name: 'Mine' }), { message: sentence })
})
