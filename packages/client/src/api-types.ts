/** An address; its type also says what is there. */
export type Link<T> = string & { readonly __target?: T }

/** The address of the members that link to a member; its type also says what they are. */
export type Reverse<T> = string & { readonly __members?: T }

/** The address of a custom operation; its type also says what the operation takes and what it returns. */
export type Call<Body, Result> = string & {
  readonly __call?: undefined extends Body ? (body?: Body) => Result : (body: Body) => Result
}

/** The custom operations of a member; any name, if the member has no type. */
export type Calls<T> = string extends keyof T
  ? Readonly<Record<string, (body?: object) => Representation>>
  : {
      readonly [Name in keyof T as '__call' extends keyof NonNullable<T[Name]> ? Name : never]-?: CallIn<
        T[Name]
      >
    }

type CallIn<V> = V extends { readonly __call?: infer F } ? Extract<F, (body: never) => unknown> : never

/** Any resource, for programs without types of their API. */
export interface Representation {
  readonly '@id': string
  readonly '@type': string | readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: without types of the API, a property may be anything
  readonly [property: string]: any
}

/** The types that `hydrant types` writes for a collection or a single resource. */
export interface ResourceTypes {
  /** The name of its class, under which `createHydrant` takes its hooks. */
  readonly class?: string
  readonly member: object
  readonly input: object
  readonly query?: object
}

/** Values by the names of the template's variables. A list asks for any of its values, if the template allows lists. */
export type SearchQuery = Readonly<Record<string, unknown>>

/** A query with its operators as in the types (`pages.gte`) or in brackets (`pages[gte]`, `exists[pages]`). */
export type Spelled<Q> = Q & { readonly [Name in keyof Q as Bracketed<Name>]?: Q[Name] }

type Bracketed<Name> = Name extends `${infer Property}.${infer Operator extends OperatorName}`
  ? Operator extends 'exists'
    ? `exists[${Property}]`
    : `${Property}[${Operator}]`
  : never

type OperatorName = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'contains' | 'exists'

export interface AnyResource {
  readonly member: Representation
  readonly input: Readonly<Record<string, unknown>>
  readonly query: SearchQuery
}

/** The paths that a collection can include; any path, if it has no types. */
export type PathOf<R extends ResourceTypes> = R extends { readonly query: infer Q }
  ? string extends keyof Q
    ? string
    : Q extends { readonly include?: infer I }
      ? Extract<I, string>
      : never
  : string

/** A member with its included members. A link to a member that the user may not read stays an address. */
export type Including<T, Path extends string> = [Path] extends [never]
  ? T
  : { [Key in keyof T]: Key extends First<Path> ? IncludedValue<T[Key], Rest<Path, Key>> : T[Key] }

export type First<Path> = Path extends `${infer Name}.${string}` ? Name : Path
export type Rest<Path, Name extends string> = Path extends `${Name}.${infer Next}` ? Next : never

type IncludedValue<V, Path extends string> = V extends readonly (infer One)[]
  ? IncludedValue<One, Path>[]
  : V extends string
    ? '__members' extends keyof V
      ? V | (V extends Reverse<infer T> ? IncludedMembers<Including<T, Path>> : never)
      : V extends { readonly __target?: infer T }
        ? V | Including<NonNullable<T>, Path>
        : V
    : Including<V, Path>

/** The first page of the members that link to a member, in the place of its address. */
export interface IncludedMembers<T> {
  readonly '@id': Reverse<T>
  readonly '@type': string | readonly string[]
  readonly totalItems?: number
  readonly member: readonly T[]
  readonly view?: { readonly '@id': string; readonly next?: string }
}

export type AnyApi = Readonly<Record<string, AnyResource>>

/** The names of collections: a single resource has no queries. */
export type CollectionNames<Api> = {
  [Name in keyof Api & string]: Api[Name] extends { readonly query: object } ? Name : never
}[keyof Api & string]

/** The names of single resources; any name, if the API has no types. */
export type SingleNames<Api> = {
  [Name in keyof Api & string]: string extends Name ? Name : Exclude<Name, CollectionNames<Api>>
}[keyof Api & string]

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type WritableKeys<T> = {
  [Key in keyof T]-?: IsSame<{ [K in Key]: T[K] }, { -readonly [K in Key]: T[K] }> extends true ? Key : never
}[keyof T]

/** The body of a replacement: all properties except those that only the server writes. */
export type Replacement<T> = string extends keyof T
  ? Readonly<Record<string, unknown>>
  : Pick<T, WritableKeys<T>>

/** RFC 7396: a property that is not named stays, null removes it. */
export type Changes<T> = string extends keyof T
  ? Readonly<Record<string, unknown>>
  : { readonly [Key in WritableKeys<T>]?: ChangedValue<T[Key]> | null }

/** Lists and included members are replaced as a whole; embedded values and texts by language are changed key by key. */
type ChangedValue<V> = V extends readonly (infer One)[]
  ? readonly One[]
  : V extends string | number | boolean | { readonly '@id': unknown }
    ? V
    : true extends IsSame<V, object> | IsSame<V, unknown>
      ? V
      : { readonly [Key in keyof V]?: ChangedValue<V[Key]> | null }
