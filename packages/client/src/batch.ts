import type { AnyApi, Changes, CollectionNames, Link, Replacement, ResourceTypes } from './api-types.ts'
import { type CollectionClient, methodToAdd } from './collection.ts'
import { type ApiError, ConflictError, type PropertyViolation } from './errors.ts'
import { type Member, prepareWrite, type WriteName } from './member.ts'
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

interface BatchClient extends Pick<CollectionClient, 'request' | 'collections'> {
  linkNamed(name: string, options?: AbortOptions): Promise<string>
}

const METHODS: Readonly<Record<WriteName, string>> = { update: 'PATCH', replace: 'PUT', remove: 'DELETE' }

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
  const { request, linkNamed } = client
  const operations: BatchOperation[] = []
  const write = (name: WriteName, member: Member, attempted?: object) => {
    operations.push({
      member,
      attempted,
      prepare: (place) => prepareOperation(member, { name, attempted, place, options }),
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
  const headers = options?.lenient ? { prefer: 'handling=lenient' } : {}
  try {
    const response = await request('POST', await linkNamed('batch', options), { ...options, body, headers })
    return (response.body as { operation: readonly BatchResult[] }).operation
  } catch (error) {
    throw await asConflict(error as ApiError, operations, options)
  }
}

interface WriteToPrepare {
  readonly name: WriteName
  readonly attempted: object | undefined
  readonly place: number
  readonly options: BatchOptions | undefined
}

async function prepareOperation(
  member: Member,
  { name, attempted, place, options }: WriteToPrepare,
): Promise<object> {
  const target = member.iri
  try {
    const { method, body, etag } = await prepareWrite(member, name, attempted as JsonRecord, options)
    return { method, target, ifMatch: etag, body }
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    if (!options?.lenient) {
      const { seen, current } = error
      const message = `operation[${place}]: ${target} has changed.`
      throw new ConflictError(message, { operation: place, seen, attempted, current })
    }
    // Sent with an ETag that no version ever had, so that this operation fails, and no other.
    const offered = (await member.operations(options)).map(({ method }) => method)
    // Without PATCH an update is a replacement; a PATCH would fail for another reason.
    const method = name === 'update' && !offered.includes('PATCH') ? 'PUT' : METHODS[name]
    return { method, target, ifMatch: '"seen"', body: attempted }
  }
}

/**
 * If an operation fails because its member has changed or was deleted, the error is a conflict; other errors stay as
 * they are.
 */
async function asConflict(
  error: ApiError,
  operations: readonly BatchOperation[],
  options: AbortOptions | undefined,
): Promise<ApiError> {
  const { status, message, code, operation } = error
  const { member, attempted } = operations[operation ?? -1] ?? {}
  if ((status !== 404 && status !== 412) || !member) return error
  const current = await member.reload(options).catch(() => undefined)
  return new ConflictError(message, { code, operation, seen: member.data, attempted, current })
}
