import type {
  First,
  IncludedMembers,
  Including,
  ResourceTypes,
  Rest,
  Reverse,
  SearchQuery,
} from './api-types.ts'

/** Stands for the value of a name that the API does not have: nothing can be assigned to it. */
export interface NoSuchName<Name> {
  readonly __unknown: Name
}

/** Parameters that are not about a property, and so cannot be at the end of a path. */
export type GeneralName =
  | 'q'
  | 'include'
  | 'fields'
  | 'sort'
  | 'page'
  | 'itemsPerPage'
  | 'after'
  | 'before'
  | '__steps'

/** The query type of a collection; any names and values, if it has no types. */
export type QueryOf<R extends ResourceTypes> = R extends { readonly query: infer Q } ? Q : SearchQuery

/**
 * The steps that a path can take from a class: the names of its links, embedded values and reverse links, each with the
 * query type of the class that it leads to, in a list if it has many values. Paths are checked step by step instead of
 * being listed: classes that link to each other have thousands of them.
 */
type StepsOf<Q> = Q extends { readonly __steps?: infer Steps } ? NonNullable<Steps> : object

type One<V> = V extends readonly (infer Item)[] ? Item : V

/** `p[gte]` is `p.gte`, and `exists[p]` is `p.exists`. */
type Dotted<Name extends string> = Name extends `exists[${infer Path}]`
  ? `${Path}.exists`
  : Name extends `${infer Path}[${infer Operator}]`
    ? `${Path}.${Operator}`
    : Name

/** A path has at most four names, so three steps. */
type MostSteps = [0, 0, 0]

/** The value of a filter, by the path of its property and its operator. */
export type FilterAt<Q, Name extends string, Left extends readonly 0[] = MostSteps> = Name extends GeneralName
  ? NoSuchName<Name>
  : Name extends keyof Q
    ? Exclude<Q[Name], undefined>
    : Name extends `${infer Step}.${infer Next}`
      ? [Left, Step] extends [readonly [0, ...infer Fewer extends readonly 0[]], keyof StepsOf<Q>]
        ? FilterAt<One<StepsOf<Q>[Step & keyof StepsOf<Q>]>, Next, Fewer>
        : NoSuchName<Name>
      : NoSuchName<Name>

/** An order follows only steps with a single value. */
type OrderAt<Q, Path extends string, Left extends readonly 0[] = MostSteps> = `order[${Path}]` extends keyof Q
  ? 'asc' | 'desc'
  : Path extends `${infer Step}.${infer Next}`
    ? [Left, Step] extends [readonly [0, ...infer Fewer extends readonly 0[]], keyof StepsOf<Q>]
      ? StepsOf<Q>[Step & keyof StepsOf<Q>] extends readonly unknown[]
        ? NoSuchName<Path>
        : OrderAt<StepsOf<Q>[Step & keyof StepsOf<Q>], Next, Fewer>
      : NoSuchName<Path>
    : NoSuchName<Path>

export type FilterValue<Q, Name> = Name extends string ? FilterAt<Q, Dotted<Name>> : never

/** `order[gt]` is a filter if a property is called `order`. */
type AskedValue<Q, Name> = Name extends `order[${infer Path}]`
  ? `order.${Path}` extends keyof Q
    ? FilterValue<Q, Name>
    : OrderAt<Q, Path>
  : FilterValue<Q, Name>

/** Groups of alternatives, by letters or numbers. Each filter is an alternative, and so is each value of a list. */
export type CheckedOr<Q, Groups> = Groups extends readonly unknown[]
  ? NoSuchName<'or'>
  : {
      readonly [Group in keyof Groups]: IsGroup<Group> extends true
        ? {
            readonly [Name in keyof Groups[Group]]: Name extends 'q'
              ? Alternatives<string>
              : Alternatives<FilterValue<Q, Name>>
          }
        : NoSuchName<Group>
    }

type IsGroup<Group> = Group extends number | `${number}`
  ? true
  : Group extends `${infer _Letter}${infer More}`
    ? More extends ''
      ? true
      : false
    : false

type Alternatives<V> = V | readonly One<V>[] | undefined

/** The names in a value such as `'title'` or `['title', 'pages']`. */
export type NamesIn<V> = V extends string
  ? V
  : V extends readonly (infer Name extends string)[]
    ? Name
    : never

/** The names that a query has for a parameter such as `include`. */
export type PathsIn<Asked, Parameter extends string> = Asked extends {
  readonly [Name in Parameter]?: infer V
}
  ? NamesIn<V>
  : never

/** A query; names and values are checked one by one, whatever the number of paths that the collection understands. */
export type CollectionQuery<R extends ResourceTypes, Asked> = Asked &
  KnownNames<QueryOf<R>> &
  CheckedQuery<R['member'], QueryOf<R>, Asked>

/** The names that editors suggest. Undefined values are left out of a query. */
type KnownNames<Q> = string extends keyof Q ? Q : { readonly [Name in keyof Q]?: Q[Name] | undefined }

type CheckedQuery<T, Q, Asked> = {
  readonly [Name in keyof Asked]: Name extends keyof Q
    ? Name extends 'fields'
      ? CheckedFields<T, NamesIn<Asked[Name]>>
      : unknown
    : ['or', '__steps'] extends [Name, keyof Q]
      ? CheckedOr<Q, Asked[Name]>
      : AskedValue<Q, Name> | undefined
}

export type CheckedFields<T, Field extends string> =
  | FieldAt<T, Field>
  | readonly FieldAt<T, Field>[]
  | undefined

/** The path itself if the member has such a field. */
type FieldAt<T, Path extends string> = string extends Path | keyof T
  ? Path
  : Path extends string
    ? HasField<T, Path> extends true
      ? Path
      : NoSuchName<Path>
    : never

type HasField<T, Path extends string, Left extends readonly 0[] = MostSteps> = Path extends keyof T
  ? true
  : Path extends `${infer Step}.${infer Next}`
    ? [Left, Step] extends [readonly [0, ...infer Fewer extends readonly 0[]], keyof T]
      ? HasField<Target<T[Step & keyof T]>, Next, Fewer>
      : false
    : false

/** The class that a link, an embedded value or a reverse link leads to. */
type Target<V> =
  One<NonNullable<V>> extends infer Item
    ? Item extends string
      ? '__members' extends keyof Item
        ? Item extends Reverse<infer T>
          ? T
          : never
        : '__target' extends keyof Item
          ? Item extends { readonly __target?: infer T }
            ? NonNullable<T>
            : never
          : never
      : Item
    : never

/** A member as a query asks for it: with included members, and with only some of its fields. */
export type ShownMember<T, Include extends string, Field extends string> = Selected<
  Including<T, Include>,
  Field
>

type Selected<T, Field extends string> = [Field] extends [never]
  ? T
  : string extends keyof T
    ? T
    : string extends Field
      ? Partial<T>
      : {
          [Key in keyof T as Key extends '@id' | '@type' | First<Field> ? Key : never]: Key extends Field
            ? T[Key]
            : SelectedValue<T[Key], Rest<Field, Key & string>>
        }

type SelectedValue<V, Field extends string> = [Field] extends [never]
  ? V
  : V extends readonly (infer Item)[]
    ? SelectedValue<Item, Field>[]
    : V extends string | undefined
      ? V
      : V extends IncludedMembers<infer T>
        ? IncludedMembers<Selected<T, Field>>
        : Selected<V, Field>
