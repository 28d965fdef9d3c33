import { unavailable } from '../../errors.ts'

interface Waiting {
  readonly since: number
  readonly reject: (error: unknown) => void
}

/** How often it is looked whether an answer is overdue. */
const INTERVAL_MS = 50

/**
 * Rejects with 503 what has not been answered after `limitMs`, and tells. One timer for all: a timer for each statement
 * would cost as much as reading a member.
 */
export function createWatch(limitMs: number, onSilence: () => void): <T>(answer: Promise<T>) => Promise<T> {
  /** In the order in which they began. */
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0

  function look(): void {
    const now = performance.now()
    // This process was held up itself: the answers may have arrived, and have their turn after this.
    const isLate = now - lookedAt > 10 * INTERVAL_MS
    lookedAt = now
    if (!isLate) rejectOverdue(now)
    timer = waiting.size === 0 ? undefined : setTimeout(look, INTERVAL_MS)
  }

  function rejectOverdue(now: number): void {
    let isSilent = false
    for (const one of waiting) {
      if (now - one.since < limitMs) break
      waiting.delete(one)
      one.reject(silence())
      isSilent = true
    }
    if (isSilent) onSilence()
  }

  return (answer) =>
    new Promise((resolve, reject) => {
      const one: Waiting = { since: performance.now(), reject }
      waiting.add(one)
      if (timer === undefined) {
        lookedAt = one.since
        timer = setTimeout(look, INTERVAL_MS)
      }
      answer.then(
        (value) => {
          waiting.delete(one)
          resolve(value)
        },
        (error: unknown) => {
          waiting.delete(one)
          reject(error)
        },
      )
    })
}

const silence = () => unavailable('The database does not answer; try again shortly.', 2)
