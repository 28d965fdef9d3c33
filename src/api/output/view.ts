import type { Page } from '../../store/store.ts'
import { isReachable, type PageSizes } from '../query/paging.ts'
import type { Query } from '../query/query.ts'
import { toIri } from '../query/text.ts'

/** So long may a link be from its question mark on; the rest of the 8 KiB of a target is for the path. */
const LONGEST_QUERY = 7 * 1024

/** The PartialCollectionView of what was asked for: a GET with `page` links to pages, any other to cursors. */
export type RepresentView = (asked: Query, page: Page, query: string | undefined) => string

export function createRepresentView(address: string, sizes: PageSizes): RepresentView {
  return (asked, page, query) => {
    // A page that the query says nothing of is still not the collection itself.
    const bare = `itemsPerPage=${sizes.standard}`
    const self = query ? toIri(query) : bare
    const links = asked.page === undefined ? cursorLinks(asked, page) : pageLinks(asked, asked.page, page)
    let text = `{"@id":"${address}?${self}","@type":"PartialCollectionView"`
    for (const [name, to] of links) {
      const and = asked.kept === '' || to === '' ? '' : '&'
      text += `,"${name}":"${address}?${asked.kept + and + to || bare}"`
    }
    return `${text}}`
  }
}

/** What each link says beside filters, order and size. */
type Links = [name: 'first' | 'previous' | 'next' | 'last', to: string][]

function cursorLinks(asked: Query, page: Page): Links {
  const { start } = asked.selection
  const links: Links = [['first', '']]
  const end = `before=${asked.cursors.end}`

  // Beyond an edge of an empty page is where the walk came from.
  if (start.at === 'after') links.push(['previous', cursorLink('before', asked, page) ?? end])
  if (start.at === 'before' && page.more) links.push(['previous', cursorLink('before', asked, page) ?? ''])

  const isLast = start.at === 'before' ? start.position === 'end' : !page.more
  if (!isLast) links.push(['next', cursorLink('after', asked, page) ?? ''])
  if (page.total !== undefined) links.push(['last', end])
  return links
}

function pageLinks(asked: Query, number: number, page: Page): Links {
  const { itemsPerPage } = asked
  const { total } = page
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / itemsPerPage))
  const links: Links = [['first', 'page=1']]
  // From a page that was cut by its size, and where pages end, the walk goes on by cursor.
  const isCut = page.more && page.members.length < itemsPerPage
  if (number > 1) {
    const byPage = `page=${Math.min(number - 1, lastPage ?? number)}`
    links.push(['previous', isCut ? (cursorLink('before', asked, page) ?? byPage) : byPage])
  }
  if (page.more) {
    const isByPage = !isCut && isReachable(number + 1, itemsPerPage)
    links.push(['next', isByPage ? `page=${number + 1}` : (cursorLink('after', asked, page) ?? '')])
  }
  if (lastPage !== undefined) {
    const isByPage = isReachable(lastPage, itemsPerPage)
    links.push(['last', isByPage ? `page=${lastPage}` : `before=${asked.cursors.end}`])
  }
  return links
}

/** To what comes after the last member or before the first; undefined on an empty page. */
function cursorLink(way: 'after' | 'before', asked: Query, { members, edges }: Page): string | undefined {
  const member = way === 'after' ? members.at(-1) : members[0]
  const position = way === 'after' ? edges?.last : edges?.first
  if (member === undefined || position === undefined) return undefined
  return `${way}=${asked.cursors.write(position, member, LONGEST_QUERY - asked.kept.length)}`
}
