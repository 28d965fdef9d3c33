import type { Clock, GateMode } from '../auth/index.ts'
import { notFound } from '../errors.ts'
import type { Routes } from '../http/index.ts'
import type { Store } from '../store/index.ts'
import { suggestion } from '../text.ts'
import {
  batchContext,
  type Class,
  classIri,
  collectionContext,
  createDocumentation,
  documentationContext,
  entryPointContext,
  entryPointPaths,
  errorContext,
  eventsContext,
  filteredLinks,
  hasCollection,
  hasFilters,
  hasWrites,
  type Model,
  memberContext,
  offeredOperations,
  pathOf,
  pathTo,
  permittedModel,
  sessionContext,
  storedClasses,
} from '../vocabulary/index.ts'
import { createAccess } from './access.ts'
import { type BatchLimits, batch } from './batch/batch.ts'
import { collection, createListing } from './collection.ts'
import type { ClassView } from './feed/event.ts'
import { events } from './feed/events.ts'
import { createFeed, type StreamLimits } from './feed/feed.ts'
import { createEventIds } from './feed/ids.ts'
import type { Hooks } from './hooks.ts'
import { createInput } from './input/input.ts'
import { ID } from './input/value.ts'
import { member, single } from './member.ts'
import { createOpenApi } from './openapi/document.ts'
import { createShowIncluded } from './output/include.ts'
import { createMemberRepresentation, createOffers } from './output/member.ts'
import { ownOperation } from './own-operation.ts'
import { createReadInclude, type ReadInclude } from './query/include.ts'
import { readIncluded } from './query/parameters.ts'
import type { PageSizes } from './query/query.ts'
import { type Handler, type Resource, resource } from './resource.ts'
import type { Respond } from './respond.ts'
import { session } from './session.ts'

export interface ResourceParts {
  readonly base: string
  readonly model: Model
  readonly store: Store
  readonly clock: Clock
  readonly mode: GateMode
  readonly pageSizes: PageSizes
  readonly batchLimits: BatchLimits
  readonly requireIfMatch: boolean
  /** Of the deployment: seals what clients are to take as it is. */
  readonly secret: Buffer
  /** See ChangeLog. */
  readonly epoch: string
  /** How long a stream lasts where no token ends it. */
  readonly tokenTtlMs: number
  readonly streams: StreamLimits
  /** See FeedParts. */
  readonly replaced?: AbortSignal
  /** Of what is served to clients that accept it. */
  readonly compression: boolean
  /** Code of a program around the writes; absent where there is none. */
  readonly hooks?: Hooks | undefined
}

/** Everything that has an address (hypermedia.md, Resources), as users with these roles see it. */
export function createResources(
  parts: ResourceParts,
  respond: Respond,
): (held: readonly string[]) => Routes<Resource> {
  const { base, model, store, clock, mode, secret } = parts
  const hasSession = mode === 'token'
  const fixed = (document: object) => resource({ GET: respond.fixed(document) })
  const classes = storedClasses(model).map((cls) => createClassParts(cls, parts))
  const representations = new Map(classes.map(({ cls, representation }) => [cls.name, representation]))
  const feed = createFeed(parts)
  const ids = createEventIds({ ...parts, changes: store.changes }, parts.epoch)

  return (held) => {
    const permitted = permittedModel(model, held)
    const accessTo = createAccess(model, held, secret)
    const readers = new Map(classes.map(({ cls }) => [cls.name, createReadInclude(cls, permitted, parts)]))
    const root = fixed(representEntryPoint(permitted, base, hasSession))
    const first = new Map([['vocab', fixed(createDocumentation(permitted, base, { session: hasSession }))]])
    const second = new Map([['contexts', contexts(permitted, base, respond, readers)]])
    const openApi = () => createOpenApi(permitted, base, parts)
    first.set('openapi', resource({ GET: respond.openApi(openApi) }))
    if (hasSession) first.set('session', session({ base, store: store.auth, clock, respond }))

    const third = new Map<string, Resource>()
    const views = new Map<string, ClassView>()
    first.set('events', events({ ...parts, model: permitted, views, ids, feed, respond }))

    for (const { cls, listing, ...made } of classes) {
      const access = accessTo(cls)
      const offers = createOffers(cls, base, { access, ...made })
      views.set(cls.name, { cls, access, offers, ...made })
      const shared = {
        ...parts,
        ...made,
        access,
        offers,
        store: store.members,
        readInclude: readers.get(cls.name) as ReadInclude,
        showIncluded: createShowIncluded({ base, cls, access, store: store.members, representations }),
        respond,
        now: clock.now,
      }
      if (hasCollection(cls) && listing !== undefined) {
        first.set(cls.collection, collection({ ...shared, cls, listing }))
        second.set(cls.collection, member({ ...shared, cls }))
      } else {
        first.set(cls.name, single({ ...shared, cls }))
      }
      for (const operation of parts.hooks === undefined ? [] : (cls.ownOperations ?? [])) {
        const made = { ...shared, cls, program: parts.hooks as Hooks, views }
        third.set(`${pathOf(cls)}/${operation.name}`, ownOperation(operation, made))
      }
    }
    const instead = createInstead(permitted, new URL(base).pathname.replace(/\/$/, ''))
    const routes = { root, first, second, third, instead }
    first.set('batch', batch({ ...parts, respond, routes }))
    return routes
  }
}

