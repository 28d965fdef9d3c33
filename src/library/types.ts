import type { AnyApi, Calls, Changes, Representation, Spelled } from 'hydrant-client'
import type { Caller } from '../api/index.ts'
import type { SETTINGS } from '../config/index.ts'
import type { Awaitable } from '../database/index.ts'
import type { Log, MemberActions } from '../service/index.ts'
import type { WebhookDeclaration } from '../webhooks/index.ts'

// The types that "hydrant types" writes for a resource; without them, any member of any collection.
type ClassNameOf<R> = R extends { readonly class: infer Class extends string } ? Class : never
type MemberOf<R> = R extends { readonly member: infer Member } ? Member : Representation
type InputOf<R> = R extends { readonly input: infer Input } ? Input : Readonly<Record<string, unknown>>
type SpelledQueryOf<R> = R extends { readonly query: infer Query } ? Spelled<Query> : never

/** The sender of a request: the id and the roles of a user. */
export type HookPrincipal = Caller

/**
 * The members of a collection, with the same validation, links, hooks and feed as requests; each write is its own
 * commit. A member is named by its id or its address. A refusal is thrown as an HttpError.
 *
 * ```ts
 * const orders = hydrant.members('orders')
 * const { members, next } = await orders.list({ status: 'open', sort: '-placedAt' })
 * await orders.change(members[0]['@id'], { status: 'paid' })
 * ```
 */
export type Members<R> = MemberActions<MemberOf<R>, InputOf<R>, SpelledQueryOf<R>, Changes<MemberOf<R>>>

/** Finds members by the name of their collection, or of a single resource's class. */
export interface MembersOf<Api> {
  <Name extends keyof Api & string>(name: Name): Members<Api[Name]>
  /**
   * Runs a function whose reads and writes are one transaction: all writes are one commit, or none if the function throws.
   * If something that it has read was changed before the commit, it is run again, up to four times in all, then the error
   * is an HttpError 503. So it must have no other effects.
   *
   * ```ts
   * await hydrant.members.transaction(async (tx) => {
   *   const product = await tx('products').find(id)
   *   if (product === undefined || product.stock < 1) throw new HttpError(409, 'Sold out.')
   *   await tx('products').change(id, { stock: product.stock - 1 })
   *   await tx('orders').add({ product: product['@id'] })
   * })
   * ```
   */
  transaction<T>(work: (tx: MembersOf<Api>) => T | Promise<T>): Promise<T>
}

/** The argument of a hook. All values are copies: changing them changes nothing. */
export interface HookWrite<Member, Operation, Api = AnyApi> {
  readonly operation: Operation
  /** The member as it will be written, or was written; for a removal, as it was. */
  readonly member: { -readonly [Name in keyof Member]: Member[Name] }
  /** The member as it was before; undefined for a creation. */
  readonly before: Member | undefined
  /** Undefined for the program itself, and with authentication off. */
  readonly principal: HookPrincipal | undefined
  /** Acts as the principal; `members('orders').asProgram()` acts as the program. */
  readonly members: MembersOf<Api>
}

/** The values of a member; its address and its class may be left out. */
export type Values<Member> = Omit<Member, '@id' | '@type'> & { readonly [K in '@id' | '@type']?: unknown }

type HookedWrite = 'create' | 'replace' | 'update'

/**
 * Code around the writes of a class, synchronous or not. A hook that blocks the thread blocks the process.
 *
 * ```ts
 * beforeWrite({ member }) {
 *   if (member.lines.length === 0) throw violation('lines', 'an order has at least one line.')
 *   member.total = sum(member.lines)
 *   return member
 * }
 * ```
 */
