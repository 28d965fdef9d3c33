import type { Principal } from '../../auth/index.ts'
import { createPause } from '../../deadline.ts'
import { LD_JSON, type Response } from '../../http/index.ts'
import { isObject, type JsonObject, readJson, writeJson } from '../../json.ts'
import {
  ALL_FIELDS,
  createFindCuts,
  idOf,
  insertBaseUrl,
  type Link,
  type MemberContent,
  type StoredMember,
  type TextChanges,
} from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import {
  type Class,
  type CustomOperation,
  contextAddress,
  hasCollection,
  memberContext,
  memberType,
} from '../../vocabulary/index.ts'
import { CREATOR } from '../access/property-views.ts'
import { STRANGER } from '../access/ties.ts'
import { findMember } from '../find-member.ts'
import { createInput, type Input } from '../input/input.ts'
import { apiProblem, readProblem } from '../problems/index.ts'
import {
  type MediaType,
  mediaTypeFor,
  PLAIN_JSON,
  readBody,
  readPreconditions,
  requireMediaType,
  requirePreconditions,
} from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import { missingFrom, refusedByStore } from '../write-errors.ts'
import type { ProgramHooks } from './hooks.ts'

export interface CustomOperationDependencies extends ClassDependencies {
  /** The program's code, which carries operations out. */
  readonly program: ProgramHooks
  /** The dependencies of each class, by its name. */
  readonly classes: ReadonlyMap<string, ClassDependencies>
}

/** `{member}/{name}`: a custom operation (library.md). */
export function customOperation(
  operation: CustomOperation,
  dependencies: CustomOperationDependencies,
): Resource {
  const { model, classes, cls, access, store, wholeRepresentation, program, respond } = dependencies
  const isTransaction = program.isTransaction(cls.name, operation.name)
  // The class as the users see it, if it has members of its own.
  const classOf = (name: string | undefined) =>
    classes.get(name ?? '')?.cls ?? model.classes.find((one) => one.name === name)
  const inputOf = classes.get(operation.expects ?? '')?.inputFor(CREATOR)
  const read = createReadBody(classOf(operation.expects), dependencies, inputOf)
  const answer = createAnswer(operation, classOf(operation.returns), dependencies)

  const POST: Handler = async (context) => {
    const { request, principal } = context
    // Decided before anything is done: 406 if no acceptable response could be sent.
    const mediaType = operation.returns === undefined ? LD_JSON : mediaTypeFor(request)
    if (operation.expects !== undefined) requireMediaType(request, 'member')
    const found = await findIn(store, context)
    const body = await read(context)
    const carryOut = (member: StoredMember) =>
      program.carryOut(cls.name, operation.name, {
        member: JSON.parse(wholeRepresentation.whole(member, PLAIN_JSON)),
        body,
        principal,
      })
    const returned = isTransaction
      ? await program.transactions.run(async (transaction) => {
          const member = await findIn(transaction.store, context)
          return transaction.within(() => carryOut(member))
        })
      : await carryOut(found)
    if (returned === undefined || returned === null) return respond.noContent()
    return answer(returned, context, mediaType)
  }
  /** The member, after rights and preconditions are checked. */
  async function findIn(
    from: Parameters<typeof findMember>[0],
    { request, id, principal }: RequestContext,
  ): Promise<StoredMember> {
    const stored = await findMember(from, cls, id)
    const relation = stored && (await access.relationOf(stored, principal, from))
    if (stored === undefined || relation === undefined || !access.mayReadBy(relation))
      throw hasCollection(cls) ? missingFrom(cls, id) : apiProblem('ResourceNotFound', { name: cls.name })
    access.requireRight(operation, relation)
    requirePreconditions(readPreconditions(request, access.versions), stored.version)
    return stored
  }

  const isRefused = access.rightTo(operation) === 'none'
  return resource({ POST: isRefused ? { refusal: () => access.refusal(operation) } : POST })
}

