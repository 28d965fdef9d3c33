import type { AnyApi, Changes, CollectionNames, Link, Replacement, ResourceTypes } from './api-types.ts'
import { type ApiError, ConflictError, type Violation } from './errors.ts'
import type { Member } from './member.ts'
import type { Options, Request } from './transport.ts'

/** Collects operations, in order; typed as the writes of collections and members are. */
export interface Batch<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi> {
  /** Returns a name for the new member, which later operations may use as a link. */
  create<Name extends CollectionNames<Api>>(name: Name, input: Api[Name]['input']): Link<Api[Name]['member']>
  update<T extends object>(member: Member<T>, changes: Changes<T>): void
  replace<T extends object>(member: Member<T>, data: Replacement<T>): void
  remove<T extends object>(member: Member<T>): void
}

export interface BatchOptions extends Options {
  /** Carries out each operation on its own: failures are among the results, with status and sentence. */
  readonly lenient?: boolean | undefined
}

/** The result of an operation. */
export interface BatchResult {
  readonly status: number
  /** The address of a new member. */
  readonly location?: string
  readonly etag?: string
  /** Why it failed, in a lenient batch. */
  readonly detail?: string
  readonly violations?: readonly Violation[]
}

interface BatchParts {
  readonly request: Request
  linkNamed(name: string, options?: Options): Promise<string>
}

export const sendBatch = async (
  { request, linkNamed }: BatchParts,
  collect: (batch: Batch) => void,
  options?: BatchOptions,
): Promise<readonly BatchResult[]> => {
  const operation: Promise<object>[] = []
  const written = new Map<string, [Member, unknown]>()
  const write = (method: string, member: Member, body?: object) => {
    written.set(`${operation.length}`, [member, body])
    operation.push(
      seen(member, body, options).then((ifMatch) => ({ method, target: member.iri, ifMatch, body })),
    )
  }
  collect({
    create(name, body) {
      const id = `_:${operation.length}`
      operation.push(linkNamed(name, options).then((target) => ({ method: 'POST', target, id, body })))
      return id
    },
    update: (member, changes) => write('PATCH', member as never, changes),
    replace: (member, data) => write('PUT', member as never, data),
    remove: (member) => write('DELETE', member as never),
  })
  const all = { operation: await Promise.all(operation) }
  try {
    const headers = options?.lenient ? { prefer: 'handling=lenient' } : {}
    const answer = await request('POST', await linkNamed('batch', options), {
      ...options,
      body: all,
      headers,
    })
    return (answer.body as { operation: readonly BatchResult[] }).operation
  } catch (error) {
    const { status, message } = error as ApiError
    const [member, attempted] = written.get(/\d+/.exec(message)?.[0] ?? '') ?? []
    if (![404, 412].includes(status ?? 0) || !member) throw error
    throw await conflict(member, attempted, message, options)
  }
}

/** The ETag of what was seen. A member of a page has none: it is read again, and has to be the same. */
const seen = async (member: Member, attempted: unknown, options?: Options): Promise<string | undefined> => {
  const current = member.etag ? member : await member.reload(options)
  if (JSON.stringify(current.data) === JSON.stringify(member.data)) return current.etag
  throw await conflict(member, attempted, `${member.iri} has changed.`, options)
}

const conflict = async (member: Member, attempted: unknown, message: string, options?: Options) =>
  new ConflictError(message, {
    seen: member.data,
    attempted,
    current: await member.reload(options).catch(() => undefined),
  })
