import type { AnyApi, Changes, CollectionNames, Link, Replacement, ResourceTypes } from './api-types.ts'
import { type CollectionClient, methodToAdd } from './collection.ts'
import { type ApiError, ConflictError, type PropertyViolation } from './errors.ts'
import { type Member, prepareWrite, type WriteName } from './member.ts'
import type { JsonRecord } from './terms.ts'
import type { AbortOptions } from './transport.ts'

/** Collects operations, in order; typed as the writes of collections and members are. */
export interface Batch<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi> {
  /** Returns a name for the new member, which later operations may use as a link. */
  create<Name extends CollectionNames<Api>>(name: Name, input: Api[Name]['input']): Link<Api[Name]['member']>
  update<T extends object>(member: Member<T>, changes: Changes<T>): void
  replace<T extends object>(member: Member<T>, data: Replacement<T>): void
  remove<T extends object>(member: Member<T>): void
}

export interface BatchOptions extends AbortOptions {
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
  /** The first ones: at most 20, and none where a long answer has no room for them. */
  readonly violations?: readonly PropertyViolation[]
  /** How many more there are. */
  readonly furtherViolations?: number
}

interface BatchClient extends Pick<CollectionClient, 'request' | 'collections'> {
  linkNamed(name: string, options?: AbortOptions): Promise<string>
}

const METHODS: Readonly<Record<WriteName, string>> = { update: 'PATCH', replace: 'PUT', remove: 'DELETE' }

export const sendBatch = async (
  parts: BatchClient,
  collect: (batch: Batch) => unknown,
  options?: BatchOptions,
): Promise<readonly BatchResult[]> => {
  const { request, linkNamed } = parts
  // Begun when all are collected: where `collect` throws, nobody would catch what one of them rejects with.
  const operation: (() => Promise<object>)[] = []
  const written = new Map<string, [Member, unknown]>()
  const write = (name: WriteName, member: Member, attempted?: object) => {
    const place = operation.length
    const target = member.iri
    written.set(`${place}`, [member, attempted])
    operation.push(async () => {
      try {
        const { method, body, etag } = await prepareWrite(member, name, attempted as JsonRecord, options)
        return { method, target, ifMatch: etag, body }
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        // With the ETag of a version that never was, so that this operation fails, in its place, and no other.
        if (options?.lenient) {
          // An update replaces where there is no PATCH, which would fail for another reason.
          const offered = (await member.operations(options)).map(({ method }) => method)
          const method = name === 'update' && !offered.includes('PATCH') ? 'PUT' : METHODS[name]
          return { method, target, ifMatch: '"seen"', body: attempted }
        }
        error.message = `operation[${place}]: ${error.message}`
        throw error
      }
    })
  }
  await collect({
    create(name, body) {
      const id = `_:${operation.length}`
      operation.push(async () => {
        const target = await linkNamed(name, options)
        return { method: await methodToAdd(parts, target, options), target, id, body }
      })
      return id
    },
    update: (member, changes) => write('update', member as never, changes),
    replace: (member, data) => write('replace', member as never, data),
    remove: (member) => write('remove', member as never),
  })
  const body = { operation: await Promise.all(operation.map((prepare) => prepare())) }
  try {
    const headers = options?.lenient ? { prefer: 'handling=lenient' } : {}
    const answer = await request('POST', await linkNamed('batch', options), { ...options, body, headers })
    return (answer.body as { operation: readonly BatchResult[] }).operation
  } catch (error) {
    const { status, message } = error as ApiError
    const [member, attempted] = written.get(/\d+/.exec(message)?.[0] ?? '') ?? []
    if (![404, 412].includes(status ?? 0) || !member) throw error
    const current = await member.reload(options).catch(() => undefined)
    throw new ConflictError(message, { seen: member.data, attempted, current })
  }
}
