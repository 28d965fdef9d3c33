import type { Page } from '../../members/index.ts'
import { type CollectionClass, collectionContext, contextAddress, pathTo } from '../../vocabulary/index.ts'
import type { ParsedQuery, QueryDependencies } from '../query/query.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'
import { representSummaryTemplate } from '../summaries/template.ts'
import { createMemberAssertions } from './assertions.ts'
import { type MemberRepresentation, partsOf, type ShownMembers } from './member.ts'
import { representSearch } from './search.ts'
import { createViewLinks, type ViewLinks } from './view.ts'

export interface PageDependencies extends QueryDependencies {
  readonly representation: MemberRepresentation
  readonly secret: Buffer
}

/** `query`: as it was sent. */
export type RepresentPage = (
  page: ShownPage,
  parsed: ParsedQuery,
  query: string | undefined,
  mediaType: MediaType,
) => RepresentedPage

/** The text of a page before and after its members, without a context. */
export interface PageFrame {
  readonly start: string
  readonly end: string
}

/** `types`: the `@type` of the collection as JSON, if it is not the usual one. */
export type FramePage = (
  page: Page,
  parsed: ParsedQuery,
  query: string | undefined,
  types?: string,
) => PageFrame

export function createFramePage({ cls, base, pageSizes }: PageDependencies): FramePage {
  const address = addressOf(cls, base)
  const assertions = createMemberAssertions(cls, base)
  const usualTypes = typesOf(cls)
  const viewLinks = createViewLinks(address, pageSizes.standard)
  return (page, parsed, query, types = usualTypes) => {
    const { total } = page
    // With filters the collection is another one: its total is not that of the whole.
    const id = parsed.filterQuery === '' ? address : `${address}?${parsed.filterQuery}`
    const about = `"@id":"${id}","@type":${types},"memberAssertion":${assertions.of(parsed)}`
    const counted = total === undefined ? '' : `,"totalItems":${total}`
    return {
      start: `${about}${counted},"member":[`,
      end: `],"view":${viewOf(viewLinks(parsed, page, query))}`,
    }
  }
}

const addressOf = ({ collection }: CollectionClass, base: string): string => base + pathTo(collection)

const typesOf = ({ name }: CollectionClass): string => `["Collection","${name}Collection"]`

/** Pages of a collection. Text that is the same for all of them is computed at start. */
export function createRepresentPage(dependencies: PageDependencies, framePage: FramePage): RepresentPage {
  const { cls, model, base, representation, pageSizes, secret } = dependencies
  const context = contextAddress(`${cls.name}Collection`, base)
  const inline = `"@context":${JSON.stringify(collectionContext(cls, base))},`
  const search = JSON.stringify(representSearch(cls, model, base))
  const summary = JSON.stringify(representSummaryTemplate(cls, base))
  // These digests cover everything on a page except its members. They include the secret, so that versions cannot be
  // guessed from an ETag.
  const key = secret.toString('base64url')
  const { own } = createMemberAssertions(cls, base)
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(
      ...[addressOf(cls, base), typesOf(cls), inline, own, search, summary, String(pageSizes.standard), key],
      representation.etag({ version: 0 }, mediaType),
    ),
  )

  return ({ page, ...shown }, parsed, query, mediaType) => {
    const { includes, views } = shown
    const { members, total, more } = page
    let texts = ''
    // A version identifies one state of one member of the class.
    let versions = includes === undefined ? '' : `${includes.state} `
    for (const member of members) {
      texts += (texts === '' ? '' : ',') + representation.within(member, partsOf(member, shown))
      versions += `${member.version},`
      if (views !== undefined) versions += `${views.get(member)?.shownKey},`
    }
    const rest = `${total} ${more}`
    const withContext = includes === undefined ? inline : `"@context":${includes.include.pageContext},`
    const { start, end } = framePage(page, parsed, query)
    // The templates are larger than many pages, and their address alone would stop clients that read RDF (hypermedia.md,
    // Collection).
    const searched = query || mediaType === PLAIN_JSON ? '' : `,"search":${search},"summary":${summary}`
    return {
      etag: `"${fingerprint(versions, rest, query ?? '', fingerprints[mediaType])}"`,
      context: includes === undefined ? context : `${context}?${includes.include.query}`,
      body: `{${mediaType === PLAIN_JSON ? '' : withContext}${start}${texts}${end}${searched}}`,
    }
  }
}

function viewOf({ self, links }: ViewLinks): string {
  let text = `{"@id":"${self}","@type":"PartialCollectionView"`
  for (const [name, address] of links) text += `,"${name}":"${address}"`
  return `${text}}`
}

export interface RepresentedPage {
  readonly etag: string
  /** The address of the context; absent if there is none. */
  readonly context?: string
  /** Headers that belong to the body. */
  readonly headers?: readonly string[]
  /** Whether accounts are included (`Include.hasAccounts`); absent if not. */
  readonly isWithAccounts?: boolean
  readonly body: string
}

/** The members of a page, and what is shown of them. */
export interface ShownPage extends ShownMembers {
  readonly page: Page
}
