// `members`, with which programs read and write: sends requests to the same resources, without HTTP.
import { apiProblem, type Dispatch, HttpError, limitHookDepth, readProblem } from '../api/index.ts'
import type { Principal } from '../auth/index.ts'
import type { Request, Response } from '../http/index.ts'
import { writeJson } from '../json.ts'
import { Problem } from '../problem.ts'
import { withUsualEncodings } from '../text.ts'
import {
  type Class,
  isAccount,
  type Model,
  OPERATIONS,
  pathOf,
  pathTo,
  storedClasses,
} from '../vocabulary/index.ts'
import { startProblem, toProgramError } from './problems/index.ts'

type ProgramValues = Readonly<Record<string, unknown>>

/** What a program can do with the members of one collection, or with a single resource (library/types.ts). */
export interface MemberActions<
  Member = ProgramValues,
  Input = ProgramValues,
  Query = ProgramValues,
  Changes = ProgramValues,
> {
  /** Undefined if there is no such member, or none that may be read. */
  find(id: string): Promise<Member | undefined>
  /** A page of members, by filters, orders and cursors as in a query. `next` is the query of the next page. */
  list(query?: Query): Promise<{
    readonly members: readonly Member[]
    /** Undefined if more than 1,000 members match a filter. */
    readonly total: number | undefined
    readonly next: Query | undefined
  }>
  add(values: Input): Promise<Member>
  /** Properties that are not named stay, null removes one (RFC 7396). */
  change(id: string, changes: Changes): Promise<Member>
  /** Returns whether the member existed. */
  remove(id: string): Promise<boolean>
  /** The same members without access rules: for work that a program does on its own behalf. */
  asProgram(): MemberActions<Member, Input, Query, Changes>
}

/** Finds members by the name of their collection or single resource in addresses. */
export interface MembersByName {
  (name: string): MemberActions
  /** Runs a function whose writes are one commit, or none if it throws; again if other writers are faster. */
  transaction<T>(work: (members: MembersByName) => T | Promise<T>): Promise<T>
}

/** How members are read and written. */
interface MembersAccess {
  readonly dispatch: Dispatch
  /** Uses the model of `forProgram`. */
  readonly dispatchAsProgram: Dispatch
  /** Runs a function with the members of a transaction, as a principal sees them. */
  transact<T>(principal: Principal | undefined, work: (members: MembersByName) => T | Promise<T>): Promise<T>
  /** For the members of a transaction: see `RunningTransaction.track`. */
  track?<T>(call: Promise<T>): Promise<T>
}

/** `members` for a principal; undefined is the program itself. */
export type MembersAs = (principal: Principal | undefined) => MembersByName

/** The model for the program itself: without access rules, and with all operations. */
export const forProgram = (model: Model): Model => ({
  ...model,
  access: undefined,
  classes: model.classes.map((cls) =>
    pathOf(cls) === undefined ? cls : { ...cls, operations: new Set(OPERATIONS) },
  ),
})

