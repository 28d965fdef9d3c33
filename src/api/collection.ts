import type { MemberReads, Page, Selection, StoredMember } from '../members/index.ts'
import { type CollectionClass, isAccount } from '../vocabulary/index.ts'
import { filtersOf, type Scope, scopeKey, within } from './access/scope.ts'
import { createCreation } from './creation.ts'
import { createEntryRepresentation } from './history/entries.ts'
import { asksForRemoved, createListRemoved } from './history/removed.ts'
import { type CsvPages, type CsvQuery, createCsvPages } from './output/csv/page.ts'
import {
  createFramePage,
  createRepresentPage,
  type FramePage,
  type PageDependencies,
  type RepresentedPage,
  type RepresentPage,
  type ShownPage,
} from './output/page.ts'
import { createPageCache } from './page-cache.ts'
import type { Fields } from './query/fields.ts'
import type { Include } from './query/include.ts'
import { createReadQuery, type ParsedQuery, type ReadQuery } from './query/query.ts'
import { restrict, stepClasses } from './query/restrict.ts'
import { createReaderFor } from './reader.ts'
import {
  COLLECTION_TYPES,
  CSV,
  type MediaType,
  maxBytes,
  mediaTypeFor,
  preferenceApplied,
  readPreferences,
} from './request.ts'
import { ifPermitted, writableResource } from './resource.ts'
import { withoutStoring } from './respond.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from './types.ts'

/** Reads queries and represents pages, for the part of the model that a set of roles may see. */
export interface Listing {
  readonly readQuery: ReadQuery
  readonly representPage: RepresentPage
  readonly framePage: FramePage
  readonly csv: CsvPages
  /** CSV in which formulas are escaped. */
  readonly spreadsheet: CsvPages
}

/** Created at the first request, since few collections are asked by every set of roles. */
export function createListing(dependencies: PageDependencies): () => Listing {
  let listing: Listing | undefined
  return () => {
    if (listing !== undefined) return listing
    const framePage = createFramePage(dependencies)
    listing = {
      readQuery: createReadQuery(dependencies),
      representPage: createRepresentPage(dependencies, framePage),
      framePage,
      csv: createCsvPages(dependencies, false),
      spreadsheet: createCsvPages(dependencies, true),
    }
    return listing
  }
}

export type CollectionDependencies = ClassDependencies & {
  readonly cls: CollectionClass
  readonly listing: () => Listing
}

/** `{base}/{collection}`: its members page by page, and the methods that add one. */
export function collection(dependencies: CollectionDependencies): Resource {
  const create = ifPermitted(dependencies, 'create', createCreation(dependencies))
  const writes = Object.fromEntries(dependencies.cls.methods.create.map((method) => [method, create]))
  return writableResource(
    ifPermitted(dependencies, 'list', listing(dependencies)),
    writes,
    dependencies,
    'new',
  )
}

/** Lists the existing members or, if asked and the class keeps a history, the deleted ones. */
function listing(dependencies: CollectionDependencies): Handler {
  const list = createList(dependencies)
  if (dependencies.cls.history === undefined) return list
  const listRemoved = createListRemoved(dependencies, createEntryRepresentation(dependencies))
  return (context) => (asksForRemoved(context.query) ? listRemoved(context) : list(context))
}

