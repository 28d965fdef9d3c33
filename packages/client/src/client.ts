import type { AccountCollection, OwnAccount } from './accounts.ts'
import type {
  AnyApi,
  CollectionNames,
  Link,
  Representation,
  ResourceTypes,
  Reverse,
  SearchQuery,
  SingleNames,
} from './api-types.ts'
import type { Batch, BatchOptions, BatchResult } from './batch.ts'
import type { ChangeEvent, ChangesOptions } from './changes.ts'
import { type Collection, type MemberAsked, methodToAdd, openCollection } from './collection.ts'
import type { AskCredentials, UserCredentials } from './credentials.ts'
import {
  type ClassDescription,
  type Documentation,
  findClass,
  type LinkDescription,
  type OperationDescription,
  readDocumentation,
} from './documentation.ts'
import { ApiError, unknownName } from './errors.ts'
import {
  asConflict,
  createMember,
  getMember,
  type MemberClient,
  prepareWrite,
  strong,
  takeMember,
} from './member.ts'
import type { HistoryOptions, MemberEntry } from './member-types.ts'
import type { CheckedFields } from './query-types.ts'
import { type AbortOptions, createRequest, type ReadOptions, type RequestOptions, read } from './request.ts'
import { addParameters } from './search-template.ts'
import { ClientSession } from './session.ts'
import { type JsonLdNode, linkIn } from './terms.ts'
import { type ApiResponse, createTransport, interruptible, pause, type WireRecord } from './transport.ts'

/** The start of every API. */
export interface EntryPoint {
  readonly iri: string
  /** Addresses by name: collections, single resources, the session. */
  readonly links: Readonly<Record<string, string>>
  /** The address of the documentation. */
  readonly documentation: string
  readonly data: Representation
}

