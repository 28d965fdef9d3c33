import { performance } from 'node:perf_hooks'

// What is true of all requests that arrived together is looked at once for them. They did if one poll of the event loop has
// reported their bytes: these were sent before anything that is done after the poll.

let begun = 0

/**
 * Changes with each poll of the event loop. `loopCount` alone does not: with more than 1,024 events waiting, libuv polls
 * several times before it counts on.
 */
export function turnOfLoop(): number {
  const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
  return loopCount + events + begun
}

/** For a request that may have been sent after the poll that reported other bytes of its connection. */
export function beginTurn(): void {
  begun += 1
}
