import { ApiError, type Client } from 'hydrant-client'
import { decode } from '../../../shared/names.ts'
import { readCsv } from './csv-table.ts'

interface DownloadQuery {
  /** The first page. */
  readonly address: string
  /** The first page if the API refuses that one, since its pages are smaller. */
  readonly otherwise: string
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

/** All pages of a filtered and sorted collection. */
export async function* readCsvPages(
  client: Client,
  query: DownloadQuery,
): AsyncGenerator<DownloadedPage, void> {
  let response = await read(client, query, query.address).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return read(client, query, query.otherwise)
  })
  const seen = new Set<string>()
  for (;;) {
    const links = readLinks(response.headers.get('link') ?? '')
    yield { rows: readCsv(String(response.body)), leftOut: leftOutOf(links) }
    const following = links.find(({ relation }) => relation === 'next')
    const next = following && new URL(following.address, response.url).href
    if (next === undefined || seen.has(next)) return
    seen.add(next)
    response = await read(client, query, next)
  }
}

export interface SelectedRows {
  /** The pages that the rows were on. */
  readonly addresses: readonly string[]
  readonly iris: ReadonlySet<string>
}

/** Only some rows of some pages: no filter selects members by their addresses. */
export async function* readSelectedCsv(
  client: Client,
  { addresses, iris }: SelectedRows,
  query: Pick<DownloadQuery, 'isForSpreadsheets' | 'signal'>,
): AsyncGenerator<DownloadedPage, void> {
  const wanted = new Set(iris)
  for (const address of addresses) {
    const { header = [], members, leftOut } = pageOf(await read(client, query, address))
    // A row that has moved may be on two of the pages.
    const rows = members.filter(([iri = '']) => wanted.delete(unquoted(iri)))
    yield { rows: [header, ...rows], leftOut }
  }
}

const unquoted = (cell: string): string =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell

/** The first column has the address of the member (asking.md, CSV). */
function pageOf(response: Awaited<ReturnType<typeof read>>) {
  const [header, ...members] = readCsv(String(response.body))
  return { header, members, leftOut: leftOutOf(readLinks(response.headers.get('link') ?? '')) }
}

const leftOutOf = (links: ReturnType<typeof readLinks>): readonly string[] =>
  links
    .find((one) => one.leftOut !== undefined)
    ?.leftOut?.split(' ')
    .filter(Boolean) ?? []

async function read(
  client: Client,
  { isForSpreadsheets, signal }: Pick<DownloadQuery, 'isForSpreadsheets' | 'signal'>,
  address: string,
) {
  const headers = { accept: 'text/csv', ...(isForSpreadsheets && { prefer: 'spreadsheet' }) }
  const response = await client.request('GET', address, { headers, signal })
  if (!response.headers.get('content-type')?.startsWith('text/csv'))
    throw new Error('The API does not write this collection as CSV.')
  return response
}

/** RFC 8288 §3. `leftOut`: an attribute of Hydrant; not in ASCII, it is encoded (RFC 8187). */
export const readLinks = (header: string) =>
  header
    .split('<')
    .slice(1)
    .map((link) => {
      const [address = '', attributes = ''] = link.split('>')
      const attribute = (name: string) => attributes.split(`; ${name}="`)[1]?.split('"', 1)[0]
      const encoded = /; left-out\*=UTF-8''([^;,\s]+)/.exec(attributes)?.[1]
      return {
        address,
        relation: attribute('rel'),
        leftOut: attribute('left-out') ?? (encoded && decode(encoded)),
      }
    })