export interface Hooks<Member, Api = AnyApi> {
  /** Runs after validation and before the transaction: returns the values to write instead, or nothing, or throws. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return compiles
  beforeWrite?(write: HookWrite<Member, HookedWrite, Api>): Awaitable<Values<Member> | undefined | void>
  /** Runs after the commit. It is not awaited; an error is logged and changes nothing. */
  afterWrite?(write: HookWrite<Member, HookedWrite | 'delete', Api>): unknown
  /** Runs before the transaction: throws to refuse the removal. */
  beforeDelete?(write: HookWrite<Member, 'delete', Api>): Awaitable<void>
}

/** Keyed by class name. `Api` is what "hydrant types" writes; without it, members may have any property. */
export type HooksOf<Api> = string extends keyof Api
  ? { readonly [className: string]: Hooks<Representation> }
  : {
      readonly [Name in keyof Api as ClassNameOf<Api[Name]>]?: Hooks<MemberOf<Api[Name]>, Api>
    }

/** The argument of a custom operation. All values are copies: changing them changes nothing. */
export interface OperationCall<Member = Representation, Body = unknown, Api = AnyApi> {
  /** The member as it was when the request arrived. */
  readonly member: Member
  /** The request body, checked against `expects`; undefined without `expects`. */
  readonly body: Body
  /** Undefined with authentication off. */
  readonly principal: HookPrincipal | undefined
  /** Acts as the principal; `members('orders').asProgram()` acts as the program. */
  readonly members: MembersOf<Api>
}

/**
 * A custom operation: POST to the address of a member, followed by the name of the operation.
 *
 * ```ts
 * ship: {
 *   title: 'Ship the order',
 *   expects: 'Shipment',
 *   returns: 'Order',
 *   access: 'clerk',
 *   handle: ({ member, body, members }) => members('orders').change(member['@id'], { shipment: body }),
 * }
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: without types of the operation, the body may be anything
export interface CustomOperation<Member = Representation, Api = AnyApi, Body = any, Result = unknown> {
  /** A label for buttons, such as `Ship the order`. By default, the name of the operation. */
  readonly title?: string
  /** The class of the request body. Omit if there is no body. */
  readonly expects?: string
  /** The class of the response: an existing member, by its `@id`, or the values of an object. */
  readonly returns?: string
  /** Roles, `owner`, `everyone` or `nobody`. By default, those who may update the member. */
  readonly access?: string | readonly string[]
  /** Whether `member`, and everything that is done through `members`, is one transaction. It may then run several times. */
  readonly transaction?: boolean
  /** Carries out the operation, synchronously or not. Each write through `members` is its own, unless it is a transaction. */
  handle(call: OperationCall<Member, Body, Api>): Result
}

/** Keyed by class name, then by the name of the operation. */
export type OperationsOf<Api> = string extends keyof Api
  ? { readonly [className: string]: Readonly<Record<string, CustomOperation>> }
  : {
      readonly [Name in keyof Api as ClassNameOf<Api[Name]>]?: OperationsOfMember<MemberOf<Api[Name]>, Api>
    }

/** The types know an operation if "hydrant types" has read it, with `--with` or from a server. Others take any body. */
type OperationsOfMember<Member, Api> = {
  readonly [Name in keyof (Calls<Member> & Record<string, unknown>)]?: Name extends keyof Calls<Member>
    ? CustomOperation<
        Member,
        Api,
        BodyOf<Calls<Member>[Name]>,
        Awaitable<Returned<ResultOf<Calls<Member>[Name]>>>
      >
    : CustomOperation<Member, Api>
}

type BodyOf<F> = F extends (body: infer Body) => unknown ? Body : never
type ResultOf<F> = F extends (body: never) => infer Result ? Result : never

/** Any value, if the operation returns none; a member by its address, or the values of an object. */
type Returned<Result> = Result extends object
  ? // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return compiles
    { readonly '@id': string } | Sendable<Omit<Result, '@id' | '@type'>> | null | undefined | void
  : unknown

/** Numbers are taken for decimals, too, which the types have as texts. */
type Sendable<T> = T extends string
  ? string extends T
    ? T | number
    : T
  : T extends readonly (infer One)[]
    ? readonly Sendable<One>[]
    : T extends object
      ? { readonly [Name in keyof T]: Sendable<T[Name]> }
      : T

