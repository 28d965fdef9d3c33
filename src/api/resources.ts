import type { Routes } from '../http/index.ts'
import { createNumberCiphers, createTextCipher, type NumberCipher, type TextCipher } from '../seal.ts'
import {
  type Class,
  hasCollection,
  type Model,
  pathOf,
  permittedModel,
  REMOVAL,
  removalTargets,
  storedClasses,
} from '../vocabulary/index.ts'
import { createAccess } from './access.ts'
import { batch } from './batch/batch.ts'
import { createTurns, type Work } from './batch/turns.ts'
import { collection, createListing, type Listing } from './collection.ts'
import { contexts } from './contexts.ts'
import { customOperation } from './custom-operation.ts'
import { documentation } from './documentation.ts'
import { representEntryPoint } from './entry-point.ts'
import { events } from './feed/events.ts'
import { createFeed } from './feed/feed.ts'
import { createEventIds } from './feed/ids.ts'
import { createExpandBody } from './input/expansion.ts'
import type { ExpandBody } from './input/expansion-thread.ts'
import { createInput } from './input/input.ts'
import { member, single } from './member.ts'
import { createNestedPathHint } from './nested-path.ts'
import { createOpenApi } from './openapi/document.ts'
import { createResolveIncludes } from './output/include.ts'
import { createReadIncludedPage } from './output/included-page.ts'
import {
  createMemberControls,
  createMemberRepresentation,
  type MemberRepresentation,
} from './output/member.ts'
import { createReadFields } from './query/fields.ts'
import { createReadInclude } from './query/include.ts'
import { removalPreview } from './removal/preview.ts'
import { createRemovals } from './removal/removals.ts'
import { createRemovalRules, type RemovalRules } from './removal/rules.ts'
import { OPENAPI_JSON, PLAIN_JSON } from './request.ts'
import { resource, withMethodsOf } from './resource.ts'
import type { Respond } from './respond.ts'
import { session } from './session.ts'
import { summaries } from './summaries/summaries.ts'
import type { ClassDependencies, Resource, ResourceDependencies } from './types.ts'

/** Everything that has an address (hypermedia.md, Resources), as users with these roles see it. */
export function createResources(
  dependencies: ResourceDependencies,
  respond: Respond,
): (userRoles: readonly string[]) => Routes<Resource> {
  const { model, batchLimits, secret } = dependencies
  const expandBody = createExpandBody()
  const shared: SharedByRoles = {
    sealOf: createNumberCiphers(secret),
    expandBody,
    sealCursor: createTextCipher(secret, 'cursors'),
    classesFor: createClassesFor(model, (cls) => shareClass(cls, dependencies, expandBody)),
    serveFeed: createServeFeed(dependencies, respond),
    workOf: createTurns(batchLimits),
    rules: createRemovalRules(model),
  }
  return (userRoles) => createRoutes(userRoles, dependencies, respond, shared)
}

/** Dependencies that all sets of roles share. */
interface SharedByRoles {
  /** The cipher of numbers for a purpose. */
  readonly sealOf: (purpose: string) => NumberCipher
  readonly sealCursor: TextCipher
  readonly expandBody: ExpandBody
  readonly classesFor: (permitted: Model) => readonly SharedClass[]
  readonly serveFeed: ServeFeed
  readonly workOf: (user: string) => Work
  readonly rules: RemovalRules
}

interface SharedClass extends Pick<ClassDependencies, 'cls' | 'input' | 'hooks'> {
  readonly representation: MemberRepresentation
}

/** Classes are shared by all sets of roles, except for those whose links from the other side some users may not see. */
function createClassesFor(
  model: Model,
  share: (cls: Class) => SharedClass,
): (permitted: Model) => readonly SharedClass[] {
  const shared = storedClasses(model).map(share)
  return (permitted) => {
    const byName = new Map(permitted.classes.map((cls) => [cls.name, cls]))
    return shared.map((one) => {
      const reverseLinks = byName.get(one.cls.name)?.reverseLinks ?? []
      if (reverseLinks.length === one.cls.reverseLinks.length) return one
      return share({ ...one.cls, reverseLinks })
    })
  }
}

function shareClass(cls: Class, { base, hooks }: ResourceDependencies, expandBody: ExpandBody): SharedClass {
  const representation = createMemberRepresentation(cls, base)
  return {
    cls,
    representation,
    input: createInput(cls, base, expandBody),
    hooks: hooks?.of(cls, representation.within),
  }
}

