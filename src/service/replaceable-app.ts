import type { App } from '../app.ts'
import { unavailable } from '../errors.ts'
import { errorResponse } from '../http/index.ts'

/** An app that can be replaced by another one between two requests. */
export interface ReplaceableApp {
  readonly app: App
  /** Waits for requests in flight, and holds new ones meanwhile. Where `next` throws, the app stays as it was. */
  replace(next: () => Promise<App>): Promise<void>
}

/** Longer than most migrations take, and shorter than clients wait. */
const LONGEST_MS = 20_000

export function createReplaceableApp(
  first: App,
  headers: readonly string[],
  longestMs = LONGEST_MS,
): ReplaceableApp {
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
    async replace(next) {
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

const BUSY = unavailable('A changed API file is being applied; try again.', 1)

async function isDoneWithin(done: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([done.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
