import type { Page } from '../../members/index.ts'
import {
  type CollectionClass,
  classIri,
  collectionContext,
  contextAddress,
  type Model,
  mappingProperty,
  pathTo,
  vocabIri,
} from '../../vocabulary/index.ts'
import { requireFollowable, toIri, toVariable } from '../query/encoding.ts'
import { isReachable } from '../query/paging.ts'
import { isRepeatable, type Parameter, templateParameters } from '../query/parameters.ts'
import type { ParsedQuery, QueryDependencies } from '../query/query.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'
import { representSummaryTemplate } from '../summaries/template.ts'
import type { MemberRepresentation, ResolvedIncludes } from './member.ts'
import { representTemplate } from './template.ts'

export interface PageDependencies extends QueryDependencies {
  readonly representation: MemberRepresentation
  readonly secret: Buffer
}

/** `query`: as it was sent. */
export type RepresentPage = (
  page: PageWithIncludes,
  parsed: ParsedQuery,
  query: string | undefined,
  mediaType: MediaType,
) => RepresentedPage

/** Pages of a collection. Text that is the same for all of them is computed at start. */
export function createRepresentPage(dependencies: PageDependencies): RepresentPage {
  const { cls, model, base, representation, pageSizes, secret } = dependencies
  const address = base + pathTo(cls.collection)
  const context = contextAddress(`${cls.name}Collection`, base)
  const assertion = { property: 'rdf:type', object: classIri(cls, base) }
  const plain =
    `"@id":"${address}","@type":["Collection","${cls.name}Collection"],` +
    `"memberAssertion":${JSON.stringify(assertion)}`
  const headOf = (text: string) => `{"@context":${text},${plain}`
  const head = headOf(JSON.stringify(collectionContext(cls, base)))
  const search = JSON.stringify(representSearch(cls, model, base))
  const summary = JSON.stringify(representSummaryTemplate(cls, base))
  // These digests cover everything on a page except its members. They include the secret, so that versions cannot be
  // guessed from an ETag.
  const key = secret.toString('base64url')
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(
      ...[head, search, summary, String(pageSizes.standard), key],
      representation.etag({ version: 0 }, mediaType),
    ),
  )
  const view = createView(address, pageSizes.standard)

  return ({ page, includes }, parsed, query, mediaType) => {
    const { members, total, more } = page
    let texts = ''
    // A version identifies one state of one member of the class.
    let versions = includes === undefined ? '' : `${includes.state} `
    for (const member of members) {
      texts += (texts === '' ? '' : ',') + representation.within(member, includes?.nodes.get(member))
      versions += `${member.version},`
    }
    const rest = `${total} ${more}`
    const withContext = includes === undefined ? head : headOf(includes.include.pageContext)
    const start = mediaType === PLAIN_JSON ? `{${plain}` : withContext
    const counted = total === undefined ? '' : `,"totalItems":${total}`
    // The templates are larger than many pages, and their address alone would stop clients that read RDF (hypermedia.md,
    // Collection).
    const searched = query || mediaType === PLAIN_JSON ? '' : `,"search":${search},"summary":${summary}`
    return {
      etag: `"${fingerprint(versions, rest, query ?? '', fingerprints[mediaType])}"`,
      context: includes === undefined ? context : `${context}?${includes.include.query}`,
      body: `${start}${counted},"member":[${texts}],"view":${view(parsed, page, query)}${searched}}`,
    }
  }
}

export interface RepresentedPage {
  readonly etag: string
  /** The address of the context. */
  readonly context: string
  readonly body: string
}

export interface PageWithIncludes {
  readonly page: Page
  readonly includes?: ResolvedIncludes | undefined
}

/** The view of a page, with its links to other pages. */
function createView(address: string, standardSize: number) {
  const path = new URL(address).pathname
  // The query of the first page, whose address must differ from that of the collection.
  const bare = `itemsPerPage=${standardSize}`
  return (parsed: ParsedQuery, page: Page, query: string | undefined): string => {
    const self = query ? toIri(query) : bare
    const links = parsed.page === undefined ? cursorLinks(parsed, page) : pageLinks(parsed, parsed.page, page)
    let text = `{"@id":"${address}?${self}","@type":"PartialCollectionView"`
    let longest = self.length
    for (const [name, to] of links) {
      const and = parsed.linkQuery === '' || to === '' ? '' : '&'
      const linked = parsed.linkQuery + and + to || bare
      text += `,"${name}":"${address}?${linked}"`
      longest = Math.max(longest, linked.length)
    }
    requireFollowable(path.length + 1 + longest)
    return `${text}}`
  }
}

/** The links of a view, without filters, order and size: page numbers if the query has `page`, else cursors. */
type Links = [name: 'first' | 'previous' | 'next' | 'last', to: string][]

function cursorLinks(parsed: ParsedQuery, page: Page): Links {
  const { start } = parsed.selection
  const { before, after, end } = cursorsAround(parsed, page)
  const links: Links = [['first', '']]

  // An empty page has no edge: the previous page is the last one.
  if (start.at === 'after') links.push(['previous', before() ?? end])
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

/** Parameters that have a property in Hydra; others get one of this API's vocabulary. */
const HYDRA_PROPERTIES: Readonly<Record<string, string>> = {
  q: 'hydra:freetextQuery',
  page: 'hydra:pageIndex',
  itemsPerPage: 'hydra:limit',
}

/** The search template of a collection: one variable, with its mapping, for each parameter. */
export function representSearch(cls: CollectionClass, model: Pick<Model, 'classes'>, base: string): object {
  const address = base + pathTo(cls.collection)
  return representTemplate({
    id: `${address}#search`,
    address,
    variables: templateParameters(cls, model).map((parameter) => ({
      // Encoded in both, since clients do not decode it. Orders are not, since API Platform looks for `order[p]`.
      name: toVariable(parameter.name),
      ...(parameter.role === 'order' && { mapped: parameter.name }),
      isExploded: isRepeatable(parameter),
      property: propertyOf(parameter, cls, base),
    })),
  })
}

function propertyOf(parameter: Parameter, cls: CollectionClass, base: string): string {
  const { role } = parameter
  if (!('property' in parameter)) return HYDRA_PROPERTIES[role] ?? vocabIri(base, role)
  const { property } = parameter
  const test = parameter.role === 'filter' ? parameter.operator : role
  // What a path leads to is not a property of the class.
  if (test === 'eq' && !property.name.includes('.')) return mappingProperty(cls, property, base)
  return vocabIri(base, `${test}/${property.name}`)
}
