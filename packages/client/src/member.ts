import type { Representation } from './api-types.ts'
import {
  type ClassDescription,
  type Documentation,
  findClass,
  methodFor,
  REPLACES,
  readOperations,
} from './documentation.ts'
import { ApiError, ConflictError, unknownName } from './errors.ts'
import { createPlaceIncluded, withAddresses } from './included.ts'
import type { Action, Histories, Member } from './member-types.ts'
import { type AbortOptions, type ReadOptions, read, type SendRequest } from './request.ts'
import { addParameters } from './search-template.ts'
import { HYDRA, type JsonLdNode, type JsonRecord, list, openDocument } from './terms.ts'
import type { ApiResponse } from './transport.ts'
import { merge, valuesIn, withoutReadOnly } from './values.ts'

/** The operations that carry out each action. An update may be a replacement, if nothing else is offered. */
const ACTIONS: Readonly<Record<Action, RegExp>> = {
  read: /^GET/,
  update: /^PA|^P[UO].*(Replace|Update)[AR]/,
  replace: REPLACES,
  delete: /^DEL/,
}

/** The part of the client that members use. */
export interface MemberClient {
  readonly base: string
  histories(): Promise<Histories>
  readonly request: SendRequest
  documentation(options?: AbortOptions): Promise<Documentation>
}

export const getMember = async (
  client: MemberClient,
  iri: string,
  { include, fields, ...options }: ReadOptions = {},
): Promise<Member> => {
  const shown = { include: list(include) as string[], fields: list(fields) as string[] }
  return createMember(client, await read(client.request, addParameters(iri, shown), options), shown)
}

/** The member in a response; if there is no body, the one at its Location or at `iri`. */
export const takeMember = async (
  client: MemberClient,
  response: ApiResponse,
  { iri = '', ...options }: ReadOptions & { readonly iri?: string },
): Promise<Member> => {
  const node = openDocument(response)
  if (node.data['@id']) return createMember(client, node, { include: options.include as string[] })
  const id = response.headers.get('location') ?? iri
  return (
    (await getMember(client, id, options).catch(undefinedFor(403))) ??
    // A user who may create but not read gets a member with nothing but its address.
    createMember(client, openDocument({ ...response, body: { '@id': id } }))
  )
}

const undefinedFor =
  (...statuses: unknown[]) =>
  (error: ApiError): undefined => {
    if (!statuses.includes(error.status)) throw error
  }

/** A write that is ready to be sent, and overwrites only what the caller has seen. */
interface PreparedWrite {
  readonly method: string
  readonly body: unknown
  readonly contentType: string | undefined
  readonly etag: string | undefined
}

export type WriteName = 'update' | 'replace' | 'remove'

interface PrepareOptions extends AbortOptions {
  /** Prepares a write to a member that has changed too, with an ETag that no version ever had. */
  readonly lenient?: boolean | undefined
}

type Prepare = (name: WriteName, attempted?: JsonRecord, options?: PrepareOptions) => Promise<PreparedWrite>

/** How to prepare the writes of a member: a property of the member, so that copies and proxies have it too. */
const PREPARE = Symbol()

/** Throws a `ConflictError` if the member has changed since it was read. For a batch, which sends several writes. */
export const prepareWrite = (member: Member, ...sent: Parameters<Prepare>): Promise<PreparedWrite> =>
  (member as Member & { readonly [PREPARE]: Prepare })[PREPARE](...sent)

/** The paths that a member was read with. */
interface ShownPaths {
  readonly include?: readonly string[]
  readonly fields?: readonly string[]
}

/** A member with the dependencies of its functions. */
interface BoundMember {
  readonly client: MemberClient
  readonly member: Member
  readonly include: readonly string[]
}

/** `place` puts included members in their places. */
export function createMember(
  client: MemberClient,
  node: JsonLdNode,
  { include = [], fields = [] }: ShownPaths = {},
  place = createPlaceIncluded([node.data], include),
): Member {
  const { headers, id: iri = '', types } = node
  const member = {
    [PREPARE]: (...sent: Parameters<Prepare>) => prepareBound(bound, ...sent),
    iri,
    data: place(node.data) as Representation,
    etag: headers?.get('etag') ?? undefined,
    types,
    isPartial: !!fields[0],
    reload: (options) => getMember(client, iri, { include, fields, ...options }),

    async operations(options) {
      const own = readOperations(node, `${HYDRA}operation`)
      if (own.length) return own
      return (await findClasses(bound, options)).flatMap((one) => one.operations)
    },

    may: async (action, options) => !!methodFor(await member.operations(options), ACTIONS[action], ''),
    update: (changes, options) => write(bound, 'update', changes, options),
    replace: (replacement, options) => write(bound, 'replace', replacement, options),
    async remove(options) {
      await write(bound, 'remove', undefined, options)
    },
    call: (name, body, options) => callOperation(bound, name, body, options),
    async *history(options) {
      const history = node.one(`${client.base}/vocab#history`)?.id
      yield* (await client.histories()).of({ ...member, history }, options)
    },
  } as Member
  const bound: BoundMember = { client, member, include }
  return member
}

