import { withNames } from '../migration/classes.ts'
import { adoptRow, isMisfit, type MemberRow, settle } from '../migration/fitting.ts'
import { watchNamings } from '../migration/namings.ts'
import type { Adopted, ClassShape, Link, Misfit } from '../store.ts'
import { textArray } from './arrays.ts'
import type { Run } from './pool.ts'

/** So many members are in memory at once, or so many bytes of them. */
const CHUNK = 1_000
const CHUNK_BYTES = 8 * 1_024 * 1_024

export interface Fitting {
  readonly row: MemberRow
  readonly adopted: Adopted
}

/** Says of links whether their targets are there. */
export type FindTargets = (links: readonly Link[]) => Promise<(link: Link) => boolean>

/** The links of members, as the store has them, by their ids. */
export type FindLinks = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Link[]>>

/** Goes through the members of a class under the API file: hands on those that fit, names those that do not. */
export async function fit(
  run: Run,
  members: string,
  shape: ClassShape,
  { findTargets, findLinks }: { readonly findTargets: FindTargets; readonly findLinks: FindLinks },
  most: number,
  put: (fitting: readonly Fitting[]) => Promise<void>,
): Promise<Misfit[]> {
  const misfits: Misfit[] = []
  const namings = watchNamings(shape)
  // What fits is written while the next members are judged.
  let writing: Promise<void> = Promise.resolve()
  for await (const rows of chunksOf(run, members)) {
    const links = await findLinks(rows.filter(mayLink).map(([, id]) => id))
    const adopted = rows.map((row) => adoptRow(row, shape, () => links.get(row[1]) ?? []))
    const hasTarget = await findTargets(adopted.flatMap((one) => ('violations' in one ? [] : one.links)))
    const fitting: Fitting[] = []
    for (const [index, row] of rows.entries()) {
      const judged = settle(row, shape, adopted[index] as (typeof adopted)[number], hasTarget)
      if (!isMisfit(judged)) {
        namings.see(row[1], judged)
        fitting.push({ row, adopted: judged })
      } else if (misfits.push(judged) >= most) break
    }
    await writing
    if (misfits.length >= most) return misfits
    writing = put(fitting)
    // It is awaited, but perhaps after something else has failed.
    writing.catch(() => {})
  }
  await writing
  return [...misfits, ...namings.misfits()].slice(0, most)
}

/** A link is a hole in the text, or an object among what is hidden. */
const mayLink = ([, , , , holes, hidden]: MemberRow): boolean => holes !== '' || hidden.includes('"@id"')

/** Each is asked for while the one before it is worked on. */
async function* chunksOf(run: Run, members: string): AsyncGenerator<MemberRow[]> {
  const read = (last: number): Promise<MemberRow[]> => {
    const rows = run<MemberRow>(readChunk(members), [last])
    rows.catch(() => {})
    return rows
  }
  for (let next = read(0); ; ) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = read(last[0])
    yield rows
  }
}

/** At least one, whatever its size. */
const readChunk = (members: string): string => `
  SELECT sequence, id, version, body, holes, hidden FROM (
    SELECT *, sum(octet_length(body) + octet_length(hidden)) OVER (ORDER BY sequence) AS bytes
    FROM (SELECT sequence, id, version, body, holes, hidden FROM ${members}
      WHERE sequence > $1 ORDER BY sequence LIMIT ${CHUNK}) AS chunk
  ) AS sized
  WHERE bytes - octet_length(body) - octet_length(hidden) < ${CHUNK_BYTES} ORDER BY sequence`

/** `membersOf`: the table of a class; undefined where it has no members. */
export const createFindTargets =
  (run: Run, membersOf: (className: string) => string | undefined): FindTargets =>
  async (links) => {
    const byClass = Map.groupBy(links, ({ className }) => className)
    const found = await Promise.all(
      [...byClass].map(async ([className, ofClass]) => {
        const table = membersOf(className)
        const ids = textArray([...new Set(ofClass.map(({ id }) => id))])
        const rows =
          table === undefined
            ? []
            : await run<[string]>(`SELECT id FROM ${table} WHERE id = ANY ($1::text[])`, [ids])
        return [className, new Set(rows.map(([id]) => id))] as const
      }),
    )
    const there = new Map(found)
    return ({ className, id }) => there.get(className)?.has(id) === true
  }

/** `className`: what the links know the class by; `names`: the names that classes will have, where they change. */
export const createFindLinks =
  (run: Run, className: string, names: ReadonlyMap<string, string> = new Map()): FindLinks =>
  async (ids) => {
    if (ids.length === 0) return new Map()
    const rows = await run<[id: string, property: string, toClass: string, toId: string]>(
      'SELECT from_id, property, to_class, to_id FROM links WHERE from_class = $1 AND from_id = ANY ($2::text[])',
      [className, textArray(ids)],
    )
    return new Map(
      [...Map.groupBy(rows, ([id]) => id)].map(([id, ofOne]) => {
        const links = ofOne.map(([, property, toClass, toId]) => ({ property, className: toClass, id: toId }))
        return [id, withNames(links, names)]
      }),
    )
  }