/** What is the same for every set of roles. */
function createClassParts(cls: Class, parts: ResourceParts) {
  const { base, hooks } = parts
  const representation = createMemberRepresentation(cls, base)
  const listing = hasCollection(cls) ? createListing({ ...parts, cls, representation }) : undefined
  return {
    cls,
    input: createInput(cls, base),
    representation,
    listing,
    hooks: hooks?.of(cls, representation.within),
  }
}

/** `{base}` and `{base}/`: where every client begins. */
const representEntryPoint = (model: Model, base: string, hasSession: boolean): object => ({
  '@context': entryPointContext(model, base),
  '@id': `${base}/`,
  '@type': ['EntryPoint', 'hydra:Resource'],
  ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
  ...(hasSession && { session: `${base}/session` }),
  ...(hasWrites(model) && { batch: `${base}/batch` }),
  events: `${base}/events`,
  openapi: `${base}/openapi`,
  collection: model.classes.filter(hasCollection).map((cls) => ({
    '@id': base + pathTo(cls.collection),
    '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
    memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
  })),
})

/** `/customers/c1/orders`, as other APIs have it, is a filter here where a property links so. */
function createInstead({ classes }: Model, mount: string): NonNullable<Routes<Resource>['instead']> {
  const collections = new Map(classes.filter(hasCollection).map((cls) => [cls.collection, cls]))
  return (collection, rest) => {
    const [id = '', name = '', ...more] = rest.slice(0, LONGEST_REST).split('/')
    const cls = collections.get(collection)
    if (cls === undefined || !ID.test(id) || more.join('') !== '') return undefined
    const address = `${mount}${pathTo(collection)}/${id}`
    if (cls.properties.some((property) => property.name === name))
      return `There is nothing at this path; ${name} is a part of the member at ${address}.`
    const listed = collections.get(name)
    if (listed === undefined || !listed.operations.has('list')) {
      const own = offeredOperations(cls).map((operation) => operation.name)
      return own.length > 0 ? `There is nothing at this path; ${suggestion(name, own)}` : undefined
    }
    const filters = [...listed.properties.filter(hasFilters), ...filteredLinks(listed)]
      .filter(({ range }) => range.kind === 'link' && range.className === cls.name)
      .map((property) => `${mount}${pathTo(name)}?${property.name}=${address}`)
    if (filters.length === 0) return undefined
    return `There is nothing at this path; ask for ${filters.slice(0, 5).join(' or ')}.`
  }
}

/** Two names and an id fit into it. */
const LONGEST_REST = 500

/**
 * `{base}/contexts/{name}`: the contexts that are inline in every representation, each at an address of its own; with the
 * query of what is included.
 */
function contexts(
  model: Model,
  base: string,
  respond: Respond,
  readers: ReadonlyMap<string, ReadInclude>,
): Resource {
  const all: [string, object][] = [
    ['EntryPoint', entryPointContext(model, base)],
    ['ApiDocumentation', documentationContext(base)],
    ['Session', sessionContext(base)],
    ['events', eventsContext(model, base)],
    ['ConstraintViolationList', errorContext(base)],
    ['OperationBatch', batchContext(base)],
    ...model.classes.map((cls): [string, object] => [cls.name, memberContext(cls, base)]),
    ...model.classes
      .filter(hasCollection)
      .map((cls): [string, object] => [`${cls.name}Collection`, collectionContext(cls, base)]),
  ]
  const handlers = new Map<string, Handler>(
    all.map(([name, context]) => [name, respond.fixed({ '@context': context })]),
  )
  return resource({
    GET: (visit) => {
      const read = handlers.get(visit.id)
      const included = read === undefined ? [] : readIncluded(visit.query)
      if (included.length > 0) {
        const [, name = ''] = /^(.*)Collection$/.exec(visit.id) ?? []
        const text = readers.get(visit.id)?.(included)?.context ?? readers.get(name)?.(included)?.pageContext
        if (text) return respond.fixed({ '@context': JSON.parse(text) })(visit)
      }
      if (read !== undefined) return read(visit)
      throw notFound(`There is no such context; there is ${[...handlers.keys()].join(', ')}.`)
    },
  })
}
