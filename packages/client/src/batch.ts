import type { AnyApi, Changes, CollectionNames, Link, Replacement, ResourceTypes } from './api-types.ts'
import type { CollectionClient, methodToAdd } from './collection.ts'
import type { ApiError, PropertyViolation } from './errors.ts'
import type { asConflict, prepareWrite, WriteName } from './member.ts'
import type { Member } from './member-types.ts'
import type { AbortOptions } from './request.ts'
import type { JsonRecord } from './terms.ts'

/** Collects operations in order, with the types of the same writes of collections and members. */
export interface Batch<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi> {
  /** Returns a name for the new member; later operations may use it as a link. */
  create<Name extends CollectionNames<Api>>(name: Name, input: Api[Name]['input']): Link<Api[Name]['member']>
  update<T extends object, Whole extends object>(member: Member<T, Whole>, changes: Changes<Whole>): void
  replace<T extends object>(member: Member<T>, data: Replacement<T>): void
  remove<T extends object, Whole extends object>(member: Member<T, Whole>): void
}

export interface BatchOptions extends AbortOptions {
  /** Carries out each operation on its own; failures are among the results. */
  readonly lenient?: boolean | undefined
}

/** The result of an operation. */
export interface BatchResult {
  readonly status: number
  /** The address of a new member. */
  readonly location?: string
  readonly etag?: string
  /** Why the operation failed, in a lenient batch. */
  readonly detail?: string
  /** The first 20 at most; none in a response that is already long. */
  readonly violations?: readonly PropertyViolation[]
  /** How many more there are. */
  readonly furtherViolations?: number
  /** As in an `ApiError`. */
  readonly linkedFrom?: readonly string[]
  readonly hasFurtherLinks?: boolean
}

/**
 * The code that batches share with the client is passed to them: this module is loaded by itself, and a bundler would
 * wrap every module that it imports.
 */
interface BatchClient extends Pick<CollectionClient, 'request' | 'collections'> {
  linkNamed(name: string, options?: AbortOptions): Promise<string>
  readonly methodToAdd: typeof methodToAdd
  readonly prepareWrite: typeof prepareWrite
  readonly asConflict: typeof asConflict
}

/** One operation of the batch: how its request is prepared, and the member that it changes. */
interface BatchOperation {
  prepare(place: number): Promise<object>
  readonly member?: Member
  readonly attempted?: object | undefined
}

export const sendBatch = async (
  client: BatchClient,
  collect: (batch: Batch) => unknown,
  options?: BatchOptions,
): Promise<readonly BatchResult[]> => {
  const { request, linkNamed, methodToAdd, prepareWrite, asConflict } = client
  const operations: BatchOperation[] = []
  const write = (name: WriteName, member: Member, attempted?: object) => {
    operations.push({
      member,
      attempted,
      async prepare(place) {
        try {
          const { method, body, etag } = await prepareWrite(member, name, attempted as JsonRecord, options)
          return { method, target: member.iri, ifMatch: etag, body }
        } catch (error) {
          // An aborted preparation fails with the reason of its signal, which is not ours to change.
          throw (error as ApiError)?.kind ? Object.assign(error as ApiError, { operation: place }) : error
        }
      },
    })
  }
  await collect({
    create(name, body) {
      const id = `_:${operations.length}`
      operations.push({
        async prepare() {
          const target = await linkNamed(name, options)
          return { method: await methodToAdd(client, target, options), target, id, body }
        },
      })
      return id
    },
    update: (member, changes) => write('update', member as never, changes),
    replace: (member, data) => write('replace', member as never, data),
    remove: (member) => write('remove', member as never),
  })
  // Prepared only now: if `collect` threw, nothing would catch the rejection of a preparation that had already begun.
  const body = { operation: await Promise.all(operations.map((one, place) => one.prepare(place))) }
  const headers: Record<string, string> = options?.lenient ? { prefer: 'handling=lenient' } : {}
  try {
    const response = await request('POST', await linkNamed('batch', options), { ...options, body, headers })
    return (response.body as { operation: readonly BatchResult[] }).operation
  } catch (error) {
    const { member, attempted } = operations[(error as ApiError).operation ?? -1] ?? {}
    throw member
      ? await asConflict(member, error as ApiError, { attempted, options, statuses: [404, 410, 412] })
      : error
  }
}
