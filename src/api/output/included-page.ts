import type { MemberStore } from '../../members/index.ts'
import { reverseTypes } from '../../vocabulary/index.ts'
import type { Access } from '../access/access.ts'
import { within } from '../access/scope.ts'
import type { ReadQuery } from '../query/query.ts'
import { reverseAddressStart } from '../query/reverse-links.ts'
import type { ReadIncludedPage } from './include.ts'
import type { FramePage } from './page.ts'

interface IncludedPageDependencies {
  readonly base: string
  readonly access: Access
  readonly store: MemberStore
  /** Keyed by class name. */
  readonly listings: ReadonlyMap<
    string,
    () => { readonly readQuery: ReadQuery; readonly framePage: FramePage }
  >
}

/** Reads what the address of the link would serve (asking.md, Links from the other side). */
export function createReadIncludedPage(dependencies: IncludedPageDependencies): ReadIncludedPage {
  const { base, access, store, listings } = dependencies
  return async ({ cls, id, link }, limits, user) => {
    const { className } = link
    const listing = listings.get(className)
    if (listing === undefined) throw new Error(`${className} has no collection.`)
    const { readQuery, framePage } = listing()
    const address = reverseAddressStart(link, cls, base) + id
    const query = address.slice(address.indexOf('?') + 1)
    const parsed = readQuery(query, 'bounded')
    const { selection } = parsed
    const listed = within(selection, access.scopeBeyond({ kind: 'reverse', className }, user))
    const page = await store.list(className, {
      ...listed,
      limit: Math.min(selection.limit, limits.members),
      byteBudget: {
        ...selection.byteBudget,
        bytes: Math.min(selection.byteBudget.bytes, limits.bytes),
      },
    })
    return {
      page,
      frame: framePage(page, parsed, query, JSON.stringify(reverseTypes(link, base))),
      isTruncated: page.more && page.members.length < selection.limit,
    }
  }
}
