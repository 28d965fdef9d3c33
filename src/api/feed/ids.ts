import { hash, randomInt } from 'node:crypto'
import type { Change, ChangeLog } from '../../members/index.ts'
import type { Problem, ProblemPlace } from '../../problem.ts'
import { createNumberCipher } from '../../seal.ts'
import { apiProblem } from '../problems/index.ts'

/** A change, as far as a subscriber has seen it. */
interface SeenPart extends Change {
  /** The number of the last of its events that was seen, from 1 on; absent if all were. */
  readonly part?: number
}

/** The last change that a subscriber has seen; undefined at the beginning of the log. */
export type LastChange = SeenPart | undefined

/** The position of the last change that was seen as a whole. */
export const positionOf = (last: LastChange): number => {
  if (last === undefined) return 0
  return last.part === undefined ? last.position : last.position - 1
}

/** How many of the events of a change were seen, if the change is not seen as a whole. */
export const seenOf = (last: LastChange, { position }: Change): number =>
  last?.position === position ? (last.part ?? 0) : 0

/** Positions are below this number, and parts stand above it: the sum is a safe integer. */
const PART = 2 ** 44

/** Positions in the log as clients see them. */
export interface EventIds {
  /** Returns another text each time: equal texts would reveal that nothing has changed in between. */
  at(last: LastChange): string
  /** Returns the same text each time. */
  of(change: SeenPart): string
  /** Rejects malformed ids, and ids that are too old or from another database. `place`: where the request has the id. */
  read(text: string, place: ProblemPlace): Promise<LastChange>
  /** The problem for an id that is too old, with the id from which the client can continue. */
  gone(place: ProblemPlace): Promise<Problem>
}

/**
 * Ids are encrypted positions (live.md, The feed), so that two ids do not reveal how many changes lie between. `epoch`:
 * see ChangeLog.
 */
export function createEventIds(
  { secret, base, changes }: { readonly secret: Buffer; readonly base: string; readonly changes: ChangeLog },
  epoch: string,
): EventIds {
  const { seal, openBoth } = createNumberCipher(secret, `events ${epoch}`)
  const sealed = (last: LastChange, salt: number) =>
    seal((last?.position ?? 0) + (last?.part ?? 0) * PART, (BigInt(checkOf(last)) << 32n) | BigInt(salt))
  const known = new WeakMap<Change, string>()
  const at = (last: LastChange): string => sealed(last, randomInt(2 ** 32))

  async function gone(place: ProblemPlace): Promise<Problem> {
    return apiProblem('EventIdGone', { id: at(await changes.last()), base }, { at: place })
  }

  /** Whether the log has its first change, or none yet. */
  const isWhole = async () => (await changes.last()) === undefined || (await changes.find(1)) !== undefined

  return {
    at,
    gone,
    of(change) {
      if (change.part !== undefined) return sealed(change, 0)
      const text = known.get(change) ?? sealed(change, 0)
      known.set(change, text)
      return text
    },
    async read(text, place) {
      const opened = openBoth(text)
      if (opened === undefined) throw apiProblem('InvalidEventId', { text }, { at: place })
      const position = opened.number % PART
      const part = Math.floor(opened.number / PART)
      const last =
        position > 0 && Number.isSafeInteger(opened.number) ? await changes.find(position) : undefined
      const isKept = position === 0 ? await isWhole() : last !== undefined
      // Another change at this position means that the id is of another database.
      if (isKept && checkOf(last) === Number(opened.more >> 32n))
        return last !== undefined && part > 0 ? { ...last, part } : last
      throw await gone(place)
    },
  }
}

/** A checksum that tells two databases apart: a file may be restored without Hydrant, and then has the same epoch. */
function checkOf(last: LastChange): number {
  if (last === undefined) return 0
  const { kind, id, version, at } = last
  return Number.parseInt(hash('sha256', `${kind} ${id} ${version} ${at}`).slice(0, 8), 16)
}