function createList(dependencies: CollectionDependencies): Handler {
  const { cls, access, respond, listing, readInclude, readFields, resolveIncludes } = dependencies
  const cache = createPageCache()
  const { primary, readerFor } = createReaderFor(dependencies)
  const areTied = access.views?.areTied === true
  const classesOfViews = access.classesOfViews

  return async ({ request, query, principal }) => {
    const mediaType = mediaTypeFor(request, COLLECTION_TYPES)
    const preferences = readPreferences(request)
    const { exactCount } = preferences
    const reader = readerFor(request, preferences)
    const spreadsheet = preferences.spreadsheet && mediaType === CSV
    const scope = access.listedScope(principal)
    const user = areTied ? principal?.number : scopeKey(scope, principal)
    const key = `${reader.server} ${user} ${mediaType} ${exactCount} ${spreadsheet} ${query ?? ''}`
    const known = await cache.find(key, reader)
    const { body, isWithAccounts, ...represented } = known.page ?? (await represent())
    const isVariable = isAccount(cls) || isWithAccounts === true
    const shown = { mediaType, ...represented, isVariable, body: () => body }
    const read = await respond.read(request, shown)
    const response = isWithAccounts ? withoutStoring(read) : read
    if (!exactCount && !spreadsheet) return response
    const applied = [...(exactCount ? ['count=exact'] : []), ...(spreadsheet ? ['spreadsheet'] : [])]
    return { ...response, headers: [...response.headers, ...preferenceApplied(...applied)] }

    async function represent(): Promise<RepresentedPage> {
      const pages = listing()
      const asked = readAsked(pages, query, { mediaType, exactCount })
      const { parsed, include, fields } = asked
      const { classes, isOwn, isWithAccounts, isKept } = traitsOf(asked, scope)
      const state = isKept ? await cache.stateFor(key, reader, classes, known) : undefined
      const selection = selectionFor(parsed, { mediaType, scope, principal })
      const from = { reader: isOwn ? primary : reader, principal }
      const csv = spreadsheet ? pages.spreadsheet : pages.csv
      const represented =
        mediaType === CSV
          ? await representCsv(csv, selection, { parsed, query, fields }, from)
          : pages.representPage(
              await readPage(selection, { include, fields }, from),
              parsed,
              query,
              mediaType,
            )
      if (isKept && !reader.hasFailed) cache.add(key, { ...represented, classes, state })
      return isWithAccounts ? { ...represented, isWithAccounts } : represented
    }
  }

  function readAsked(
    pages: Listing,
    query: string | undefined,
    { mediaType, exactCount }: { readonly mediaType: MediaType; readonly exactCount: boolean },
  ): AskedPage {
    const parsed = pages.readQuery(query, exactCount ? 'exact' : 'bounded')
    const include = parsed.include && readInclude(parsed.include)
    const fields = parsed.fields && readFields(parsed.fields, include)
    // In CSV links stay addresses.
    return { parsed, include: mediaType === CSV ? undefined : include, fields }
  }

  function traitsOf({ parsed, include }: AskedPage, scope: Scope): PageTraits {
    const steps = [...parsed.steps, ...(include?.steps ?? [])]
    const followed = stepClasses({ filters: filtersOf(scope), order: [] })
    const beyond = [...steps, ...followed].map(({ className }) => className)
    const isOwn = steps.some((step) => access.isTiedBeyond(step))
    const isWithAccounts = include?.hasAccounts === true
    return {
      classes: [...new Set([cls.name, ...beyond, ...classesOfViews])],
      ...{ isOwn, isWithAccounts },
      isKept: parsed.isCheap && !isOwn && !isWithAccounts,
    }
  }

  /** Every step of the query is limited to what the user may read. */
  function selectionFor(parsed: ParsedQuery, { mediaType, scope, principal }: PageRequest): Selection {
    const readable = restrict(parsed.selection, (step) => filtersOf(access.scopeBeyond(step, principal)))
    const { place } = access
    return { ...limited(readable, mediaType, scope), ...(place && { place }) }
  }

  async function readPage(
    selection: Selection,
    asked: Omit<AskedPage, 'parsed'>,
    from: ReadFrom,
  ): Promise<ShownPage> {
    const { include, fields } = asked
    const page = await from.reader.list(cls.name, selection)
    const user = from.principal
    const views = areTied ? await access.viewsOf(cls.name, page.members, user) : undefined
    if (include === undefined) return { page, fields, views }
    const walked = asWalked(page, selection)
    const maxBytes = selection.byteBudget.bytes
    const includes = await resolveIncludes(walked, { include, fields, views, user, maxBytes })
    const limit = includes.fitting
    if (limit < walked.length) return readPage({ ...selection, limit }, asked, from)
    return { page, includes, fields, views }
  }

  async function representCsv(
    pages: CsvPages,
    selection: Selection,
    asked: CsvQuery,
    from: ReadFrom,
  ): Promise<RepresentedPage> {
    const page = await from.reader.list(cls.name, selection)
    const user = from.principal
    const views = areTied ? await access.viewsOf(cls.name, page.members, user) : undefined
    const walked = asWalked(page, selection)
    const { table, rows } = await pages.read(walked, {
      ...{ fields: asked.fields, views, maxBytes: selection.byteBudget.bytes },
    })
    const limit = rows.length
    if (limit < walked.length) return representCsv(pages, { ...selection, limit }, asked, from)
    const inOrder = isBackwards(selection) ? rows.toReversed() : rows
    return pages.represent({ page, views, table, rows: inOrder }, asked)
  }
}

/** What a query asks for. */
interface AskedPage {
  readonly parsed: ParsedQuery
  readonly include: Include | undefined
  readonly fields: Fields | undefined
}

/** What a page depends on, which decides whether it may be cached. */
interface PageTraits {
  /** The classes whose members the page shows, or that decide what it shows. */
  readonly classes: readonly string[]
  /** Whether it depends on members that only some users may read: such a page is for one user. */
  readonly isOwn: boolean
  /** Whether it includes accounts: they show tokens, which end without a write. */
  readonly isWithAccounts: boolean
  readonly isKept: boolean
}

/** Who asks for a page, and in which media type. */
interface PageRequest extends Pick<RequestContext, 'principal'> {
  readonly mediaType: MediaType
  /** The members that the user may list. */
  readonly scope: Scope
}

/** The principal of the request, and the reader of the members. */
interface ReadFrom extends Pick<RequestContext, 'principal'> {
  readonly reader: MemberReads
}

const isBackwards = ({ start }: Selection): boolean => start.at === 'before'

/** If a page is read backwards, it is the first members that do not fit. */
const asWalked = ({ members }: Page, selection: Selection): readonly StoredMember[] =>
  isBackwards(selection) ? members.toReversed() : members

/** Limits a selection to members that the user may list, and to the size that this media type allows. */
function limited(selection: Selection, mediaType: MediaType, scope: Scope): Selection {
  const { byteBudget } = selection
  const bytes = maxBytes(byteBudget.bytes, mediaType)
  const sized =
    bytes === byteBudget.bytes ? selection : { ...selection, byteBudget: { ...byteBudget, bytes } }
  return within(sized, scope)
}
