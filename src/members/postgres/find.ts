import { BoundedMap } from '../../bounded-map.ts'
import { arrayOf } from '../../database/postgres/arrays.ts'
import { gather } from '../../database/postgres/gathered.ts'
import type { RunSql } from '../../database/postgres/pool.ts'
import { LONGEST_CACHED_MEMBER, MAX_CACHED_MEMBERS, type StoredMember } from '../member.ts'
import { type PageMemberRow, toMember } from '../query/page.ts'
import type { LookAtState } from './states.ts'
import { formerOf, type PostgresTables } from './tables.ts'

export type FindStored = (tables: PostgresTables, id: string) => Promise<StoredMember | undefined>

/** Members of a class that are looked up together are read by one statement. */
export function createFind(run: RunSql): FindStored {
  const finds = new Map<string, (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredMember>>>()

  const findIn = (tables: PostgresTables) =>
    gather<string, ReadonlyMap<string, StoredMember>>(async (ids) => {
      const text = `SELECT id, version, body, holes, owner, sequence, ${formerOf(tables, 'm')}
        FROM ${tables.members} m WHERE id = ANY ($1::text[])`
      const rows = await run<PageMemberRow>(text, [arrayOf([...ids])])
      return new Map(rows.map((row) => [row[0], toMember(row)]))
    })

  return async (tables, id) => {
    const name = readName(tables)
    const find = finds.get(name) ?? findIn(tables)
    finds.set(name, find)
    return (await find([id])).get(id)
  }
}

/** Names what a statement reads: rows of some forms are read as they are, and others are not. */
const readName = ({ members, form }: PostgresTables): string =>
  form === undefined ? members : `${members} ${form.own} ${form.readable}`

interface CachedMember {
  readonly state: string
  readonly member: StoredMember
}

/**
 * Members that are requested again are valid as long as their class is in the same state, at which one statement looks for
 * all of them. A member is cached at its second request: those that are requested once need no look.
 */
export function createCachedFind(find: FindStored, stateOf: LookAtState): FindStored {
  const cached = new Map<string, BoundedMap<string, CachedMember | 'requested'>>()

  return async (tables, id) => {
    const name = readName(tables)
    const ofClass = cached.get(name) ?? new BoundedMap(MAX_CACHED_MEMBERS)
    cached.set(name, ofClass)
    const known = ofClass.get(id)
    if (known === undefined) {
      const member = await find(tables, id)
      // Only now: those that are requested at the same time are read by the same statement.
      if (!ofClass.has(id)) ofClass.set(id, 'requested')
      return member
    }
    // Read before the member: what is written in between belongs to a later state.
    const state = await stateOf(tables.classId)
    if (state !== undefined && known !== 'requested' && known.state === state) return known.member
    const member = await find(tables, id)
    if (state === undefined || member === undefined || member.body.length > LONGEST_CACHED_MEMBER)
      ofClass.delete(id)
    else ofClass.set(id, { state, member })
    return member
  }
}
