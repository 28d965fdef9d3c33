import type { Calls, Changes, Replacement, Representation } from './api-types.ts'
import {
  type ClassDescription,
  type Documentation,
  findClass,
  methodFor,
  type OperationDescription,
  REPLACES,
  readOperations,
} from './documentation.ts'
import { ApiError, ConflictError } from './errors.ts'
import { createPlaceIncluded, withAddresses } from './included.ts'
import { HYDRA, isJson, type JsonLdNode, type JsonRecord, lastName, list, openDocument } from './terms.ts'
import { type AbortOptions, type ApiResponse, type ReadOptions, read, type SendRequest } from './transport.ts'

/** A resource as it was read, and what can be done with it. It does not change: each change gives a new one. */
export interface Member<T extends object = Representation> {
  readonly iri: string
  /** As served, without its context. */
  readonly data: T
  /** Undefined for one that came with a page. */
  readonly etag: string | undefined
  /** The IRIs of its classes. */
  readonly types: readonly string[]
  /** What can be done with it, by its own words or by the documentation. */
  operations(options?: AbortOptions): Promise<readonly OperationDescription[]>
  /** Whether that is among it. A member of a page may not say it itself: then the documentation does, for any member. */
  may(action: Action, options?: AbortOptions): Promise<boolean>
  /** Changes some properties, unless it has changed meanwhile: then `ConflictError`. */
  update(changes: Changes<T>, options?: AbortOptions): Promise<Member<T>>
  /** The same for all of its properties. */
  replace(data: Replacement<T>, options?: AbortOptions): Promise<Member<T>>
  remove(options?: AbortOptions): Promise<void>
  /**
   * Carries out an operation of the API's own, such as `ship`, unless the member has changed meanwhile. What it answers, as
   * a member; of an object without an address only `data` counts.
   */
  call<Name extends keyof Calls<T> & string>(
    name: Name,
    ...sent: [...Parameters<Calls<T>[Name]>, options?: AbortOptions]
  ): Promise<Answered<ReturnType<Calls<T>[Name]>>>
  reload(options?: AbortOptions): Promise<Member<T>>
}

/** Nothing where the operation has nothing to say. */
type Answered<T> = T extends object ? Member<T> | undefined : undefined

export type Action = 'read' | 'update' | 'replace' | 'delete'

/** The operations by which actions are carried out: `update` replaces where nothing else is offered. */
const ACTIONS: Readonly<Record<Action, RegExp>> = {
  read: /^GET/,
  update: /^PA|^P[UO].*(Replace|Update)[AR]/,
  replace: REPLACES,
  delete: /^DEL/,
}

/** The parts of the client that members use. */
export interface MemberClient {
  readonly request: SendRequest
  documentation(options?: AbortOptions): Promise<Documentation>
}

export const getMember = async (
  parts: MemberClient,
  iri: string,
  { include, ...options }: ReadOptions = {},
): Promise<Member> => {
  const paths = list(include) as string[]
  const query = paths.map(
    (path, at) => `${at || /\?/.test(iri) ? '&' : '?'}include=${encodeURIComponent(path)}`,
  )
  return createMember(parts, await read(parts.request, iri + query.join(''), options), paths)
}

/** The member in a response; without a body, the one at its Location, or at this address. */
export const takeMember = async (
  parts: MemberClient,
  answer: ApiResponse,
  iri: string,
  options?: ReadOptions,
): Promise<Member> => {
  const node = openDocument(answer)
  if (node.data['@id']) return createMember(parts, node, options?.include as string[])
  const id = answer.headers.get('location') ?? iri
  return (
    (await getMember(parts, id, options).catch(unless(403))) ??
    // A user who may create and not read knows nothing but its address.
    createMember(parts, openDocument({ ...answer, body: { '@id': id } }))
  )
}

const unless =
  (...statuses: unknown[]) =>
  (error: ApiError): undefined => {
    if (!statuses.includes(error.status)) throw error
  }

/** A write as it is sent, once it is known that what it overwrites is what the caller has seen. */
interface PreparedWrite {
  readonly method: string
  readonly body: unknown
  readonly contentType: string | undefined
  readonly etag: string | undefined
}

export type WriteName = 'update' | 'replace' | 'remove'

type Prepare = (name: WriteName, attempted?: JsonRecord, options?: AbortOptions) => Promise<PreparedWrite>

/**
 * How the writes of each member are prepared: by the member, whose functions a program may have wrapped; and by its
 * `update`, which copies of a member have too, and the proxies that frameworks of web pages make of it.
 */
const preparations = new WeakMap<object, Prepare>()

/** `ConflictError` where the member is not what was seen. A batch sends it with others. */
export const prepareWrite = async (member: Member, ...sent: Parameters<Prepare>): Promise<PreparedWrite> =>
  ((preparations.get(member) ?? preparations.get(member.update)) as Prepare)(...sent)

