import type { AuthStore } from '../auth/index.ts'
import type { FileLoss, ReplicaFigures, SharedCount, StandbyProblem } from '../database/index.ts'
import type {
  CatchUp,
  ChangeLog,
  FollowerStore,
  HistoryStore,
  MemberStore,
  MigrationOptions,
} from '../members/index.ts'

export type { CopyProblems } from './problems.ts'

/** Accounts and members over one database, which `open.ts` opens. All times are milliseconds since 1970. */
export interface Store {
  readonly auth: AuthStore
  readonly members: MemberStore
  readonly changes: ChangeLog
  readonly followers: FollowerStore
  readonly history: HistoryStore
  readonly catchUp: CatchUp
  /** Undefined if there are no standbys to read from. */
  replicas?(): ReplicaFigures
  /** Rejects when the database does not answer. */
  reachable(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions extends MigrationOptions {
  /** How long a search without an index may take. */
  readonly scanMs?: number
  /** For bulk data: large writes that no request waits for. */
  readonly bulk?: boolean
  /** Called when the database cannot be reached, and again each minute; and when it answers again. */
  readonly onUnreachable?: (reason: string) => void
  readonly onReachable?: () => void
  /** The acknowledged writes of all processes of this host, if there are several. */
  readonly writeCount?: SharedCount
  /** Called when a standby cannot be read from for a reason that may last, and with undefined when it can be again. */
  readonly onReplica?: (name: string, problem: StandbyProblem | undefined) => void
  /** Called once, when another process has migrated members to other shapes: they can no longer be read here. */
  readonly onMigratedElsewhere?: () => void
  /** Called once, when the database file was replaced or upgraded: every request is refused from then on. */
  readonly onReplaced?: (loss: FileLoss) => void
}