export function createMembers({
  model,
  base,
}: {
  readonly model: Model
  readonly base: string
}): (by: MembersAccess) => MembersAs {
  const classes = new Map(storedClasses(forProgram(model)).map((cls) => [pathOf(cls) ?? '', cls]))
  const mount = new URL(base).pathname.replace(/\/$/, '')

  return (by) => (principal) => {
    const byName = (name: string): MemberActions => {
      const cls = classes.get(name)
      if (cls === undefined)
        throw toProgramError(startProblem('NoSuchMembers', { name, known: [...classes.keys()] }))
      return membersOf(cls, principal, by)
    }
    const transaction: MembersByName['transaction'] = (work) =>
      unwrapProblems(() => by.transact(principal, work))
    return Object.assign(byName, { transaction })
  }

  function membersOf(cls: Class, principal: Principal | undefined, by: MembersAccess): MemberActions {
    const own = pathTo(pathOf(cls) ?? '')
    const path = mount + own
    const isSingle = cls.collection === undefined
    // An id may also be the address of its member. Any other address is left as it is, and no member has such an id.
    const prefixes = [`${base}${own}/`, `${path}/`, `${own.slice(1)}/`]
    const idOf = (text: string): string =>
      text.slice(prefixes.find((prefix) => withUsualEncodings(text).startsWith(prefix))?.length ?? 0)
    const targetOf = (id: string): string => (isSingle ? path : `${path}/${encodeURIComponent(idOf(id))}`)
    const creation = cls.methods.create[0] ?? 'POST'

    async function send(method: string, target: string, body?: ProgramValues, type = 'application/json') {
      if (method !== 'GET') await unwrapProblems(limitHookDepth)
      // Users are in other tables, which no transaction of members reaches.
      if (method !== 'GET' && by.track !== undefined && isAccount(cls))
        throw toProgramError(startProblem('AccountsInTransaction', {}))
      const request = requestOf(method, target, { body, type })
      const run = principal === undefined ? by.dispatchAsProgram : by.dispatch
      // Only the feed is streamed, and no request here is for the feed.
      return (await unwrapProblems(async () => run(request, principal))) as Response
    }

    const actions: MemberActions = {
      find: async (id) => unless(MISSING_OR_GONE, send('GET', targetOf(id)).then(read)),
      async list(query = {}) {
        const { member, totalItems, view } = read(
          await send('GET', `${path}?${toQuery(query)}`),
        ) as unknown as MembersPage
        const next = view?.next === undefined ? undefined : fromQuery(new URL(view.next, base).searchParams)
        return { members: member, total: totalItems, next }
      },
      add: async (values) => read(await send(creation, path, values)),
      async change(id, changes) {
        const changing = send('PATCH', targetOf(id), changes, 'application/merge-patch+json').then(read)
        // A 410 stays: it says where the history of the member is.
        const changed = await unless(MISSING, changing)
        if (changed !== undefined) return changed
        throw toHttpError(
          apiProblem('MemberNotFound', { collection: pathOf(cls) ?? '', id: id.slice(0, 128) }),
        )
      },
      remove: async (id) => (await unless(MISSING_OR_GONE, send('DELETE', targetOf(id)))) !== undefined,
      asProgram: () => membersOf(cls, undefined, by),
    }
    return by.track === undefined ? actions : tracked(actions, by.track)
  }
}

/** Every call of a transaction's members has to end before the function of the transaction does. */
const tracked = (actions: MemberActions, track: NonNullable<MembersAccess['track']>): MemberActions => ({
  find: (id) => track(actions.find(id)),
  list: (query) => track(actions.list(query)),
  add: (values) => track(actions.add(values)),
  change: (id, changes) => track(actions.change(id, changes)),
  remove: (id) => track(actions.remove(id)),
  asProgram: actions.asProgram,
})

/** A request as a client would send it over HTTP. */
function requestOf(
  method: string,
  target: string,
  { body, type }: { readonly body: ProgramValues | undefined; readonly type: string },
): Request {
  const preconditions = ['PATCH', 'DELETE'].includes(method) ? { 'if-match': '*' } : {}
  const bytes = Buffer.from(writeJson(body) ?? '')
  return {
    ...{ method, target, rawHeaders: [], address: '', bodyLength: bytes.length },
    headers: { accept: 'application/json', 'content-type': type, ...preconditions },
    drain: async () => true,
    readBody: async () => bytes,
  }
}

interface MembersPage {
  readonly member: readonly ProgramValues[]
  readonly totalItems?: number
  readonly view?: { readonly next?: string }
}

/** Programs get the status and the sentence of a problem, too (library.md). */
async function unwrapProblems<T>(run: () => T): Promise<Awaited<T>> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Problem ? toHttpError(error) : error
  }
}

function toHttpError(problem: Problem): HttpError {
  const { status, sentence, headers = [], violations, code } = readProblem(problem)
  return new HttpError(status, sentence, { headers, violations, code, cause: problem })
}

/** 412 means missing too: requests have `If-Match: *`, since the settings may require the header. */
const MISSING = [404, 412]
/** 410: its class has a history, which remembers that it was deleted. */
const MISSING_OR_GONE = [...MISSING, 410]

/** Undefined if the work is refused with one of these statuses. */
const unless = <T>(statuses: readonly number[], work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof HttpError && statuses.includes(error.status)) return undefined
    throw error
  })

/** If a member may be created but not read, the response has no body, only the address. */
function read({ body, headers }: Response): ProgramValues {
  if (body) return JSON.parse(String(body))
  return { '@id': headers[headers.indexOf('Location') + 1] }
}

/** A list matches any of its values; undefined is left out. */
function toQuery(query: ProgramValues): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) asked.append(name, String(one))
  return asked.toString()
}

const fromQuery = (query: URLSearchParams): ProgramValues =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const all = query.getAll(name)
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
