import { apiProblem, readProblem } from '../api/index.ts'
import { limitTime } from '../deadline.ts'
import { type App, errorResponse } from '../http/index.ts'

/** Longer than most migrations take, and shorter than clients wait. */
const LONGEST_MS = 20_000

/** An app that can be replaced by another one between two requests. */
export interface ReplaceableApp {
  readonly app: App
  /** Waits for requests in flight, and holds new ones meanwhile. If `next` throws, the app stays as it was. */
  replace(next: () => Promise<App>): Promise<void>
}

export function createReplaceableApp(
  first: App,
  headers: readonly string[],
  longestMs = LONGEST_MS,
): ReplaceableApp {
  let current = first
  let running = 0
  let onIdle = () => {}
  let held: Promise<void> | undefined

  const app: App = async (request) => {
    try {
      while (held !== undefined) await limitTime(held, longestMs, () => BUSY)
    } catch {
      return errorResponse(readProblem(BUSY), headers)
    }
    running++
    try {
      return await current(request)
    } finally {
      running--
      if (running === 0) onIdle()
    }
  }

  async function replace(next: () => Promise<App>): Promise<void> {
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
  }

  return { app, replace }
}

const BUSY = apiProblem('ApiFileChanging', { retryAfterSeconds: 1 })
