import { setImmediate as immediate } from 'node:timers/promises'

/** How long at most a statement waits for the one before it, which may be slow. */
const LONGEST_WAIT_MS = 10
/** How long at most a statement waits for further requests, while every turn of the event loop brings some. */
const LONGEST_ARRIVAL_MS = 1

/**
 * Reads what is asked for together by one statement: in one turn of the event loop, in the turns after it that bring more,
 * and while a statement is under way. A statement costs the driver and the sockets more than what it reads. Each begins
 * after everything that it is for was asked.
 */
export function gather<Item, Found>(
  read: (items: ReadonlySet<Item>) => Promise<Found>,
): (items: Iterable<Item>) => Promise<Found> {
  let open: { readonly items: Set<Item>; readonly found: Promise<Found> } | undefined
  let underWay: Promise<void> | undefined
  let asked = 0

  /**
   * Callers that got the previous result ask again while the others still get theirs: without this wait, two groups of
   * clients would take turns, each with statements of its own.
   */
  async function untilAllAsked(): Promise<void> {
    const started = performance.now()
    let before: number
    do {
      before = asked
      await immediate()
    } while (asked > before && performance.now() - started < LONGEST_ARRIVAL_MS)
  }

  async function start(items: ReadonlySet<Item>): Promise<Found> {
    if (underWay !== undefined) await untilDone(underWay)
    await untilAllAsked()
    open = undefined
    const found = read(items)
    const own = found.then(ignore, ignore).then(() => {
      if (underWay === own) underWay = undefined
    })
    underWay = own
    return found
  }

  return (items) => {
    asked += 1
    if (open === undefined) {
      const gathered = new Set<Item>()
      open = { items: gathered, found: start(gathered) }
    }
    for (const item of items) open.items.add(item)
    return open.found
  }
}

const ignore = () => {}

const untilDone = (underWay: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_WAIT_MS)
    underWay.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
