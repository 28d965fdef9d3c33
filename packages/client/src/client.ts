import type {
  AnyApi,
  CollectionNames,
  Including,
  Link,
  Representation,
  ResourceTypes,
  SingleNames,
} from './api-types.ts'
import type { Batch, BatchOptions, BatchResult } from './batch.ts'
import type { ChangeEvent, ChangesOptions } from './changes.ts'
import { type Collection, openCollection } from './collection.ts'
import {
  type ClassDescription,
  type Documentation,
  findClass,
  type LinkDescription,
  type OperationDescription,
  readDocumentation,
} from './documentation.ts'
import { ApiError } from './errors.ts'
import { getMember, type Member } from './member.ts'
import { type AskCredentials, createSession, type UserCredentials } from './session.ts'
import type { JsonLdNode } from './terms.ts'
import {
  type AbortOptions,
  type ApiResponse,
  createRequest,
  createTransport,
  interruptible,
  type ReadOptions,
  type RequestOptions,
  read,
  type WireRecord,
} from './transport.ts'

/** Where everything begins. */
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
  /** Of the user, or a function that asks for them each time when a user has to sign in. Not needed by an open API. */
  readonly credentials?: UserCredentials | AskCredentials | undefined
  /** A token that was issued before, which is used until it ends. */
  readonly token?: string | undefined
  /** The longest wait, in seconds, before a request is sent again by itself; 10 by default. */
  readonly patience?: number | undefined
  /** Called with every request and response, without secrets. */
  readonly observe?: ((record: WireRecord) => void) | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface Client<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi> {
  readonly base: string
  entryPoint(options?: AbortOptions): Promise<EntryPoint>
  documentation(options?: AbortOptions): Promise<Documentation>
  /** What the entry point leads to, with what the documentation says of it. */
  collections(options?: AbortOptions): Promise<readonly CollectionDescription[]>
  collection<Name extends CollectionNames<Api>>(name: Name): Collection<Api[Name]>
  collectionAt(iri: string): Collection
  /** What the entry point has under a name, where that is one resource and no collection. */
  single<Name extends SingleNames<Api>, const P extends string = never>(
    name: Name,
    options?: ReadOptions<P>,
  ): Promise<Member<Including<Api[Name]['member'], P>>>
  get<T extends object = Representation, const P extends string = never>(
    link: Link<T>,
    options?: ReadOptions<P>,
  ): Promise<Member<Including<T, P>>>
  /** Carries out all that `collect` names, in one transaction, or nothing of it; the results are in the same order. */
  batch(collect: (batch: Batch<Api>) => unknown, options?: BatchOptions): Promise<readonly BatchResult[]>
  /** Changes as they happen, with `for await`: connects, resumes and signs in anew by itself. */
  changes(options?: ChangesOptions): AsyncGenerator<ChangeEvent, void>
  /** Carries out an operation that the documentation declares. */
  perform(operation: OperationDescription, iri: string, options?: RequestOptions): Promise<ApiResponse>
  /** Any other request; one that is refused is an `ApiError`. */
  request(method: string, iri: string, options?: RequestOptions): Promise<ApiResponse>
  /** Exchanges now, where the API is protected: otherwise the first request does. */
  signIn(credentials?: UserCredentials): Promise<void>
  /** Revokes the token, where the API can, and forgets token and credentials. */
  signOut(options?: AbortOptions): Promise<void>
  /** Whose token it is and when it ends; undefined without one. */
  session(options?: AbortOptions): Promise<TokenSession | undefined>
}

export interface CollectionDescription extends Pick<LinkDescription, 'name' | 'description' | 'operations'> {
  readonly iri: string
  /** Of its members. */
  readonly memberClass: ClassDescription | undefined
}

export interface TokenSession {
  /** Undefined where the API does not tell. */
  readonly user: number | undefined
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export function createClient<Api extends { readonly [Name in keyof Api]: ResourceTypes } = AnyApi>(
  options: ClientOptions,
): Client<Api> {
  const { origin, pathname } = new URL(options.base)
  const address = origin + pathname
  const base = address.replace(/\/+$/, '')
  const session = createSession(
    address,
    base,
    options.credentials,
    createTransport(options.fetch ?? fetch, options.observe),
    options.token,
  )
  const request = createRequest(base, session.begin, options.patience ?? 10)
  const entryPoint = remember(async () => readEntryPoint(await read(request, address), base))
  const describe = remember(async () =>
    readDocumentation(await read(request, (await entryPoint()).documentation)),
  )
  const documentation = async (given?: AbortOptions) => {
    await entryPoint(given)
    return describe(given)
  }
  const templates = new Map()
  const sessionLink = async (given?: AbortOptions) => (await entryPoint(given)).links.session

  const client: Client = {
    base,
    entryPoint,
    documentation,
    request,
    signIn: session.signIn,
    get: (iri: string, given?: ReadOptions) => getMember(client, iri, given) as never,
    single: async (name, given) => client.get(await linkNamed(name, given), given) as never,
    collection: (name) => openCollection(client, templates, (given) => linkNamed(name, given)),
    collectionAt: (iri) => openCollection(client, templates, async () => new URL(iri, `${base}/`).href),
    // Loaded when they are used: a bundler keeps them apart.
    async batch(collect, given) {
      const { sendBatch } = await import('./batch.ts')
      return sendBatch({ ...client, linkNamed }, collect, given)
    },
    async *changes(given = {}) {
      const { follow } = await import('./changes.ts')
      yield* follow(request, await linkNamed('events', given), given)
    },
    perform: (operation, iri, given) => request(operation.method, iri, { ...operation, ...given }),

    async collections(given) {
      const { links } = await entryPoint(given)
      const { classes, links: described } = await documentation(given)
      return Object.entries(links).flatMap(([name, iri]) => {
        const found = described.find((link) => link.name === name)
        return found?.isCollection
          ? { ...found, iri, memberClass: findClass(classes, found.memberClass) }
          : []
      })
    },

    signOut: (given) => session.leave(() => sessionLink(given), given?.signal),

    async session(given) {
      const issued = await session.issuedAt()
      if (!issued) return undefined
      const link = await sessionLink(given)
      const data: Partial<Representation> = link ? (await client.get(link, given)).data : {}
      return {
        user: data.user,
        issuedAt: new Date(data.issuedAt ?? issued),
        // seed.md, step C.
        expiresAt: new Date(data.expiresAt ?? issued + 45 * 60_000),
      }
    },
  }
  return client as unknown as Client<Api>

  async function linkNamed(name: string, given?: AbortOptions): Promise<string> {
    const { links, iri } = await entryPoint(given)
    if (typeof links[name] === 'string') return links[name]
    throw new ApiError('not-found', `${iri} has no ${name}, but ${Object.keys(links)}.`)
  }
}

function readEntryPoint({ data, headers, id, one }: JsonLdNode, base: string): EntryPoint {
  const links = Object.entries(data).flatMap(([key, value]) => {
    const link = one(key)?.id
    // A list is the one of all collections.
    return link && key[0] !== '@' && !Array.isArray(value) ? [[key, link]] : []
  })
  const named = headers?.get('link')?.match(/<([^<>]+)>[^<]*core#apiDoc/)?.[1]
  return {
    iri: id as string,
    links: Object.fromEntries(links),
    documentation: new URL(named ?? 'vocab', `${base}/`).href,
    data: data as Representation,
  }
}

/** Concurrent callers share one request. Neither a failure is kept, nor what a caller gave up before it came: it may never. */
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