/** Reads a body as for a creation of the class, in the API's own terms; undefined if the operation expects none. */
function createReadBody(
  cls: Class | undefined,
  { base, access, store, now, expandBody }: ClassDependencies,
  own: Input | undefined,
) {
  if (cls === undefined)
    return async ({ request }: RequestContext): Promise<undefined> => {
      if ((await request.readBody()).length > 0) throw apiProblem('UnexpectedBody')
    }
  const input = own ?? createInput(cls, base, expandBody)
  return async ({ request, principal }: RequestContext): Promise<unknown> => {
    const sent = await input.toOwnTerms(await readBody(request, 'member'), `${base}/`, principal)
    const written = input.create(sent, '', now(), { creator: principal })
    const dangling = await findDangling(written.links, principal)
    if (dangling.length > 0) throw refusedByStore({ dangling, taken: [] })
    return JSON.parse(valueText(cls, written, base))
  }

  /** The store checks links only when it writes. A link to a member that the user may not read is dangling (access.md). */
  async function findDangling(links: readonly Link[], principal: Principal | undefined): Promise<Link[]> {
    const missing: Link[] = []
    const pause = createPause()
    for (const [className, all] of Map.groupBy(links, (link) => link.className)) {
      const there = new Set<string>()
      const ids = [...new Set(all.map(({ id }) => id))]
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const found = await store.findAll(className, ids.slice(from, from + AT_ONCE), Number.MAX_SAFE_INTEGER)
        for (const member of found) {
          if (await access.mayReadOf({ className, ...member }, principal)) there.add(member.id)
          await pause()
        }
      }
      missing.push(...all.filter(({ id }) => !there.has(id)))
    }
    return missing
  }
}

/** How many members that a body links to are in memory at once. */
const AT_ONCE = 50

/** An object of a class, without an address. */
const valueText = (
  cls: Class,
  written: MemberContent,
  base: string,
  { context = '', cuts }: { readonly context?: string; readonly cuts?: TextChanges['cuts'] } = {},
): string =>
  `{${context}"@type":${JSON.stringify(memberType(cls, base))}${insertBaseUrl(written, base, { cuts })}}`

/** Responds with the return value of the program. An unusable value is a bug of the program: 500 with an id. */
function createAnswer(
  operation: CustomOperation,
  cls: Class | undefined,
  dependencies: CustomOperationDependencies,
) {
  const { model, base, now, store, respond, classes, expandBody } = dependencies
  if (cls === undefined) return () => respond.noContent()
  // The program knows all properties; the user is shown only some.
  const whole = model.classes.find((one) => one.name === cls.name) ?? cls
  const input = createInput(whole, base, expandBody)
  const hidden = classes.get(cls.name)?.access.views?.of(STRANGER).hidden
  const findCuts = createFindCuts(whole, ALL_FIELDS, hidden)
  const context = contextAddress(cls.name, base)
  const inline = `"@context":${JSON.stringify(memberContext(cls, base))},`
  const wrong = (why: string) =>
    new TypeError(`${operation.name} of ${dependencies.cls.name} has returned what is no ${cls.name}: ${why}`)

  return async (
    returned: unknown,
    { request, principal }: RequestContext,
    mediaType: MediaType,
  ): Promise<Response> => {
    const sent = readJson(writeJson(returned) ?? 'null')
    if (!isObject(sent)) throw wrong('it must be an object.')
    const view = classes.get(cls.name)
    if (view !== undefined && sent['@id'] !== undefined) {
      const address = String(sent['@id'])
      const id = idOf(address)
      const found = view.representation.address(id) === address ? await findMember(store, cls, id) : undefined
      const relation = found && (await view.access.relationOf(found, principal))
      if (found === undefined || relation === undefined || !view.access.mayReadBy(relation))
        throw wrong(`there is no member ${address}, or none that this user may read.`)
      const { controlsFor, representation } = view
      const represented = representation.represent(found, mediaType, controlsFor(relation))
      // RFC 9110 §8.7: names the member to which the representation and the ETag belong.
      return respond.send(request, 200, represented, ['Content-Location', address])
    }
    const written = readReturned(sent)
    const cuts = findCuts(written.body)
    const body = () =>
      valueText(cls, written, base, { context: mediaType === PLAIN_JSON ? '' : inline, cuts })
    return respond.send(request, 200, { mediaType, context, etag: undefined, body }, [])
  }

  function readReturned(sent: JsonObject): MemberContent {
    try {
      return input.create(sent, '', now(), { kind: 'restored' })
    } catch (error) {
      throw error instanceof Problem ? wrong(readProblem(error).sentence) : error
    }
  }
}
