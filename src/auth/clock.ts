import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The clock of tokens, nonces and sweeps (authentication.md, Time). */
export interface Clock {
  /** Does not run backwards if the host's clock is set back by up to 5 s; after a larger step it follows the host's clock. */
  now(): number
  /** Calls `listener` after a step of more than 5 s, with its size, negative for a step back. Returns a function to stop. */
  onStep(listener: (byMs: number) => void): () => void
}

/** Backward steps of up to this size are smoothed, and larger steps are reported. */
const SMOOTHED_MS = 5_000
/** How often the host's clock is compared with the monotonic one. */
const COMPARE_MS = 1_000

/** `monotonic`: undefined if forward steps need not be noticed. */
export function createClock(
  host: () => number = Date.now,
  monotonic: (() => number) | undefined = host === Date.now ? () => performance.now() : undefined,
): Clock {
  let latest = 0
  const listeners = new Set<(byMs: number) => void>()
  let timer: NodeJS.Timeout | undefined

  function now(): number {
    const time = host()
    if (time >= latest) latest = time
    else if (latest - time > SMOOTHED_MS) {
      const byMs = time - latest
      latest = time
      notify(byMs)
    }
    return latest
  }

  function notify(byMs: number): void {
    for (const listener of listeners) listener(Math.round(byMs))
  }

  /** Only a comparison with a second clock shows a forward step. A step back shows in `now`, even without requests. */
  function startComparing(): NodeJS.Timeout {
    let before = { host: host(), monotonic: monotonic?.() ?? 0 }
    const compare = () => {
      const read = { host: host(), monotonic: monotonic?.() ?? 0 }
      const byMs = read.host - before.host - (read.monotonic - before.monotonic)
      before = read
      now()
      if (monotonic !== undefined && byMs > SMOOTHED_MS) notify(byMs)
    }
    return setInterval(compare, COMPARE_MS).unref()
  }

  return {
    now,
    onStep(listener) {
      listeners.add(listener)
      timer ??= startComparing()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/**
 * A clock that nobody can set: milliseconds since this machine was started, the same in all of its processes. It gives the
 * age of stored rows, even if the host's clock was set since (authentication.md, Time). It stands still while the machine
 * sleeps, and restarts at boot, so an age may be too small, but never too large.
 */
export const machineNow = (): number => Math.round(Number(process.hrtime.bigint()) / 1_000_000)

/** Times of `machineNow` are comparable if this is equal: on one machine since its start, in one time namespace. */
export const MACHINE_CLOCK: string = findIdentity()

function findIdentity(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${start} ${readlinkSync('/proc/self/ns/time')}`
  } catch {
    // Not Linux, or a kernel without time namespaces.
    return hostname()
  }
}
