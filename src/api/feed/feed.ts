import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, Principal } from '../../auth/index.ts'
import { unavailable } from '../../errors.ts'
import type { Awaitable, Change, Standing, Store, StoredMember } from '../../store/index.ts'
import { type Place, positionOf } from './ids.ts'

/** How many streams a process has at most. */
export interface StreamLimits {
  readonly all: number
  readonly perUser: number
}

export interface FeedParts {
  readonly store: Store
  readonly clock: Clock
  readonly streams: StreamLimits
  /** Aborted when another app takes its place, with a store and rules of its own: streams are resumed there. */
  readonly replaced?: AbortSignal
  /** How often a quiet stream has a comment line: 15 s (live.md, The feed). */
  readonly beatMs?: number
}

/** Whose stream it is, and until when it may last. */
export interface Reader {
  readonly principal: Principal | undefined
  readonly address: string
  readonly endsAt: number
}

/** A reader of the feed, as its stream sees it. */
export interface Seat {
  /** Resolves when there is something to do: a change, a comment line, the end. */
  next(): Promise<void>
  wake(): void
  /** Its token or its time is over. */
  readonly isOver: boolean
  /** Whether a comment line is due, asked once for each. */
  isBeat(): boolean
  leave(): void
}

/** What all streams of a process share: one reads the log, and hands each change to all of them. */
export interface Feed {
  /** Where the log ends now: all up to there is committed, and can be read. */
  place(): Promise<Place>
  /** 503 where there are too many streams. Call what it returns in the same turn, or it lapses. */
  reserve(reader: Reader): () => Seat
  /** Changes behind a place up to the last look, or the first of them: from memory, or else from the log. */
  since(place: Place): Awaitable<readonly Change[]>
  /** As it is now, for all streams that ask for it in one round. */
  find(change: Change): Promise<StoredMember | undefined>
}

/**
 * Between two looks at the log, while there are streams: for what other processes write, of which nothing else tells. Also
 * between two looks whether readers may still read.
 */
const LOOK_MS = 250
/** So long changes gather at least: with many streams, writing to each costs more than what is written. */
const GATHER_MS = 20
const PAGE = 1_000
/** With a text for each set of roles that reads it. */
const REMEMBERED = 2_000
/** So many streams are written to before other requests have their turn. */
const GROUP = 50

interface Stream extends Reader {
  readonly wake: () => void
  isOver: boolean
  beatAt: number
}

