import {
  type AbortOptions,
  type Client,
  type CollectionDescription,
  createClient,
  type Documentation,
  type EntryPoint,
} from 'hydrant-client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { readAddress } from './address.ts'
import type { ApiConnection } from './connection.ts'

export interface Description {
  readonly documentation: Documentation
  readonly collections: readonly CollectionDescription[]
  /** The entry point's own address. */
  readonly iri: string
  readonly links: Readonly<Record<string, string>>
}

export interface Api extends ApiConnection, Description {}

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('useApi is called outside of ApiContext.')
  return api
}

/** Whether the API has Hydrant's feed, rather than a resource that happens to be called `events`. */
export const hasFeed = ({ documentation }: Pick<Description, 'documentation'>): boolean =>
  documentation.links.some(({ name, range }) => name === 'events' && range === `${documentation.iri}#events`)

async function describe(client: Client, options?: AbortOptions): Promise<Description> {
  const [documentation, collections, { iri, links }] = await Promise.all([
    client.documentation(options),
    client.collections(options),
    client.entryPoint(options),
  ])
  return { documentation, collections, iri, links }
}

/** A client caches the description, so a second client reads it again, with the session of the first. */
export function describeAnew(client: Client, options?: AbortOptions): Promise<Description> {
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

export class OtherNameError extends Error {
  readonly address: string

  constructor(base: string, address: string) {
    super(
      `The address of this API is ${address}, and its links lead there, not to ${base}. Open that address instead.`,
    )
    this.address = address
  }
}

/** Describes the API. Throws an `OtherNameError` if that fails because the API has another address. */
export async function describeOrName(client: Client, options: AbortOptions): Promise<Description> {
  // Started together with the description, to share one request: a second one might need a second sign-in.
  const entryPoint = client.entryPoint(options).catch(() => undefined)
  try {
    return await describe(client, options)
  } catch (error) {
    const found = await entryPoint
    const name = found && otherName(client.base, found)
    throw name === undefined ? error : new OtherNameError(client.base, name)
  }
}

/** The API's own address, if it differs from the one that was opened. The console does not leave the opened one. */
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

function readable(iri: string): string | undefined {
  const reading = readAddress(/^https?:/i.test(iri) ? iri : '')
  return 'address' in reading ? reading.address : undefined
}
