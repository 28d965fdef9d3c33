import type { Page } from '../../members/index.ts'
import { collectionContext, contextAddress, pathTo } from '../../vocabulary/index.ts'
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

/** Pages of a collection. Text that is the same for all of them is computed at start. */
export function createRepresentPage(dependencies: PageDependencies): RepresentPage {
  const { cls, model, base, representation, pageSizes, secret } = dependencies
  const address = base + pathTo(cls.collection)
  const context = contextAddress(`${cls.name}Collection`, base)
  const assertions = createMemberAssertions(cls, base)
  const about = `"@type":["Collection","${cls.name}Collection"],"memberAssertion":`
  const inline = `"@context":${JSON.stringify(collectionContext(cls, base))},`
  const search = JSON.stringify(representSearch(cls, model, base))
  const summary = JSON.stringify(representSummaryTemplate(cls, base))
  // These digests cover everything on a page except its members. They include the secret, so that versions cannot be
  // guessed from an ETag.
  const key = secret.toString('base64url')
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(
      ...[address, about, inline, assertions.own, search, summary, String(pageSizes.standard), key],
      representation.etag({ version: 0 }, mediaType),
    ),
  )
  const viewLinks = createViewLinks(address, pageSizes.standard)

  return ({ page, ...shown }, parsed, query, mediaType) => {
    const { includes } = shown
    const { members, total, more } = page
    let texts = ''
    // A version identifies one state of one member of the class.
    let versions = includes === undefined ? '' : `${includes.state} `
    for (const member of members) {
      texts += (texts === '' ? '' : ',') + representation.within(member, partsOf(member, shown))
      versions += `${member.version},`
    }
    const rest = `${total} ${more}`
    const withContext = includes === undefined ? inline : `"@context":${includes.include.pageContext},`
    // With filters the collection is another one: its total is not that of the whole.
    const id = parsed.filterQuery === '' ? address : `${address}?${parsed.filterQuery}`
    const start = `{${mediaType === PLAIN_JSON ? '' : withContext}"@id":"${id}",${about}${assertions.of(parsed)}`
    const counted = total === undefined ? '' : `,"totalItems":${total}`
    // The templates are larger than many pages, and their address alone would stop clients that read RDF (hypermedia.md,
    // Collection).
    const searched = query || mediaType === PLAIN_JSON ? '' : `,"search":${search},"summary":${summary}`
    return {
      etag: `"${fingerprint(versions, rest, query ?? '', fingerprints[mediaType])}"`,
      context: includes === undefined ? context : `${context}?${includes.include.query}`,
      body: `${start}${counted},"member":[${texts}],"view":${viewOf(viewLinks(parsed, page, query))}${searched}}`,
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
  readonly body: string
}

/** The members of a page, and what is shown of them. */
export interface ShownPage extends ShownMembers {
  readonly page: Page
}
