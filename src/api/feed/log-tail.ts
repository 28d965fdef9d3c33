import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Awaitable } from '../../database/index.ts'
import type { StreamPart } from '../../http/index.ts'
import type { Change, ChangeLog, ChangePage, ChangeRange, StoredMember } from '../../members/index.ts'
import { type LastChange, positionOf } from './ids.ts'

/** Changes as bytes, up to and including `reached`. */
export interface Encoded {
  /** Undefined if the stream shows none of the changes. */
  readonly part: StreamPart | undefined
  readonly reached: LastChange
  /**
   * How the stream continues. `end`: it ends here, since the next change is of a class that this process does not know.
   * `swept`: it ends without an event, since the next change is no longer in the log.
   */
  readonly next: 'more' | 'end' | 'swept'
}

/** The result of the last poll, and the data that streams share until the next one. */
export interface LatestPoll {
  /** The poll has found the changes after `start`, up to `end`. */
  readonly start: LastChange
  readonly end: LastChange
  /** The numbers of the users whom the changes may concern: owners, those who made them, and those whom followed links named. */
  readonly users: ReadonlySet<unknown>
  readonly encoded: Map<string, Awaitable<Encoded>>
  readonly members: Map<string, Promise<StoredMember | undefined>>
}

/** The changes that a poll has read, before streams see them. */
interface PolledChanges {
  readonly page: ChangePage
  readonly reached: LastChange
  readonly isUnknownClass: boolean
}

/** The end of the log, up to the last poll. Streams see no later changes. */
export interface LogTail {
  latest(): LatestPoll
  /** Forgets all changes up to `end`. */
  startAt(end: LastChange): void
  /** Reads the changes after the last poll. */
  read(): Promise<PolledChanges>
  /** Makes the changes visible to streams, and returns whether there are any. */
  show(polled: PolledChanges): boolean
  /**
   * Changes after `last`, up to the last poll. From memory it returns all of them, from the log a page of the changes in
   * the ranges.
   */
  since(last: LastChange, ranges: readonly ChangeRange[] | undefined): Awaitable<ChangePage>
}

const PAGE = 1_000
/** How many changes a stream that is behind reads at once, before other requests get a turn. */
const CATCH_UP = 250
const REMEMBERED = 2_000

export function createLogTail(changes: ChangeLog): LogTail {
  let latest = pollResult(undefined)
  /** All changes after the position, up to `latest.end`. */
  let recent: { readonly after: number; readonly changes: readonly Change[] } = { after: 0, changes: [] }

  function withRecent(found: readonly Change[]): typeof recent {
    const all = [...recent.changes, ...found]
    const dropped = all.at(-1 - REMEMBERED)
    return { after: dropped?.position ?? recent.after, changes: all.slice(-REMEMBERED) }
  }

  async function readPage(last: LastChange, ranges: readonly ChangeRange[] | undefined): Promise<ChangePage> {
    const { end } = latest
    const page = await changes.after(positionOf(last), CATCH_UP, ranges)
    if (positionOf(page.end) <= positionOf(end)) return page
    const seen = page.changes.filter(({ position }) => position <= positionOf(end))
    return { ...page, changes: seen, end, stop: 'end of log' }
  }
  const readInTurn = inTurn(readPage)

  return {
    latest: () => latest,
    startAt(end) {
      recent = { after: positionOf(end), changes: [] }
      latest = pollResult(end)
    },
    async read() {
      const { end } = latest
      const page = await changes.after(positionOf(end), PAGE)
      const isUnknownClass = page.stop === 'unknown class'
      // Streams find the change that this process does not know, and end before it. Later ones start after it.
      const reached = isUnknownClass ? await changes.last() : (page.end ?? end)
      return { page, reached, isUnknownClass }
    },
    show({ page, reached, isUnknownClass }) {
      latest = pollResult(latest.end, reached, page.changes)
      if (page.end === undefined && !isUnknownClass) return false
      // After a long standstill some changes may have been swept unread: a stream that needs them finds the gap.
      const hasGap = isUnknownClass || page.isSwept
      recent = hasGap ? { after: positionOf(reached), changes: [] } : withRecent(page.changes)
      return true
    },
    since(last, ranges) {
      const position = positionOf(last)
      if (position < recent.after) return readInTurn(last, ranges)
      const first = recent.changes.findIndex((change) => change.position > position)
      const found = first < 0 ? [] : recent.changes.slice(first)
      return { changes: found, end: latest.end, stop: 'end of log', isSwept: false }
    },
  }
}

const pollResult = (start: LastChange, end = start, changes: readonly Change[] = []): LatestPoll => ({
  start,
  end,
  users: new Set(changes.flatMap(usersIn)),
  encoded: new Map(),
  members: new Map(),
})

function usersIn({ owner, actor, followed }: Change): unknown[] {
  if (followed === undefined) return [owner, actor]
  return [owner, actor, ...[...followed.values()].flatMap(({ before, after }) => [...before, ...after])]
}

/** Streams with much to read do so one at a time, each in its own turn of the event loop. */
function inTurn<Arguments extends unknown[], Result>(
  read: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (...args) => {
    const reading = last.then(async () => {
      await nextTurn()
      return read(...args)
    })
    last = reading.catch(() => {})
    return reading
  }
}
