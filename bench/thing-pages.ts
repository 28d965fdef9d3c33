// Pages of things to ask for, none of which is remembered from the time before.
import { request } from './requests.ts'
import type { ThingServer } from './things.ts'

/** More requests than pages are kept in memory, so that each one is answered from the database. */
const DIFFERENT = 200

/** From the first page to the last, a hundred at a time; cursors of all depths, for pages of twenty. */
export async function cursors(server: ThingServer, authorized: string): Promise<readonly string[]> {
  const found: string[] = []
  const every = Math.max(1, Math.floor(server.members / 100 / DIFFERENT))
  let query = '?itemsPerPage=100'
  for (let page = 0; ; page += 1) {
    const { view } = await pageOf(server, query, authorized)
    if (view.next === undefined) break
    query = new URL(view.next).search
    const after = new URLSearchParams(query).get('after') ?? ''
    if (page % every === 0) found.push(`after=${after}`)
  }
  return spellings((index) => found[index % found.length] ?? '')
}

interface PageOfThings {
  readonly member: readonly { readonly '@id': string }[]
  readonly view: { readonly next?: string }
}

export async function pageOf(
  { port }: ThingServer,
  query: string,
  authorized: string,
): Promise<PageOfThings> {
  const [name = '', value = ''] = authorized.trim().split(': ')
  const response = await fetch(`http://127.0.0.1:${port}/api/things${query}`, { headers: { [name]: value } })
  return (await response.json()) as PageOfThings
}

/** Each query in a spelling of its own, for the same page under another name: no two are remembered as one. */
export function spellings(queryOf: (index: number) => string): string[] {
  return Array.from(
    { length: DIFFERENT },
    (_, index) => `/api/things?${queryOf(index)}${'&'.repeat(index + 1)}`,
  )
}

export function cycle(paths: readonly string[], authorized: string): () => string {
  let at = 0
  return () => request(paths[at++ % paths.length] ?? '', authorized)
}