/** The routes of users with these roles. */
function createRoutes(
  userRoles: readonly string[],
  dependencies: ResourceDependencies,
  respond: Respond,
  shared: SharedByRoles,
): Routes<Resource> {
  const { base, model, store, clock, mode, pageSizes, secret, hooks, batchLimits, onFault } = dependencies
  const hasSession = mode === 'token'
  const permitted = permittedModel(model, userRoles)
  const sharedClasses = shared.classesFor(permitted)
  const seal = shared.sealCursor
  const listings = new Map(
    sharedClasses.flatMap(({ cls, representation }) => {
      if (!hasCollection(cls)) return []
      const own = { cls, model: permitted, base, pageSizes, secret, representation, seal }
      return [[cls.name, createListing(own)] as const]
    }),
  )
  const classes = createClasses(userRoles, permitted, dependencies, respond, {
    ...{ ...shared, sharedClasses, listings },
  })
  const openApi = () => createOpenApi(permitted, base, { mode, pageSizes, model })

  const root = resource({ GET: respond.fixed(() => representEntryPoint(permitted, base, hasSession)) })
  const topLevel = new Map([
    ['vocab', documentation(permitted, base, mode, respond)],
    ['openapi', resource({ GET: respond.fixed(openApi, [OPENAPI_JSON, PLAIN_JSON]) })],
    ['events', shared.serveFeed(userRoles, permitted, classes)],
  ])
  if (hasSession) topLevel.set('session', session({ base, tokens: store.auth, clock, respond }))
  const members = new Map([
    ['contexts', contexts(permitted, base, respond, classes)],
    ['summaries', summaries({ permitted, classes })],
  ])
  const operations = new Map<string, Resource>()
  const previewed = removalTargets(permitted)
  for (const { cls } of sharedClasses) {
    const own = classes.get(cls.name) as ClassDependencies
    const listing = listings.get(cls.name)
    if (hasCollection(cls) && listing !== undefined) {
      topLevel.set(cls.collection, collection({ ...own, cls, listing }))
      members.set(cls.collection, member(own))
      if (previewed.has(cls.name)) operations.set(`${cls.collection}/${REMOVAL}`, removalPreview(own))
    } else topLevel.set(cls.name, single(own))
    if (hooks === undefined) continue
    for (const one of cls.customOperations ?? []) {
      const [path, custom] = [
        `${pathOf(cls)}/${one.name}`,
        customOperation(one, { ...own, program: hooks, classes }),
      ]
      operations.set(path, withMethodsOf(operations.get(path), custom))
    }
  }
  const hint = createNestedPathHint(permitted, new URL(base).pathname.replace(/\/$/, ''))
  const routes = { root, topLevel, members, operations, hint }
  const { workOf } = shared
  topLevel.set('batch', batch({ base, model, store, batchLimits, onFault, respond, routes, workOf }))
  return routes
}

/** The dependencies of the resources of each class, by the name of the class. */
function createClasses(
  userRoles: readonly string[],
  permitted: Model,
  { base, model, store, clock, pageSizes, requireIfMatch, secret, batchLimits }: ResourceDependencies,
  respond: Respond,
  {
    sealOf,
    expandBody,
    sharedClasses,
    listings,
    rules,
    workOf,
  }: SharedByRoles & {
    readonly sharedClasses: readonly SharedClass[]
    /** By the names of classes. */
    readonly listings: ReadonlyMap<string, () => Listing>
  },
): ReadonlyMap<string, ClassDependencies> {
  const accessTo = createAccess(model, userRoles, sealOf)
  const { members } = store
  const representations = new Map(sharedClasses.map(({ cls, representation }) => [cls.name, representation]))
  const byName = new Map<string, ClassDependencies>()
  const removals = createRemovals({ rules, members, classes: byName, batchLimits, workOf })
  for (const { cls, representation, input, hooks } of sharedClasses) {
    const access = accessTo(cls)
    byName.set(cls.name, {
      ...{ base, model, pageSizes, requireIfMatch, removals },
      ...{ cls, access, representation, input, expandBody, hooks, respond },
      store: members,
      now: clock.now,
      controlsFor: createMemberControls(cls, base, { access, representation }),
      readInclude: createReadInclude(cls, permitted, base, secret),
      readFields: createReadFields(cls, permitted),
      resolveIncludes: createResolveIncludes({
        ...{ base, cls, access, store: members, representations },
        readIncludedPage: createReadIncludedPage({ base, access, store: members, listings }),
      }),
    })
  }
  return byName
}

/** `{base}/events` for users with these roles. */
type ServeFeed = (
  userRoles: readonly string[],
  permitted: Model,
  classes: ReadonlyMap<string, ClassDependencies>,
) => Resource

/** One feed serves the streams of all users. */
function createServeFeed(dependencies: ResourceDependencies, respond: Respond): ServeFeed {
  const { base, store, clock, secret, epoch, streams, replaced, tokenTtlMs, pageSizes } = dependencies
  const feed = createFeed({ store, clock, streams, ...(replaced && { replaced }) })
  const ids = createEventIds({ base, secret, changes: store.changes }, epoch)
  return (userRoles, model, views) =>
    events({
      base,
      model,
      userRoles,
      views,
      ids,
      feed,
      store,
      clock,
      tokenTtlMs,
      pageSizes,
      respond,
    })
}
