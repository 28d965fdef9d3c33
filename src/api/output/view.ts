import type { Page } from '../../members/index.ts'
import { toIri } from '../query/encoding.ts'
import { isReachable, requireFollowable } from '../query/paging.ts'
import type { ParsedQuery } from '../query/query.ts'

/** The addresses of a page and of the pages around it. */
export interface ViewLinks {
  readonly self: string
  readonly links: Links
}

/** Throws 414 if a client could not follow one of the links. */
export function createViewLinks(
  address: string,
  standardSize: number,
): (parsed: ParsedQuery, page: Page, query: string | undefined) => ViewLinks {
  const path = new URL(address).pathname
  // The query of the first page, whose address must differ from that of the collection.
  const bare = `itemsPerPage=${standardSize}`
  return (parsed, page, query) => {
    const self = query ? toIri(query) : bare
    const links = parsed.page === undefined ? cursorLinks(parsed, page) : pageLinks(parsed, parsed.page, page)
    let longest = self.length
    const linked = links.map(([name, to]): Links[number] => {
      const and = parsed.linkQuery === '' || to === '' ? '' : '&'
      const query = parsed.linkQuery + and + to || bare
      longest = Math.max(longest, query.length)
      return [name, `${address}?${query}`]
    })
    requireFollowable(path.length + 1 + longest)
    return { self: `${address}?${self}`, links: linked }
  }
}

type Links = [name: 'first' | 'previous' | 'next' | 'last', to: string][]

/** Links without filters, order and size: by cursors, or by page numbers if the query has `page`. */
function cursorLinks(parsed: ParsedQuery, page: Page): Links {
  const { start } = parsed.selection
  const { before, after, end } = cursorsAround(parsed, page)
  const links: Links = [['first', '']]

  // An empty page has no edge: the previous page is the last one.
  if (start.at === 'after' || (start.at === 'offset' && start.offset > 0))
    links.push(['previous', before() ?? end])
  if (start.at === 'before' && page.more) links.push(['previous', before() ?? ''])

  const isLast = start.at === 'before' ? start.position === 'end' : !page.more
  if (!isLast) links.push(['next', after() ?? ''])
  if (page.total !== undefined) links.push(['last', end])
  return links
}

/** An empty page has neither `before` nor `after`. */
const cursorsAround = ({ cursors }: ParsedQuery, { edges }: Page) => ({
  before: () => edges && `before=${cursors.write(edges.first)}`,
  after: () => edges && `after=${cursors.write(edges.last)}`,
  end: `before=${cursors.end}`,
})

function pageLinks(parsed: ParsedQuery, number: number, page: Page): Links {
  const { limit } = parsed.selection
  const { total } = page
  const { before, after, end } = cursorsAround(parsed, page)
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / limit))
  const links: Links = [['first', 'page=1']]
  // Links have cursors if the page was truncated by its size, or has the last possible number.
  const isTruncated = page.more && page.members.length < limit
  if (number > 1) {
    const byPage = `page=${Math.min(number - 1, lastPage ?? number)}`
    links.push(['previous', isTruncated ? (before() ?? byPage) : byPage])
  }
  if (page.more) {
    const isByPage = !isTruncated && isReachable(number + 1, limit)
    links.push(['next', isByPage ? `page=${number + 1}` : (after() ?? '')])
  }
  if (lastPage !== undefined) links.push(['last', isReachable(lastPage, limit) ? `page=${lastPage}` : end])
  return links
}
