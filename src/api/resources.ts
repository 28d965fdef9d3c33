import type { Routes } from '../http/index.ts'
import { createNumberCiphers, createTextCipher, type TextCipher } from '../seal.ts'
import {
  ACCOUNT,
  HISTORY,
  hasCollection,
  isAccount,
  linksToAccounts,
  type Model,
  ofFile,
  pathOf,
  permittedModel,
  previewedClasses,
  queriedModel,
  REMOVAL,
  RESTORE,
} from '../vocabulary/index.ts'
import { type ClassesFor, createClassesFor, type UserRoleSet } from './access/shared-classes.ts'
import { account } from './accounts/account.ts'
import { accountCollection } from './accounts/accounts.ts'
import { createShowActor } from './accounts/actors.ts'
import { accountTokens, ownParaphrase } from './accounts/own.ts'
import { batch } from './batch/batch.ts'
import { createTurns } from './batch/turns.ts'
import { createClasses, type SharedByClasses } from './class-dependencies.ts'
import { collection, createListing, type Listing } from './collection.ts'
import { contexts } from './contexts.ts'
import { documentation } from './documentation.ts'
import { representEntryPoint } from './entry-point.ts'
import { events } from './feed/events.ts'
import { createFeed } from './feed/feed.ts'
import { createEventIds } from './feed/ids.ts'
import { createNamedAt } from './feed/named-at.ts'
import { createSights } from './feed/sights.ts'
import { createEntryRepresentation } from './history/entries.ts'
import { historyEntry } from './history/entry.ts'
import { withHistory } from './history/gone.ts'
import { history } from './history/history.ts'
import { historyRestore } from './history/restore.ts'
import { createExpandBody } from './input/expansion.ts'
import { type MemberResource, member, single } from './member.ts'
import { createNestedPathHint } from './nested-path.ts'
import { createOpenApi } from './openapi/document.ts'
import { type CustomOperationDependencies, customOperation } from './program/custom-operation.ts'
import { removalPreview } from './removal/preview.ts'
import { createRemovalRules } from './removal/rules.ts'
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
): (userRoles: UserRoleSet) => Routes<Resource> {
  const { model, batchLimits, secret } = dependencies
  const expandBody = createExpandBody()
  const shared: SharedByRoles = {
    sealOf: createNumberCiphers(secret),
    expandBody,
    sealCursor: createTextCipher(secret, 'cursors'),
    classesFor: createClassesFor(model, dependencies, expandBody),
    serveFeed: createServeFeed(dependencies, respond),
    workOf: createTurns(batchLimits),
    rules: createRemovalRules(model),
  }
  return (userRoles) => createRoutes(userRoles, dependencies, respond, shared)
}

/** Dependencies that all sets of roles share. */
interface SharedByRoles extends SharedByClasses {
  readonly sealCursor: TextCipher
  readonly classesFor: ClassesFor
  readonly serveFeed: ServeFeed
}

/** The routes of users with these roles. */
function createRoutes(
  userRoles: UserRoleSet,
  dependencies: ResourceDependencies,
  respond: Respond,
  shared: SharedByRoles,
): Routes<Resource> {
  const { base, model, store, clock, pageSizes, secret, hooks, batchLimits, onFault, accounts } = dependencies
  const mode = userRoles === undefined ? 'anyone' : dependencies.mode
  const permitted = permittedModel(model, userRoles)
  const queried = queriedModel(permitted, userRoles)
  const sharedClasses = shared.classesFor(permitted, userRoles)
  const seal = shared.sealCursor
  const listings = new Map(
    sharedClasses.flatMap(({ cls, representation }) => {
      if (!hasCollection(cls)) return []
      const own = { cls, model: queried, base, pageSizes, secret, representation, seal }
      return [[cls.name, createListing(own)] as const]
    }),
  )
  const classes = createClasses(userRoles, permitted, dependencies, respond, {
    ...{ ...shared, sharedClasses, listings },
  })
  const openApi = () => createOpenApi(permitted, base, { mode, pageSizes, model, queried })

  const root = resource({ GET: respond.fixed(() => representEntryPoint(permitted, base, mode)) })
  const topLevel = new Map([
    ['vocab', documentation(permitted, base, { mode, queried }, respond)],
    ['openapi', resource({ GET: respond.fixed(openApi, [OPENAPI_JSON, PLAIN_JSON]) })],
  ])
  if (userRoles !== undefined)
    topLevel.set('events', shared.serveFeed(userRoles, ofFile(permitted), withoutAccount(classes)))
  if (mode === 'token') topLevel.set('session', session({ base, tokens: store.auth, clock, respond }))
  const members = new Map([
    ['contexts', contexts(permitted, { base, mode }, respond, classes)],
    ['summaries', summaries({ permitted: queried, classes })],
  ])
  const operations = new Map<string, Resource>()
  const previewed = previewedClasses(permitted)
  for (const { cls } of sharedClasses) {
    const own = classes.get(cls.name) as ClassDependencies
    addClass(own, { topLevel, members, operations }, { listing: listings.get(cls.name), accounts })
    if (hasCollection(cls) && previewed.has(cls.name))
      operations.set(`${cls.collection}/${REMOVAL}`, removalPreview(own))
    if (hooks !== undefined) addCustomOperations({ ...own, program: hooks, classes }, operations)
  }
  const hint = createNestedPathHint(permitted, queried, new URL(base).pathname.replace(/\/$/, ''))
  const routes = { root, topLevel, members, operations, hint }
  const { workOf } = shared
  const inStep = model.classes.some(linksToAccounts) ? accounts?.mirror : undefined
  if (userRoles !== undefined)
    topLevel.set(
      'batch',
      batch({ base, model, store, batchLimits, onFault, respond, routes, workOf, inStep }),
    )
  return routes
}

