/** `hydrant-client`: for any Hydra API that uses the same sign-in, or needs none. No dependencies, only `fetch`. */
export type { Account, AccountCollection, AccountInput, AccountQuery, OwnAccount } from './accounts.ts'
export type {
  AnyApi,
  AnyResource,
  Call,
  Calls,
  Changes,
  IncludedMembers,
  Including,
  Link,
  Replacement,
  Representation,
  ResourceTypes,
  Reverse,
  SearchQuery,
  Spelled,
} from './api-types.ts'
export type { Batch, BatchOptions, BatchResult } from './batch.ts'
export type { ChangeEvent, ChangesOptions } from './changes.ts'
export {
  type Client,
  type ClientOptions,
  type CollectionDescription,
  createClient,
  type EntryPoint,
  type TokenSession,
} from './client.ts'
export type { Collection, CollectionPage, PageOptions, SummaryPage } from './collection.ts'
export type { AskCredentials, UserCredentials } from './credentials.ts'
export type {
  ClassDescription,
  CustomOperationDescription,
  Documentation,
  LinkDescription,
  OperationDescription,
  PropertyConstraints,
  PropertyDescription,
} from './documentation.ts'
export {
  ApiError,
  type ClientErrorCode,
  ConflictError,
  type ErrorCode,
  type ErrorKind,
  type PropertyViolation,
} from './errors.ts'
export type { Action, DeletedMember, HistoryOptions, Member, MemberEntry } from './member-types.ts'
export type { CollectionQuery, NoSuchName } from './query-types.ts'
export type { AbortOptions, ReadOptions, RequestOptions } from './request.ts'
export type { SearchTemplate, SearchVariable } from './search-template.ts'
export type { Summary, SummaryQuery } from './summary-types.ts'
export type { ApiResponse, WireRecord } from './transport.ts'