/** An event of the feed (docs/live.md), as the program sees it: every change, with its actor. */
export interface FollowerEvent {
  /** The same in every call for this change: by it a repeated call is recognised. */
  readonly id: string
  readonly '@id': string
  readonly '@type': 'Create' | 'Update' | 'Delete'
  readonly object: { readonly '@id': string; readonly '@type': string | readonly string[] }
  /** When the change was made, such as `2026-01-31T12:00:00.000Z`. */
  readonly published: string
  /** The address of the account of the user who made the change; absent where no user did. */
  readonly actor?: string
  /** Absent when the member was deleted. */
  readonly etag?: string
}

/** The argument of a follower. All values are copies. */
export interface FollowedChange<Member = Representation, Api = AnyApi> {
  readonly event: FollowerEvent
  /** The member as it is now, which may be later than the change; undefined when it is gone. */
  readonly member: Member | undefined
  /** The member before this change, where its class keeps a history; undefined for a creation. */
  readonly before: Member | undefined
  /** Acts as the program. */
  readonly members: MembersOf<Api>
}

/**
 * Code that is called for every committed change of some classes: in order by member, at least once, and again after an
 * error, until it succeeds.
 *
 * ```ts
 * mail: {
 *   classes: ['Order'],
 *   async handle({ event, member }) {
 *     if (event['@type'] === 'Create' && member) await send(member.email, event.id)
 *   },
 * }
 * ```
 */
export interface ChangeFollower<Name extends string = string, Member = Representation, Api = AnyApi> {
  readonly classes: readonly Name[]
  handle(change: FollowedChange<Member, Api>): unknown
}

/** Keyed by the name of the follower. `Api` is what "hydrant types" writes; `@type` tells of which class a member is. */
export type FollowersOf<Api> = string extends keyof Api
  ? { readonly [name: string]: ChangeFollower }
  : {
      readonly [name: string]: ChangeFollower<ClassNameOf<Api[keyof Api]>, MemberOf<Api[keyof Api]>, Api>
    }

/**
 * Hooks, operations and followers, as `createHydrant` takes them among its options and `hydrant serve --with` takes them from the
 * default export of a module.
 *
 * ```ts
 * export default { hooks: { Order: { beforeWrite({ member }) { … } } } } satisfies Extensions<CornerShop>
 * ```
 *
 * `defineExtensions` also finds misspelt names in what a hook returns.
 */
export interface Extensions<Api = AnyApi> {
  readonly hooks?: HooksOf<Api>
  readonly operations?: OperationsOf<Api>
  readonly followers?: FollowersOf<Api>
}

/** The text that the command line takes (`'45m'`, `'4MiB'`), or a number, a boolean or a list if the setting is one. */
type OptionValue = string | number | boolean | readonly string[]

/** Every setting of `hydrant serve`, under the same name in camelCase (docs/settings.md). The environment is not read. */
export type Settings = {
  readonly [Name in Exclude<keyof typeof SETTINGS, 'with' | 'watch' | 'webhooks'>]?: OptionValue | undefined
}

/** The options of `createHydrant`. Without `port` nothing listens: requests come through `handle` or `listener`. */
export interface HydrantOptions<Api = AnyApi> extends Settings, Extensions<Api> {
  /** The path of the API file. */
  readonly apiFile?: string
  /** The API file as an object: the short form, or the long form, which has `@context`. */
  readonly api?: object
  /**
   * Where changes are sent (docs/webhooks.md): a list, or the path of a file with one.
   *
   * ```ts
   * webhooks: [{ name: 'billing', url: 'https://billing.example/hook', classes: ['Order'], secretFile: 'billing.secret' }]
   * ```
   */
  readonly webhooks?: string | readonly WebhookDeclaration[]
  /** A logger to use instead of standard output, such as pino. */
  readonly log?: Log
}