type ResourcesByPath = Map<string, Resource>

interface AddedRoutes {
  readonly topLevel: ResourcesByPath
  readonly members: ResourcesByPath
  readonly operations: ResourcesByPath
}

/** Adds the collection of a class and its members, or its single resource. */
function addClass(
  own: ClassDependencies,
  { topLevel, members, operations }: AddedRoutes,
  {
    listing,
    accounts,
  }: Pick<ResourceDependencies, 'accounts'> & { readonly listing: (() => Listing) | undefined },
): void {
  const { cls } = own
  if (!hasCollection(cls) || listing === undefined) {
    topLevel.set(cls.name, remembering(single, own, operations))
  } else if (isAccount(cls) && accounts !== undefined) {
    topLevel.set(cls.collection, accountCollection({ ...own, cls, listing }, accounts))
    members.set(cls.collection, account(own, accounts))
    operations.set(`${cls.collection}/paraphrase`, ownParaphrase(own, accounts))
    operations.set(`${cls.collection}/tokens`, accountTokens(own, accounts))
  } else {
    topLevel.set(cls.collection, collection({ ...own, cls, listing }))
    members.set(cls.collection, remembering(member, own, operations))
  }
}

/** A custom operation may have the same path as a resource, with other methods. */
function addCustomOperations(dependencies: CustomOperationDependencies, operations: ResourcesByPath): void {
  const { cls } = dependencies
  for (const operation of cls.customOperations ?? []) {
    const path = `${pathOf(cls)}/${operation.name}`
    operations.set(path, withMethodsOf(operations.get(path), customOperation(operation, dependencies)))
  }
}

/** The resource of a member, with its history below it where the class keeps one (history.md). */
function remembering(
  create: (own: ClassDependencies) => MemberResource,
  own: ClassDependencies,
  operations: Map<string, Resource>,
): Resource {
  const { cls } = own
  if (cls.history === undefined) return create(own).resource
  const varying = { ...own, respond: own.respond.varyingBy('Accept-Datetime') }
  const { resource: member, restore } = create(varying)
  const path = `${pathOf(cls)}/${HISTORY}`
  const entries = createEntryRepresentation(own)
  operations.set(path, history(own, entries))
  operations.set(`${path}/*`, historyEntry(own, entries))
  operations.set(`${path}/*/${RESTORE}`, historyRestore(own, restore))
  return withHistory(member, varying, entries)
}

/** Accounts are not in the feed (people.md, Accounts). */
const withoutAccount = <T>(classes: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...classes].filter(([name]) => name !== ACCOUNT))

/** `{base}/events` for users with these roles. */
type ServeFeed = (
  userRoles: readonly string[],
  permitted: Model,
  classes: ReadonlyMap<string, ClassDependencies>,
) => Resource

/** One feed serves the streams of all users. */
function createServeFeed(dependencies: ResourceDependencies, respond: Respond): ServeFeed {
  const { base, store, clock, secret, epoch, streams, replaced, tokenTtlMs, pageSizes, accounts } =
    dependencies
  const sights = createSights(dependencies.model, createNamedAt(store))
  const feed = dependencies.feed ?? createFeed({ store, clock, streams, ...(replaced && { replaced }) })
  const ids = createEventIds({ base, secret, changes: store.changes }, epoch)
  return (userRoles, model, views) =>
    events({
      base,
      model,
      userRoles,
      views,
      ids,
      sights,
      showActor: createShowActor(dependencies.model, base, accounts, userRoles),
      feed,
      store,
      clock,
      tokenTtlMs,
      pageSizes,
      respond,
    })
}
