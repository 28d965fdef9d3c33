import type { Batch, BatchResult, Member } from 'hydrant-client'
import { BridgeProblem } from '../problems.ts'
import { type AskedOperation, checkOperation, readVersion } from './perform.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, type ToolApi } from './tool.ts'

const MOST_OPERATIONS = 100

export const BATCH: AgentTool = {
  name: 'batch',
  description:
    'Several create, update, replace and delete operations, as in perform, in one transaction: all or none. A later body links to the member that operation n creates (the first is 0) with "_:n".',
  writes: true,
  input: closed(
    {
      operations: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_OPERATIONS,
        items: closed(
          {
            address: TEXT,
            operation: { enum: ['create', 'update', 'replace', 'delete'] },
            body: ANY_OBJECT,
            ifMatch: TEXT,
          },
          ['address', 'operation'],
        ),
      },
    },
    ['operations'],
  ),
  output: object({ results: { type: 'array', items: ANY_OBJECT } }, ['results']),
  async run(api, { operations }: { readonly operations: readonly AskedOperation[] }, signal) {
    // Read one after the other: the server answers other users in between.
    const prepared: PreparedOperation[] = []
    for (const [index, asked] of operations.entries()) prepared.push(await prepare(api, asked, index, signal))
    const results = await api.client.batch(
      (batch) => {
        for (const operation of prepared) add(batch, operation)
      },
      { signal },
    )
    return { results: results.map(representResult) }
  },
}

type PreparedOperation = AskedOperation & ({ readonly member: Member } | { readonly collection: string })

async function prepare(
  api: ToolApi,
  asked: AskedOperation,
  index: number,
  signal: AbortSignal,
): Promise<PreparedOperation> {
  const options = { signal }
  try {
    const address = await checkOperation(api, asked, options)
    if (asked.operation !== 'create')
      return { ...asked, member: await readVersion(api, { ...asked, address }, options) }
    const collection = await api.addresses.nameOf(address, options)
    if (collection !== undefined) return { ...asked, collection }
    const known = (await api.client.collections(options)).map(({ name }) => name)
    throw new BridgeProblem('unknown-collection', { name: asked.address, known })
  } catch (error) {
    // The agent has to know which operation it is.
    throw typeof error === 'object' && error !== null ? Object.assign(error, { operation: index }) : error
  }
}

function add(batch: Batch, prepared: PreparedOperation): void {
  const { operation, body = {} } = prepared
  if ('collection' in prepared) batch.create(prepared.collection, body)
  else if (operation === 'delete') batch.remove(prepared.member)
  else if (operation === 'replace') batch.replace(prepared.member, body as never)
  else batch.update(prepared.member, body as never)
}

const representResult = ({ status, location, etag }: BatchResult): object => ({
  status,
  ...(location !== undefined && { address: location }),
  ...(etag !== undefined && { etag }),
})
