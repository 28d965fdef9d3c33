/** `hydrant`: everything that `hydrant serve` does, in your own program (docs/library.md). */
export { HttpError, violation } from '../api/index.ts'
export type { Log } from '../service/index.ts'
export type { WebhookDeclaration } from '../webhooks/index.ts'
export { defineExtensions } from './define.ts'
export { createHydrant, type Hydrant } from './hydrant.ts'
export type { NodeListener } from './requests.ts'
export type {
  ChangeFollower,
  CustomOperation,
  Extensions,
  FollowedChange,
  FollowerEvent,
  FollowersOf,
  HookPrincipal,
  Hooks,
  HooksOf,
  HookWrite,
  HydrantOptions,
  Members,
  MembersOf,
  OperationCall,
  OperationsOf,
  Settings,
  Values,
} from './types.ts'
