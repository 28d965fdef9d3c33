import { ID, isAccount } from '../vocabulary/index.ts'
import { findMember } from './find-member.ts'
import { memberLinks } from './history/memento.ts'
import { type MemberKind, MemberWrites, type RestoreMember } from './member-writes.ts'
import { apiProblem } from './problems/index.ts'
import { readValues } from './query/parameters.ts'
import { createReaderFor } from './reader.ts'
import { maxBytes, mediaTypeFor, readPreferences } from './request.ts'
import { ifPermitted, writableResource } from './resource.ts'
import { withoutStoring } from './respond.ts'
import type { ClassDependencies, Forbidden, RequestContext, Resource, WriteOperation } from './types.ts'
import { missingFrom } from './write-errors.ts'

/** A member, and how it is brought back (history.md). */
export interface MemberResource {
  readonly resource: Resource
  readonly restore: RestoreMember
}

/** `{base}/{collection}/{id}` */
export function member(dependencies: ClassDependencies): MemberResource {
  const { cls, access } = dependencies
  const { operations, methods, collection } = cls
  const { rights } = access
  const mayCreate = operations.has('create') && rights.create !== 'none'
  const missing = (id: string) => missingFrom(cls, id)

  return createMemberResource(dependencies, {
    replacing: operations.has('replace') ? methods.replace : [],
    has: (operation) => operations.has(operation),
    // `isNew`: a request with If-None-Match: * cannot replace anything.
    operationFor: (_, isNew) => (isNew && operations.has('create') ? 'create' : 'replace'),
    missing,
    idOfNew({ id, preconditions }) {
      if (preconditions.noneMatch !== 'any') throw missingFrom(cls, id, mayCreate)
      if (!operations.has('create')) throw apiProblem('NotCreatable', { collection: collection ?? '' })
      if (!ID.test(id)) throw apiProblem('InvalidId')
      return id
    },
  })
}

/** `{base}/{Class}`: a class with a single resource. Its address is known, so a PUT creates it if it does not exist. */
export function single(dependencies: ClassDependencies): MemberResource {
  const { cls, access } = dependencies
  const { name, operations, methods } = cls
  const { rights } = access
  const has = (operation: 'create' | 'replace', method: string): boolean =>
    operations.has(operation) && methods[operation].some((one) => one === method)
  const mayPut = has('create', 'PUT') && rights.create !== 'none'
  const missing = () => apiProblem('ResourceNotFound', { name, mayPut })

  return createMemberResource(dependencies, {
    replacing: ['POST', 'PUT'].filter((method) => has('create', method) || has('replace', method)),
    has,
    // A method that does both creates the resource if it does not exist, and replaces it otherwise.
    operationFor: (method) => (has('replace', method) ? undefined : 'create'),
    missing,
    idOfNew({ method }) {
      if (!has('create', method)) throw missing()
      if (rights.create === 'none') throw access.refusal('create')
      return name
    },
  })
}

interface ResourceKind extends MemberKind {
  /** Methods that replace the resource, or create it if it does not exist. */
  readonly replacing: readonly string[]
}

const REPLACING = ['create', 'replace'] as const

function createMemberResource(dependencies: ClassDependencies, kind: ResourceKind): MemberResource {
  const { cls, access, representation, controlsFor, respond } = dependencies
  const { readerFor } = createReaderFor(dependencies)
  const { replace, update, remove, restore } = new MemberWrites(dependencies, kind)
  const isForbidden = (method: string) =>
    REPLACING.every((operation) => !kind.has(operation, method) || access.rights[operation] === 'none')
  const replacing = (method: string): WriteOperation | Forbidden =>
    isForbidden(method)
      ? { refusal: (...asked) => access.refusal(kind.operationFor(...asked) ?? 'replace') }
      : replace
  const operations = {
    ...Object.fromEntries(kind.replacing.map((method) => [method, replacing(method)])),
    PATCH: ifPermitted(dependencies, 'update', update),
    DELETE: ifPermitted(dependencies, 'delete', remove),
  }
  const GET = ifPermitted(dependencies, 'read', read)
  return { resource: writableResource(GET, operations, dependencies, 'member'), restore }

  async function read({ request, id, query, principal }: RequestContext) {
    const mediaType = mediaTypeFor(request)
    const included = readValues(query, 'include')
    const include = included && dependencies.readInclude(included)
    const named = readValues(query, 'fields')
    const fields = named && dependencies.readFields(named, include)
    const found = await findMember(readerFor(request, readPreferences(request)), cls, id)
    const relation = found && (await access.relationOf(found, principal))
    if (found === undefined || relation === undefined || !access.mayReadBy(relation)) throw kind.missing(id)
    const byteBudget = maxBytes(dependencies.pageSizes.bytes, mediaType)
    const views = access.viewOf(found, relation)
    const asked = { fields, views, user: principal, maxBytes: byteBudget }
    const includes = include && (await dependencies.resolveIncludes([found], { ...asked, include }))
    const controls = controlsFor(relation)
    const represented = representation.represent(found, mediaType, controls, { includes, fields })
    const links = controls.hasHistory ? { links: memberLinks(representation.address(found.id)) } : {}
    const isWithAccounts = include?.hasAccounts === true
    // The version of an account does not count its tokens (people.md, Accounts).
    const isVariable = isAccount(cls) || isWithAccounts
    const shown = isVariable ? { ...represented, isVariable, ...links } : { ...represented, ...links }
    const response = respond.read(request, shown)
    return isWithAccounts ? withoutStoring(await response) : response
  }
}