/** `include`: what it was read with; `place` puts what was included in its places. */
export function createMember(
  parts: MemberClient,
  node: JsonLdNode,
  include: readonly string[] = [],
  place = createPlaceIncluded([node.data], include),
): Member {
  const { headers, id: iri = '', types } = node
  const data = place(node.data)
  const findClasses = async (options?: AbortOptions): Promise<ClassDescription[]> => {
    const { classes } = await parts.documentation(options)
    return types.flatMap((type) => findClass(classes, type) ?? [])
  }
  const current = (options?: AbortOptions): Promise<Member | undefined> =>
    member.reload(options).catch(unless(404, 410))

  const member: Member = {
    iri,
    data: data as Representation,
    etag: headers?.get('etag') ?? undefined,
    types,
    reload: (options) => getMember(parts, iri, { include, ...options }),

    async operations(options) {
      const own = readOperations(node, `${HYDRA}operation`)
      return own.length ? own : (await findClasses(options)).flatMap(({ operations }) => operations)
    },

    may: async (action, options) => !!methodFor(await member.operations(options), ACTIONS[action], ''),

    update: (changes, options) => write('update', changes, options),
    replace: (replacement, options) => write('replace', replacement, options),

    async remove(options) {
      await write('remove', undefined, options)
    },

    async call(name, body, options) {
      // A member of a page has no links.
      const { data, etag } = Object.hasOwn(member.data, name) ? member : await member.reload(options)
      const own = (await findClasses(options)).flatMap(({ customOperations }) => customOperations)
      const operation = own.find((one) => one.name === name)
      if (!operation || !Object.hasOwn(data, name))
        throw new ApiError(
          'not-found',
          `${iri} does not offer ${name}, but ${own.map((one) => one.name).join(', ') || 'nothing'}.`,
        )
      const headers = etag ? { 'if-match': etag.replace('W/', '') } : {}
      const answer = await parts
        .request(operation.method, `${data[name]}`, { ...options, body, headers })
        .catch((error) => conflictFrom(error, body, options, 412))
      return answer.body ? createMember(parts, openDocument(answer)) : undefined
    },
  }

  /**
   * Writes only over what the caller has seen. Without an ETag, as in a page, the member is read again and compared: what
   * was seen must be the same, and so must be what is overwritten, all of it or the properties that are named.
   */
  const prepare: Prepare = async (name, attempted, options) => {
    const isRemoval = name === 'remove'
    const operations = isRemoval ? [] : await member.operations(options)
    const classes = isRemoval ? [] : await findClasses(options)
    const found = member.etag ? member : await current(options)
    const overwritten = name === 'replace' ? valuesIn(found?.data ?? {}, classes) : attempted
    const keys = Object.keys({ ...data, ...overwritten })
    const names = include.flatMap((path) => path.split('.'))
    const take = (version: JsonRecord) =>
      JSON.stringify(keys.map((key) => withAddresses(version, names)[key]))
    if (!found || take(found.data) !== take(data))
      throw new ConflictError(`${iri} has changed.`, { seen: data, attempted, current: found })

    const patch = name === 'update' ? operations.find(({ method }) => method === 'PATCH') : undefined
    // Without PATCH an update sends the whole, except for what only the server writes.
    const readOnly = classes.flatMap(({ properties }) => properties.filter(({ writable }) => !writable))
    const without = Object.fromEntries(readOnly.map((property) => [property.name, null]))
    const body = name === 'update' && !patch ? merge(found.data, { ...without, ...attempted }) : attempted
    return {
      method: patch?.method ?? methodFor(operations, REPLACES, isRemoval ? 'DELETE' : 'PUT'),
      body: body && withAddresses(body as JsonRecord, names),
      contentType: patch && (patch.contentType || 'application/merge-patch+json'),
      // Compressing proxies make a strong one weak, and a weak one matches nothing (RFC 9110 §13.1.1).
      etag: found.etag?.replace('W/', ''),
    }
  }
  for (const key of [member, member.update]) preparations.set(key, prepare)
  return member

  async function write(name: WriteName, attempted?: JsonRecord, options?: AbortOptions): Promise<Member> {
    const { method, body, contentType, etag } = await prepare(name, attempted, options)
    const headers = etag ? { 'if-match': etag } : {}
    return parts
      .request(method, iri, { ...options, body, contentType, headers })
      .then((answer) => (body ? takeMember(parts, answer, iri, { include, ...options }) : member))
      .catch((error) => conflictFrom(error, attempted, options, 404, 412))
  }

  async function conflictFrom(
    error: ApiError,
    attempted: unknown,
    options: AbortOptions | undefined,
    ...statuses: number[]
  ): Promise<never> {
    if (!statuses.includes(error.status ?? 0)) throw error
    throw new ConflictError(error.message, { seen: data, attempted, current: await current(options) })
  }
}

/** Without what can be done with it, which a member of a page does not say. */
const valuesIn = (data: JsonRecord, classes: readonly ClassDescription[]): JsonRecord => {
  const own = classes.flatMap(({ customOperations }) => customOperations.map(({ name }) => name))
  const properties = classes.flatMap((one) => one.properties.map(({ name }) => name))
  const isOffer = (key: string) =>
    own.includes(key) || (lastName(key) === 'operation' && !properties.includes(key))
  return Object.fromEntries(Object.entries(data).filter(([key]) => !isOffer(key)))
}

/** RFC 7396. */
const merge = (given: unknown, changes: unknown): unknown => {
  if (!isJson(changes)) return changes
  const data = isJson(given) ? given : {}
  return Object.fromEntries(
    Object.entries({ ...data, ...changes }).flatMap(([key, value]) =>
      value === null ? [] : [[key, merge(data[key], value)]],
    ),
  )
}
