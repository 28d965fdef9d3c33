import type { AbortOptions, CollectionDescription } from 'hydrant-client'
import { cutLine, nameOfIri } from '../names.ts'
import { offered, rightsIn } from '../rights.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, TEXTS, type ToolApi } from './tool.ts'

/** agents.md: with 50 classes, all tools and this text stay below 2,500 tokens. */
const BYTES_FOR_LINES = 2_000
const SHORTEST_LINE = 40
const LONGEST_LINE = 150
const LONGEST_DESCRIPTION = 300

export const ENTRY: AgentTool = {
  name: 'entry',
  description:
    'Begin here: the collections of the API ("name": "Class: what it is"), grouped by what you may do, and who you are.',
  writes: false,
  input: closed({}),
  output: object(
    {
      title: TEXT,
      base: TEXT,
      user: ANY_OBJECT,
      collections: { type: 'array', items: object({ may: TEXTS, names: ANY_OBJECT }) },
      singles: ANY_OBJECT,
    },
    ['base', 'collections'],
  ),
  async run(api, _, signal) {
    const options = { signal }
    const { title, description, links } = await api.client.documentation(options)
    const entryPoint = await api.client.entryPoint(options)
    const collections = await api.client.collections(options)
    // A resource that is neither a collection nor a service of the server itself: it is described at the entry point.
    const singles = links.filter(({ name, isCollection, range }) => {
      const address = entryPoint.links[name]
      return !isCollection && address !== undefined && range !== undefined && !SERVICES.includes(name)
    })
    return {
      title,
      ...(description && { description: cutLine(description, LONGEST_DESCRIPTION) }),
      base: api.client.base,
      ...(await findUser(api, options)),
      collections: groupByRights(collections, api.isReadOnly),
      ...(singles.length > 0 && {
        singles: Object.fromEntries(singles.map(({ name }) => [name, entryPoint.links[name]])),
      }),
    }
  },
}

/** Links of the entry point that the tools use by themselves. */
const SERVICES = ['session', 'batch', 'events', 'openapi']

/** One list of rights for many collections, since most have the same. */
function groupByRights(collections: readonly CollectionDescription[], isReadOnly: boolean): object[] {
  const room = Math.floor(BYTES_FOR_LINES / Math.max(1, collections.length))
  const bytes = Math.min(LONGEST_LINE, Math.max(SHORTEST_LINE, room))
  const groups = new Map<string, { readonly may: string[]; readonly names: Record<string, string> }>()
  for (const collection of collections) {
    const may = offered(rightsIn(collection), isReadOnly)
    const group = groups.get(may.join()) ?? { may, names: {} }
    groups.set(may.join(), group)
    group.names[collection.name] = lineFor(collection, bytes)
  }
  return [...groups.values()]
}

function lineFor({ description, memberClass }: CollectionDescription, bytes: number): string {
  const name = memberClass && nameOfIri(memberClass.iri)
  const about = description || memberClass?.description
  return cutLine([name, about].filter(Boolean).join(': '), bytes)
}

/** An agent that is asked for "my hours" has to know which account is its own. */
async function findUser({ client }: ToolApi, options: AbortOptions): Promise<object> {
  const { links } = await client.entryPoint(options)
  if (!links.session) return {}
  const { user, account, roles } = (await client.get(links.session, options)).data
  return { user: { id: user, account, roles } }
}
