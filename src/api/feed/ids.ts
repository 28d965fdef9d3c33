import { hash, randomInt } from 'node:crypto'
import { badRequest, HttpError } from '../../errors.ts'
import { createSeal } from '../../seal.ts'
import type { Change, ChangeLog } from '../../store/index.ts'

/** How far somebody has come in the log: behind this change, or at its beginning. */
export type Place = Change | undefined

export const positionOf = (place: Place): number => place?.position ?? 0

/** Positions as clients see them (live.md, The feed): sealed, so that they do not tell of changes between two of them. */
export interface EventIds {
  /** Always the same. */
  of(change: Change): string
  /** Another text each time: that two are the same would tell that nothing was changed in between. */
  at(place: Place): string
  /** 400 for what is no id; 410 for one that is too old, or of another database. */
  read(text: string): Promise<Place>
}

const MALFORMED = 'is not the id of an event; give one as it came, or leave it out to follow from now on.'
const GONE =
  'This id is too old, or of another or a restored database. Read the collections again, then follow from'

/** `epoch`: see ChangeLog. */
export function createEventIds(
  { secret, base, changes }: { readonly secret: Buffer; readonly base: string; readonly changes: ChangeLog },
  epoch: string,
): EventIds {
  const { seal, openBoth } = createSeal(secret, `events ${epoch}`)
  const sealed = (place: Place, salt: number) =>
    seal(positionOf(place), (BigInt(checkOf(place)) << 32n) | BigInt(salt))
  const known = new WeakMap<Change, string>()

  /** Where another change has this position, the database is not the one that the id is of. */
  async function find(position: number, check: number): Promise<{ readonly place: Place } | undefined> {
    if (!Number.isSafeInteger(position)) return undefined
    const [change] = await changes.after(Math.max(0, position - 1), 1)
    const isThere = position === 0 ? (change?.position ?? 1) === 1 : change?.position === position
    const place = position === 0 ? undefined : change
    return isThere && checkOf(place) === check ? { place } : undefined
  }

  const ids: EventIds = {
    of(change) {
      const text = known.get(change) ?? sealed(change, 0)
      known.set(change, text)
      return text
    },
    at: (place) => sealed(place, randomInt(2 ** 32)),
    async read(text) {
      const opened = openBoth(text)
      if (opened === undefined) throw badRequest(`${JSON.stringify(text.slice(0, 100))} ${MALFORMED}`)
      const found = await find(opened.number, Number(opened.more >> 32n))
      if (found !== undefined) return found.place
      const id = ids.at(await changes.last())
      throw new HttpError(410, `${GONE} ${id} (after=${id}, or Last-Event-ID).`, {
        headers: ['Link', `<${base}/events?after=${id}>; rel="next"`],
      })
    },
  }
  return ids
}

/** Of what two databases will not have at one position: a file may be put back without Hydrant. */
const checkOf = (place: Place): number =>
  place === undefined
    ? 0
    : Number.parseInt(
        hash('sha256', `${place.kind} ${place.id} ${place.version} ${place.at}`).slice(0, 8),
        16,
      )