export interface ClientOptions {
  /** The address of the API's entry point. */
  readonly base: string
  /** The credentials, or a function that asks the user for them. An API without authentication needs none. */
  readonly credentials?: UserCredentials | AskCredentials | undefined
  /** A token that was issued before, used until it expires. */
  readonly token?: string | undefined
  /** The longest pause, in seconds, before the client repeats a request; 10 by default. */
  readonly patience?: number | undefined
  /** Called with every request and response, without secrets. */
  readonly observe?: ((record: WireRecord) => void) | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface Client<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi> {
  readonly base: string
  entryPoint(options?: AbortOptions): Promise<EntryPoint>
  documentation(options?: AbortOptions): Promise<Documentation>
  /** The collections of the entry point, as the documentation describes them. */
  collections(options?: AbortOptions): Promise<readonly CollectionDescription[]>
  collection<Name extends CollectionNames<Api>>(name: Name): Collection<Api[Name]>
  collectionAt<T extends object = Representation>(iri: Reverse<T>): Collection<MembersAt<T>>
  /** A single resource, by its name in the entry point. */
  single<Name extends SingleNames<Api>, const P extends string = never, const F extends string = never>(
    name: Name,
    options?: ReadOptions<P, F> & { readonly fields?: CheckedFields<Api[Name]['member'], F> },
  ): Promise<MemberAsked<Api[Name]['member'], P, F>>
  get<T extends object = Representation, const P extends string = never, const F extends string = never>(
    link: Link<T>,
    options?: ReadOptions<P, F> & { readonly fields?: CheckedFields<T, F> },
  ): Promise<MemberAsked<T, P, F>>
  /** The changes of the member at an address, newest first, also if the member was deleted. */
  history<T extends object = Representation>(
    link: Link<T>,
    options?: HistoryOptions,
  ): AsyncGenerator<MemberEntry<T>, void>
  /** Carries out all operations that `collect` adds, or none, in one transaction; the results are in the same order. */
  batch(collect: (batch: Batch<Api>) => unknown, options?: BatchOptions): Promise<readonly BatchResult[]>
  /** Changes as they happen, for `for await`: reconnects, resumes and signs in again by itself. */
  changes(options?: ChangesOptions): AsyncGenerator<ChangeEvent, void>
  /** Carries out an operation that the documentation declares. */
  perform(operation: OperationDescription, iri: string, options?: RequestOptions): Promise<ApiResponse>
  /** Sends any other request; throws an `ApiError` if it is refused. */
  request(method: string, iri: string, options?: RequestOptions): Promise<ApiResponse>
  /** Exchanges credentials for a token now; otherwise the first request does, if the API is protected. */
  signIn(credentials?: UserCredentials): Promise<void>
  /** The user's credentials have changed: later exchanges use these. The token stays. */
  replaceCredentials(credentials: UserCredentials): void
  /** Revokes the token, if the API can do that, and forgets token and credentials. */
  signOut(options?: AbortOptions): Promise<void>
  /** The account of the user who is signed in. */
  account(options?: AbortOptions): Promise<OwnAccount>
  /** The accounts of all users, for those who may see more than their own. */
  accounts(): Promise<AccountCollection>
  /** The user of the token and its expiry; undefined without a token. */
  session(options?: AbortOptions): Promise<TokenSession | undefined>
}

/** The members of a collection whose queries have no types. */
interface MembersAt<T extends object> extends ResourceTypes {
  readonly member: T
  readonly input: Readonly<Record<string, unknown>>
  readonly query: SearchQuery
}

export interface CollectionDescription extends Pick<LinkDescription, 'name' | 'description' | 'operations'> {
  readonly iri: string
  /** The class of its members. */
  readonly memberClass: ClassDescription | undefined
}

export interface TokenSession {
  /** Undefined if the API does not say. */
  readonly user: number | undefined
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export function createClient<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi>(
  options: ClientOptions,
): Client<Api> {
  const { origin, pathname } = readBase(options.base)
  const address = origin + pathname
  const base = address.replace(/\/+$/, '')
  const session = new ClientSession({
    ...options,
    address,
    base,
    send: createTransport(options.fetch ?? fetch, options.observe),
  })
  const request = createRequest(base, () => session.begin(), options.patience ?? 10)
  const entryPoint = remember(async () => readEntryPoint(await read(request, address), base))
  const describe = remember(async () =>
    readDocumentation(await read(request, (await entryPoint()).documentation)),
  )
  const templates = new Map()
  const linkNamed = async (name: string, given?: AbortOptions) => findLink(await entryPoint(given), name)
  const sessionLink = async (given?: AbortOptions) => (await entryPoint(given)).links.session

  const accounts = async () => (await import('./accounts.ts')).openAccounts(client)

  const client: Client & MemberClient = {
    base,
    entryPoint,
    documentation: (given) => entryPoint(given).then(() => describe(given)),
    request,
    signIn: (credentials) => session.signIn(credentials),
    replaceCredentials: (credentials) => session.replace(credentials),
    get: (iri: string, given?: ReadOptions) => getMember(client, iri, given) as never,
    single: async (name, given) => client.get(await linkNamed(name, given), given) as never,
    collection: (name) => openCollection(client, templates, (given) => linkNamed(name, given)),
    collectionAt: (iri: string) =>
      openCollection(client, templates, async () => new URL(iri, `${base}/`).href) as never,
    async *history(link: string, given?: HistoryOptions) {
      const iri = new URL(link, `${base}/`).href
      yield* (await client.histories()).of({ iri }, given) as AsyncGenerator<never, void>
    },
    // Batches, changes, accounts and histories are loaded when they are used: a bundler keeps them apart.
    async histories() {
      const { createHistories } = await import('./history.ts')
      const parts = { createMember, takeMember, asConflict, strong }
      return createHistories({ client, read, addParameters, ...parts })
    },
    async batch(collect, given) {
      const { sendBatch } = await import('./batch.ts')
      return sendBatch({ ...client, linkNamed, methodToAdd, prepareWrite, asConflict }, collect, given)
    },
    async *changes(given = {}) {
      const { follow } = await import('./changes.ts')
      yield* follow({ request, pause, addParameters, ApiError }, await linkNamed('events', given), given)
    },
    account: async (given) => (await accounts()).own(given),
    accounts,
    perform: (operation, iri, given) => request(operation.method, iri, { ...operation, ...given }),
    collections: async (given) => listCollections(await entryPoint(given), await client.documentation(given)),
    signOut: (given) => session.leave(() => sessionLink(given), given?.signal),

    async session(given) {
      const issuedAt = await session.issuedAt()
      if (!issuedAt) return undefined
      const link = await sessionLink(given)
      return readTokenSession(link ? (await client.get(link, given)).data : {}, issuedAt)
    },
  }
  return client as unknown as Client<Api>
}

/**
 * To a parser `localhost:8080` is an address as well, of the scheme `localhost:`. The message does not repeat the base, which
 * may contain credentials.
 */
function readBase(base: string): URL {
  const url = URL.parse(base)
  if (url && /^https?:/.test(url.href)) return url
  const sentence = 'base must be an address such as http://localhost:8080/api.'
  throw new ApiError('malformed', sentence, { code: 'invalid-base' })
}

function findLink({ links, iri }: EntryPoint, name: string): string {
  if (typeof links[name] === 'string') return links[name]
  throw unknownName('unknown-link', `${iri} has no ${name}`, Object.keys(links))
}

const listCollections = ({ links }: EntryPoint, documentation: Documentation): CollectionDescription[] =>
  Object.entries(links).flatMap(([name, iri]) => {
    const found = documentation.links.find((link) => link.name === name)
    if (!found?.isCollection) return []
    return { ...found, iri, memberClass: findClass(documentation.classes, found.memberClass) }
  })

/** `issuedAt`: by this machine's clock, in case the API does not send it. */
const readTokenSession = (data: Partial<Representation>, issuedAt: number): TokenSession => ({
  user: data.user,
  issuedAt: new Date(data.issuedAt ?? issuedAt),
  // seed.md, step C.
  expiresAt: new Date(data.expiresAt ?? issuedAt + 45 * 60_000),
})

function readEntryPoint({ data, headers, id, one }: JsonLdNode, base: string): EntryPoint {
  const links = Object.entries(data).flatMap(([key, value]) => {
    const link = one(key)?.id
    // The list of all collections has no name of its own.
    return link && key[0] !== '@' && !Array.isArray(value) ? [[key, link]] : []
  })
  const named = linkIn(headers, 'core#apiDoc')
  return {
    iri: id as string,
    links: Object.fromEntries(links),
    documentation: new URL(named ?? 'vocab', `${base}/`).href,
    data: data as Representation,
  }
}

/** Concurrent callers share one request. Failures are not kept, nor requests that were aborted, which may never end. */
function remember<T>(find: () => Promise<T>): (options?: AbortOptions) => Promise<T> {
  let found: Promise<T> | undefined
  let finding: Promise<T> | undefined
  return async (options) => {
    finding ??= found ?? find()
    const mine = finding
    try {
      await interruptible(mine, options?.signal)
      found = mine
      return mine
    } finally {
      if (finding === mine) finding = undefined
    }
  }
}
