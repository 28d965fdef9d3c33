import {
  type Client,
  type CollectionDescription,
  createClient,
  type Documentation,
  type EntryPoint,
  type Options,
} from '../../../src/client/index.ts'
import { readAddress } from './address.ts'

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

/** The API cannot be read by the address that was opened, and says which one it has. */
export class OtherNameError extends Error {
  readonly address: string

  constructor(base: string, address: string) {
    super(
      `This API calls itself ${address}. What it leads to is there, and not at ${base}: open that address.`,
    )
    this.address = address
  }
}

/** What an API says of itself; where it fails for want of the right address, an `OtherNameError`. */
export async function describeOrName(client: Client, options: Options): Promise<Description> {
  let entryPoint: EntryPoint | undefined
  try {
    // Only what is known is looked at afterwards: to ask once more might be to sign in once more.
    const [description] = await Promise.all([
      describe(client, options),
      client.entryPoint(options).then((found) => {
        entryPoint = found
      }),
    ])
    return description
  } catch (error) {
    const name = entryPoint && otherName(client.base, entryPoint)
    throw name === undefined ? error : new OtherNameError(client.base, name)
  }
}

/**
 * The address by which an API calls itself, where that is not the one that it was opened by: a token stays with what lies
 * below the address that was opened, and so do the pages of the console.
 */
export function otherName(
  base: string,
  { iri, links }: Pick<EntryPoint, 'iri' | 'links'>,
): string | undefined {
  if (!isBelow(base, iri)) return readable(iri)
  const [first, ...others] = Object.values(links)
  if (first === undefined || [first, ...others].some((link) => isBelow(base, link))) return undefined
  const { origin, pathname } = new URL(base)
  const other = URL.parse(first)?.origin
  return other === undefined || other === origin ? undefined : readable(other + pathname)
}

const isBelow = (base: string, iri: string): boolean =>
  iri.startsWith(base) && /^([/?#]|$)/.test(iri.slice(base.length))

/** What an API says of itself may be anything. */
function readable(iri: string): string | undefined {
  const reading = readAddress(/^https?:/i.test(iri) ? iri : '')
  return 'address' in reading ? reading.address : undefined
}