const findClasses = async (
  { client, member }: BoundMember,
  options?: AbortOptions,
): Promise<ClassDescription[]> => {
  const { classes } = await client.documentation(options)
  return member.types.flatMap((type) => findClass(classes, type) ?? [])
}

/** Undefined if the member has been deleted. */
const readCurrent = (member: Pick<Member, 'reload'>, options?: AbortOptions): Promise<Member | undefined> =>
  member.reload(options).catch(undefinedFor(404, 410))

async function write(
  bound: BoundMember,
  name: WriteName,
  attempted?: JsonRecord,
  options?: AbortOptions,
): Promise<Member> {
  const { client, member, include } = bound
  const { method, body, contentType, etag } = await prepareBound(bound, name, attempted, options)
  const headers = ifMatch(etag)
  try {
    const response = await client.request(method, member.iri, { ...options, body, contentType, headers })
    return body ? await takeMember(client, response, { include, ...options, iri: member.iri }) : member
  } catch (error) {
    throw await asConflict(member, error as ApiError, { attempted, options, statuses: [404, 410, 412] })
  }
}

/**
 * A write may only overwrite what the caller has seen. A member without an ETag, as in a page, is read again and compared:
 * what was seen must still be the same, and nothing else may be overwritten.
 */
async function prepareBound(
  bound: BoundMember,
  name: WriteName,
  attempted?: JsonRecord,
  options?: PrepareOptions,
): Promise<PreparedWrite> {
  const { member, include } = bound
  const { iri, data } = member
  const isRemoval = name === 'remove'
  const operations = isRemoval ? [] : await member.operations(options)
  const patch = name === 'update' ? operations.find(({ method }) => method === 'PATCH') : undefined
  // A replacement removes properties that it does not have.
  if (member.isPartial && !isRemoval && !patch)
    throw new ApiError('refused', `${iri} was read with "fields", so it cannot be replaced.`, {
      code: 'partial-member',
    })
  const classes = isRemoval ? [] : await findClasses(bound, options)
  const current = member.etag ? member : await readCurrent(member, options)
  const overwritten = name === 'replace' ? valuesIn(current?.data ?? {}, classes) : attempted
  const keys = Object.keys({ ...data, ...overwritten })
  const names = include.flatMap((path) => path.split('.'))
  const compared = (version: JsonRecord) =>
    JSON.stringify(keys.map((key) => withAddresses(version, names)[key]))
  const isSame = current && compared(current.data) === compared(data)
  if (!isSame && !options?.lenient)
    throw new ConflictError(`${iri} has changed.`, { seen: data, attempted, current })

  const body =
    name === 'update' && !patch
      ? merge(current?.data, { ...withoutReadOnly(classes), ...attempted })
      : attempted
  return {
    method: patch?.method ?? methodFor(operations, REPLACES, isRemoval ? 'DELETE' : 'PUT'),
    body: body && withAddresses(body as JsonRecord, names),
    contentType: patch && (patch.contentType || 'application/merge-patch+json'),
    etag: isSame ? strong(current.etag) : '"seen"',
  }
}

async function callOperation(
  bound: BoundMember,
  name: string,
  body: object | undefined,
  options?: AbortOptions,
): Promise<Member | undefined> {
  const { client, member } = bound
  // A member of a page has no links to its operations, and a partial one may have none.
  const { data, etag } = Object.hasOwn(member.data, name)
    ? member
    : await getMember(client, member.iri, options)
  const declared = (await findClasses(bound, options)).flatMap((one) => one.customOperations)
  const operation = declared.find((one) => one.name === name)
  if (!operation || !Object.hasOwn(data, name))
    throw unknownName(
      'unknown-operation',
      `${member.iri} has no ${name}`,
      declared.map((one) => one.name),
    )
  const headers = ifMatch(strong(member.etag ?? etag))
  try {
    const response = await client.request(operation.method, `${data[name]}`, { ...options, body, headers })
    return response.body ? createMember(client, openDocument(response)) : undefined
  } catch (error) {
    throw await asConflict(member, error as ApiError, { attempted: body, options, statuses: [412] })
  }
}

interface FailedWrite {
  readonly attempted: unknown
  readonly options: AbortOptions | undefined
  /** Responses with one of these statuses mean that the member has changed. */
  readonly statuses: readonly number[]
}

/** The conflict, if the member has changed or was deleted; any other error stays as it is. */
export async function asConflict(
  member: Pick<Member, 'data' | 'reload'>,
  error: ApiError,
  { attempted, options, statuses }: FailedWrite,
): Promise<ApiError> {
  const { status = 0, message, code, operation } = error
  if (!statuses.includes(status)) return error
  const current = await readCurrent(member, options)
  return new ConflictError(message, { code, operation, seen: member.data, attempted, current })
}

const ifMatch = (etag: string | undefined) => (etag ? { 'if-match': etag } : undefined)

/** A compressing proxy makes a strong ETag weak, and a weak one matches nothing in If-Match (RFC 9110 §13.1.1). */
export const strong = <T extends string | undefined>(etag: T): T => etag?.replace('W/', '') as T
