import type { App } from '../app.ts'
import { unavailable } from '../errors.ts'
import { errorResponse } from '../http/index.ts'

/** An app that can be exchanged for another one between two requests. */
export interface Holdable {
  readonly app: App
  /** Waits for what is in flight, and holds what comes meanwhile. Where it throws, the app stays as it was. */
  exchange(next: () => Promise<App>): Promise<void>
}

/** Longer than a migration usually takes, and not longer than clients wait. */
const LONGEST_MS = 20_000

export function createHoldable(first: App, headers: readonly string[], longestMs = LONGEST_MS): Holdable {
  let current = first
  let running = 0
  let onIdle = () => {}
  let held: Promise<void> | undefined

  return {
    async app(request) {
      while (held !== undefined)
        if (!(await isDoneWithin(held, longestMs))) return errorResponse(BUSY, headers)
      running++
      try {
        return await current(request)
      } finally {
        running--
        if (running === 0) onIdle()
      }
    },
    async exchange(next) {
      const done = Promise.withResolvers<void>()
      held = done.promise
      try {
        if (running > 0) {
          await new Promise<void>((resolve) => {
            onIdle = resolve
          })
        }
        current = await next()
      } finally {
        held = undefined
        done.resolve()
      }
    },
  }
}

const BUSY = unavailable('A changed API file is being taken over; try again.', 1)

async function isDoneWithin(done: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([done.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