export function createFeed({ store, clock, streams: limits, replaced, beatMs = 15_000 }: FeedParts): Feed {
  const { changes, auth, members } = store
  const streams = new Set<Stream>()
  /** Without gaps; the last one is where the log ended at the last look. */
  let recent: Change[] = []
  let last: Place
  let found = new Map<string, Promise<StoredMember | undefined>>()
  let looking: Promise<void> | undefined
  let following: Promise<void> | undefined
  let isGathering = false
  let lookedAt = 0
  let unwatch = () => {}
  let timer: NodeJS.Timeout | undefined

  /** Those who ask while one is under way share the next one: this one may have read before they asked. */
  function look(): Promise<void> {
    const again = () => {
      following = undefined
      return look()
    }
    if (looking !== undefined) following ??= looking.then(again, again)
    else
      looking = lookOnce().finally(() => {
        looking = undefined
      })
    return following ?? looking
  }

  async function lookOnce(): Promise<void> {
    const before = last
    if (streams.size === 0) {
      recent = []
      last = await changes.last()
      return
    }
    for (;;) {
      const more = await changes.after(positionOf(last), PAGE)
      // Some were swept before they were read, after a long standstill: who needs them finds the gap.
      if (more[0] !== undefined && more[0].position !== positionOf(last) + 1) recent = []
      recent.push(...more)
      if (recent.length > 2 * REMEMBERED) recent = recent.slice(-REMEMBERED)
      last = more.at(-1) ?? last
      if (more.length < PAGE) break
    }
    found = new Map()
    // Behind the changes: what is sent is judged by what its reader may do now (live.md, The feed).
    await endRevoked()
    if (last !== before) await wakeAll()
  }

  /** Never rejects. Where the store is away, nothing is sent. */
  async function round(): Promise<void> {
    lookedAt = performance.now()
    await look().catch(() => {})
  }

  function gather(): void {
    if (isGathering) return
    isGathering = true
    const start = () => {
      isGathering = false
      void round()
    }
    setTimeout(start, Math.max(0, lookedAt + GATHER_MS - performance.now()))
  }

  /** The token or the user of a stream is gone, or has other roles. Those that come meanwhile were admitted just now. */
  async function endRevoked(): Promise<void> {
    const asked = [...streams].filter(({ principal }) => principal !== undefined)
    const idsBy = (idOf: (principal: Principal) => number | undefined): number[] => [
      ...new Set(asked.flatMap(({ principal }) => idOf(principal as Principal) ?? [])),
    ]
    const tokens = idsBy(({ token }) => token?.id)
    const users = idsBy(({ token, userId }) => (token === undefined ? userId : undefined))
    const ofTokens = tokens.length > 0 ? await auth.standings('tokens', tokens) : NONE
    const ofUsers = users.length > 0 ? await auth.standings('users', users) : NONE
    for (const stream of asked) {
      const { token, userId } = stream.principal as Principal
      const found = token === undefined ? ofUsers.get(userId) : ofTokens.get(token.id)
      if (!isSame(found, stream.principal as Principal)) end(stream)
    }
  }

  function end(stream: Stream): void {
    stream.isOver = true
    stream.wake()
  }

  async function wakeAll(): Promise<void> {
    for (const [index, stream] of [...streams].entries()) {
      if (index % GROUP === GROUP - 1) await nextTurn()
      stream.wake()
    }
  }

  /** Time passes also while the store is away. */
  function tick(): void {
    const now = clock.now()
    const beatBefore = performance.now() - beatMs
    for (const stream of streams) {
      if (now >= stream.endsAt) end(stream)
      else if (stream.beatAt <= beatBefore) stream.wake()
    }
    if (performance.now() - lookedAt >= LOOK_MS / 2) void round()
  }

  function seat(reader: Reader): Seat {
    let waiting = Promise.withResolvers<void>()
    const stream: Stream = {
      ...reader,
      wake: () => waiting.resolve(),
      isOver: false,
      beatAt: performance.now(),
    }
    streams.add(stream)
    if (streams.size === 1) {
      unwatch = changes.watch(gather)
      timer = setInterval(tick, LOOK_MS)
    }
    return {
      async next() {
        await waiting.promise
        waiting = Promise.withResolvers()
      },
      wake: stream.wake,
      get isOver() {
        return stream.isOver
      },
      isBeat() {
        const now = performance.now()
        const isDue = now - stream.beatAt >= beatMs
        if (isDue) stream.beatAt = now
        return isDue
      },
      leave() {
        if (!streams.delete(stream) || streams.size > 0) return
        unwatch()
        clearInterval(timer)
      },
    }
  }

  replaced?.addEventListener('abort', () => streams.forEach(end))
  const reserved = new Set<Reader>()
  const keyOf = ({ principal, address }: Reader): number | string => principal?.number ?? address

  return {
    async place() {
      await look()
      return last
    },
    reserve(reader) {
      const all = [...streams, ...reserved]
      if (all.length >= limits.all) throw unavailable('Too many streams are open; try again in 5 s.', 5)
      if (all.filter((one) => keyOf(one) === keyOf(reader)).length >= limits.perUser)
        throw unavailable('Too many of your streams are open; close one, or try again in 5 s.', 5)
      reserved.add(reader)
      setImmediate(() => reserved.delete(reader))
      return () => {
        reserved.delete(reader)
        return seat(reader)
      }
    },
    since(place) {
      const behind = positionOf(last) - positionOf(place)
      if (behind <= 0) return []
      if (behind <= recent.length) return recent.slice(-behind)
      return changes.after(positionOf(place), Math.min(behind, PAGE))
    },
    find({ className, id }) {
      const key = `${className}/${id}`
      const known = found.get(key) ?? (async () => members.find(className, id))()
      found.set(key, known)
      return known
    },
  }
}

const NONE: ReadonlyMap<number, Standing> = new Map()
const isSame = (found: Standing | undefined, { number, roles }: Principal): boolean =>
  found?.number === number && found.roles.join() === roles.join()
