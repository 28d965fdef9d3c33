import { HttpError } from '../../errors.ts'

/** Whether the database answers, as an operator should hear of it: once when it does not, and once when it does again. */
export interface Reachability {
  lost(error: unknown): void
  /** Called for every answer: costs next to nothing while all is well. */
  answered(): void
}

export interface ReachabilityParts {
  readonly onAway: (error: unknown) => void
  readonly onBack: () => void
  /** Milliseconds of a clock that never runs backwards. */
  readonly now?: () => number
}

/** While some connections are refused and others answer, it is not back. */
const QUIET_MS = 1_000
/** For whoever looks into the log only now. */
const REMINDER_MS = 60_000

export function watchReachability({
  onAway,
  onBack,
  now = () => performance.now(),
}: ReachabilityParts): Reachability {
  let isAway = false
  let toldAt = 0
  let lostAt = 0
  return {
    lost(error) {
      lostAt = now()
      if (isAway && lostAt - toldAt < REMINDER_MS) return
      isAway = true
      toldAt = lostAt
      onAway(error)
    },
    answered() {
      if (!isAway || now() - lostAt < QUIET_MS) return
      isAway = false
      onBack()
    },
  }
}

/** As PostgreSQL or the network has put it; neither knows the password. */
export function reasonOf(error: unknown): string {
  const root = error instanceof HttpError && error.cause !== undefined ? error.cause : error
  return root instanceof Error ? root.message : String(root)
}
