/** `hydrant-client`: for any Hydra API that uses the two-step procedure, or is open. No dependencies, only `fetch`. */
export type {
  AnyApi,
  AnyResource,
  Call,
  Changes,
  Including,
  Link,
  Query,
  Replacement,
  Representation,
  ResourceTypes,
  Spelled,
} from './api-types.ts'
export type { Batch, BatchOptions, BatchResult } from './batch.ts'
export type { Change, ChangesOptions } from './changes.ts'
export {
  type Client,
  type ClientOptions,
  type CollectionDescription,
  createClient,
  type EntryPoint,
  type TokenSession,
} from './client.ts'
export type { Collection, Page, PageOptions, SearchTemplate, SearchVariable } from './collection.ts'
export type {
  ClassDescription,
  CustomOperation,
  Documentation,
  LinkDescription,
  Operation,
  PropertyConstraints,
  PropertyDescription,
} from './documentation.ts'
export { ApiError, ConflictError, type ErrorCode, type Violation } from './errors.ts'
export type { Action, Member } from './member.ts'
export type { AskCredentials, Credentials } from './session.ts'
export type { Answer, Options, ReadOptions, RequestOptions, WireRecord } from './transport.ts'
