import assert from 'node:assert/strict'
import { type Json, pathOf, type SignedIn } from './signed-in.ts'

export interface Collection extends Json {
  readonly totalItems?: number
  readonly member: readonly (Json & { readonly '@id': string })[]
  readonly view: Readonly<Record<string, string>>
}

export async function read({ get }: SignedIn, path: string): Promise<Collection> {
  const response = await get(path)
  assert.equal(response.status, 200, `${path}: ${response.body}`)
  return response.json() as Collection
}

/** The last segment of the addresses of the members, in the order of the page. */
export const idsOf = ({ member }: Collection): string[] =>
  member.map((one) => one['@id'].slice(one['@id'].lastIndexOf('/') + 1))

/** Adds a member at an address of its own, so that tables can name it. */
export async function put({ send }: SignedIn, path: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/ld+json', 'If-None-Match': '*' }
  const response = await send('PUT', path, headers, JSON.stringify(body))
  assert.equal(response.status, 201, `${path}: ${response.body}`)
}

/** Follows a link of the view from page to page, and returns the members of each. `visit` is awaited in between. */
export async function walk(
  service: SignedIn,
  start: string,
  link: 'next' | 'previous' = 'next',
  visit: (page: Collection) => unknown = () => {},
): Promise<string[][]> {
  const pages: string[][] = []
  for (let path: string | undefined = start; path !== undefined; ) {
    assert.ok(pages.length < 2_000, 'the walk has no end')
    const page: Collection = await read(service, path)
    pages.push(idsOf(page))
    await visit(page)
    const further: string | undefined = page.view[link]
    path = further === undefined ? undefined : pathOf(service.base, further)
  }
  return pages
}
