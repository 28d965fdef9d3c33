import { ApiError, type Client } from 'hydrant-client'
import { addressOf, type Pair, withValue } from '../query.ts'
import { readCsv } from './csv-table.ts'

interface DownloadQuery {
  /** The address of the collection. */
  readonly iri: string
  readonly pairs: readonly Pair[]
  /** The name of the parameter for the number of members on a page. */
  readonly limit: string | undefined
  /** Asks for texts that a spreadsheet does not take for formulas (asking.md, CSV). */
  readonly isForSpreadsheets: boolean
  readonly signal: AbortSignal
}

interface DownloadedPage {
  /** The first one is the header. */
  readonly rows: ReturnType<typeof readCsv>
  /** The names of properties that CSV cannot hold. */
  readonly leftOut: readonly string[]
}

/** The largest page that servers usually allow. */
const LARGEST = '100'

/** All pages of a filtered and sorted collection. */
export async function* readCsvPages(
  client: Client,
  query: DownloadQuery,
): AsyncGenerator<DownloadedPage, void> {
  const { iri, pairs, limit } = query
  const ofAnySize = pairs.filter(({ role }) => role !== 'limit')
  const [usual, large] = [undefined, LARGEST].map((size) =>
    addressOf(iri, withValue(ofAnySize, limit ?? '', limit && size)),
  ) as [string, string]
  const seen = new Set<string>()
  for (let next: string | undefined = large; next && !seen.has(next); ) {
    seen.add(next)
    const response: Awaited<ReturnType<typeof read>> = await read(client, query, next).catch(
      (error: unknown) => {
        const isSize = error instanceof ApiError && error.status === 400 && error.parameter === limit
        if (!isSize || seen.size > 1 || large === usual) throw error
        return read(client, query, usual)
      },
    )
    const links = readLinks(response.headers.get('link') ?? '')
    const { leftOut = '' } = links.find((one) => one.leftOut !== undefined) ?? {}
    yield { rows: readCsv(String(response.body)), leftOut: leftOut.split(' ').filter(Boolean) }
    const following = links.find(({ relation }) => relation === 'next')
    next = following && new URL(following.address, response.url).href
  }
}

async function read(client: Client, { isForSpreadsheets, signal }: DownloadQuery, address: string) {
  const headers = { accept: 'text/csv', ...(isForSpreadsheets && { prefer: 'spreadsheet' }) }
  const response = await client.request('GET', address, { headers, signal })
  if (!response.headers.get('content-type')?.startsWith('text/csv'))
    throw new Error('The API does not write this collection as CSV.')
  return response
}

/** RFC 8288 §3. `leftOut`: an attribute of Hydrant; not in ASCII, it is encoded (RFC 8187). */
export const readLinks = (header: string) =>
  header.split(/,\s*(?=<)/).map((link) => {
    const [, address = '', attributes = ''] = /^<([^>]*)>(.*)$/s.exec(link) ?? []
    const attribute = (name: string) => attributes.split(`; ${name}="`)[1]?.split('"', 1)[0]
    const encoded = attributes.split("; left-out*=UTF-8''")[1]?.split(';', 1)[0]
    return {
      address,
      relation: attribute('rel'),
      leftOut: attribute('left-out') ?? (encoded && decodeURIComponent(encoded)),
    }
  })
