import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClassSchema, type Converted, placeAt } from './class-schema.ts'
import type { ClassForms } from './forms.ts'
import { formNumber, type Layout } from './layout.ts'
import type { StoredClass } from './migration/plan.ts'
import type { MemberRow } from './migration/statements.ts'

// Members that hosts with a former API file have written are converted in the background, in portions (hosts.md, A changed
// API file): their values to the form of the newest file, its defaults, keys and words.

/** A class whose members this host converts: its API file is the newest one. */
export interface ConvertedClass {
  readonly stored: StoredClass & { readonly layout: Layout }
  readonly shape: ClassSchema
  readonly forms: ClassForms
}

/** Whether the newest API file is that of this host. */
export const isNewest = ({ forms }: Layout, shape: ClassSchema): boolean =>
  forms.at(-1)?.fingerprint === formNumber(shape)

/** Whether filters or `q` have to wait for members that are converted. */
export const isPending = ({ slots, forms }: Layout): boolean =>
  forms.some(({ isSearchPending, unfilled }) => isSearchPending || unfilled) ||
  slots.some((slot) => slot.isPending)

export const withoutPending = ({ isConverting: _, slots, forms, ...layout }: Layout): Layout => ({
  ...layout,
  forms: forms.map(({ isSearchPending: __, unfilled: ___, ...form }) => form),
  slots: slots.map(({ isPending: __, ...slot }) => slot),
})

/**
 * Whether hosts with another API file show a member otherwise after it was converted: they know a property that was filled,
 * and have shown the member without it.
 */
export function isFilledElsewhere({ stored, shape }: ConvertedClass, { moves = [] }: Converted): boolean {
  const others = stored.layout.forms.slice(0, -1)
  return moves.some(({ change, property }) => {
    const path = property.replaceAll('/', '.')
    return change === 'filled' && others.some(({ types }) => placeAt(types, shape.name, path) !== undefined)
  })
}

/** A member that has to be converted, as both stores read it; `links` is JSON. */
export type WorkRow = [
  ...[sequence: number, id: string, version: number, owner: number | null],
  ...[body: string, holes: string, hidden: string, form: number, links: string],
]

export function toMemberRow(row: WorkRow): MemberRow {
  const [sequence, id, version, owner, body, baseUrlOffsets, hidden, form, json] = row
  const links = (JSON.parse(json) as [string, string, string][]).map(([property, className, to]) => ({
    ...{ property, className, id: to },
  }))
  return { sequence, id, version, owner: owner ?? undefined, body, baseUrlOffsets, hidden, form, links }
}

/** A turn of conversion ends after this time, so that a server that stops does not wait for long. */
const TURN_MS = 300
/** How much longer than a portion the pause after it is, so that no request feels the work (hosts.md). */
const PAUSE_FACTOR = { alone: 2, besideRequests: 20 }
/** The events of a pause in which this process has nothing else to do. */
const EVENTS_ALONE = 2

/** Pauses after a portion that took so long: for longer if requests have come meanwhile. */
export async function pauseAfter(portionMs: number): Promise<void> {
  const events = () => performance.nodeTiming.uvMetricsInfo.events
  const before = events()
  await wait(PAUSE_FACTOR.alone * portionMs)
  if (events() - before <= EVENTS_ALONE) return
  await wait((PAUSE_FACTOR.besideRequests - PAUSE_FACTOR.alone) * portionMs)
}

/** Converts one portion after the other until the turn ends. `convertNext` and the result: whether there is more to do. */
export async function convertForOneTurn(convertNext: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + TURN_MS
  for (let begun = performance.now(); begun < until; begun = performance.now()) {
    if (!(await convertNext())) return false
    await pauseAfter(performance.now() - begun)
  }
  return true
}
