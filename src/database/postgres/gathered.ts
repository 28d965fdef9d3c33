import { setImmediate as immediate } from 'node:timers/promises'

/** How long at most a statement waits for the one before it, which may be slow. */
const LONGEST_WAIT_MS = 10

/**
 * Reads what is asked for in one turn of the event loop by one statement at its end; and while a statement is under way,
 * what is asked for meanwhile by one more. A statement costs the driver and the sockets more than what it reads. Each
 * begins after everything that it is for was asked.
 */
export function gather<Item, Found>(
  read: (items: ReadonlySet<Item>) => Promise<Found>,
): (items: Iterable<Item>) => Promise<Found> {
  let open: { readonly items: Set<Item>; readonly found: Promise<Found> } | undefined
  let underWay: Promise<unknown> | undefined

  async function start(items: ReadonlySet<Item>): Promise<Found> {
    await immediate()
    if (underWay !== undefined) await untilDone(underWay)
    open = undefined
    const found = read(items)
    const own = found.then(ignore, ignore).then(() => {
      if (underWay === own) underWay = undefined
    })
    underWay = own
    return found
  }

  return (items) => {
    if (open === undefined) {
      const gathered = new Set<Item>()
      open = { items: gathered, found: start(gathered) }
    }
    for (const item of items) open.items.add(item)
    return open.found
  }
}

const ignore = () => {}

async function untilDone(underWay: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_WAIT_MS)
  })
  await Promise.race([underWay, late]).finally(() => clearTimeout(timer))
}
