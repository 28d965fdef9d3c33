import {
  type Client,
  type CollectionDescription,
  createClient,
  type Documentation,
  type Options,
} from '../../../src/client/index.ts'

/** What an API says of itself. */
export interface Description {
  readonly documentation: Documentation
  readonly collections: readonly CollectionDescription[]
  /** Of the entry point, by name. */
  readonly links: Readonly<Record<string, string>>
}

export async function describe(client: Client, options?: Options): Promise<Description> {
  const [documentation, collections, { links }] = await Promise.all([
    client.documentation(options),
    client.collections(options),
    client.entryPoint(options),
  ])
  return { documentation, collections, links }
}

/** What it says now: a client remembers what it was told at first, so a second one asks, through the first. */
export function describeAnew(client: Client, options?: Options): Promise<Description> {
  const { base } = client
  const through = async (url: string): Promise<Response> => {
    const { status, headers, body } = await client.request('GET', url, options)
    return new Response(JSON.stringify(body), { status, headers })
  }
  return describe(createClient({ base, patience: 0, fetch: (url) => through(String(url)) }), options)
}

export const isSameDescription = (one: Description, other: Description): boolean =>
  textOf(one) === textOf(other)

const textOf = ({ documentation, collections, links }: Description): string =>
  JSON.stringify([documentation, collections, links])
