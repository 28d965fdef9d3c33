import { hash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** "Now", as tokens, nonces and sweeps see it (authentication.md, Time). */
export interface Clock {
  /** Does not run backwards where the host's clock is set back by up to 5 s; beyond that, it is the host's clock. */
  now(): number
  /** Calls `listener` after a step of more than 5 s, with its size: negative for a step back. Returns how to stop. */
  onStep(listener: (byMs: number) => void): () => void
}

/** Steps back of up to this are smoothed, and larger steps are told. */
const SMOOTHED_MS = 5_000
/** How often the host's clock is compared with the monotonic one. */
const COMPARE_MS = 1_000

/** `monotonic`: undefined where steps forwards need not be noticed. */
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

  /** Only a second clock shows a step forwards. A step back shows in `now`, also where no request comes. */
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
 * A clock that nobody sets: milliseconds since this machine was started, the same in all of its processes. It tells the age
 * of what was stored, also where the host's clock was set since (authentication.md, Time). It stands still while the machine
 * sleeps, and begins anew with each start: so an age is rather too small than too large.
 */
export const machineNow = (): number => Math.round(Number(process.hrtime.bigint()) / 1_000_000)

/** Times of `machineNow` are comparable where this is equal: on one machine, and in one time namespace of it. */
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

export const isTokenShaped = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** 32 bytes from the system's generator as 64 lower-case hex digits. */
export const issueToken = (): string => randomBytes(32).toString('hex')

/** What is stored in the token's place. A token has 256 random bits: one fast hash without salt is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
