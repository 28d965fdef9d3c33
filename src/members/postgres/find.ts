import { BoundedMap } from '../../bounded-map.ts'
import { arrayOf } from '../../database/postgres/arrays.ts'
import { gather } from '../../database/postgres/gathered.ts'
import { LONGEST_CACHED_MEMBER, MAX_CACHED_MEMBERS, type StoredMember } from '../member.ts'
import { type PageMemberRow, toMember } from '../query/page.ts'
import { type LookAtState, type ReadingPool, STATE, stateAt } from './states.ts'
import { formerOf, type PostgresTables } from './tables.ts'

export type FindStored = (tables: PostgresTables, id: string) => Promise<StoredMember | undefined>

interface FoundMembers {
  readonly members: ReadonlyMap<string, StoredMember>
  /** Of their class, in the same snapshot; undefined if it was not asked for. */
  readonly state: string | undefined
}

type FindTogether = (tables: PostgresTables, id: string, withState: boolean) => Promise<FoundMembers>

/** Members of a class that are looked up together are read by one statement. */
function createFind({ run, generation = () => 0 }: ReadingPool): FindTogether {
  const finds = new Map<string, (ids: readonly string[]) => Promise<FoundMembers>>()

  const findIn = (tables: PostgresTables, withState: boolean) =>
    gather<string, FoundMembers>(async (ids) => {
      const connections = generation()
      const text = `SELECT id, version, body, holes, owner, sequence, ${formerOf(tables, 'm')}
        ${withState ? `, (SELECT ${STATE} FROM class_states WHERE class_id = ${tables.classId})` : ''}
        FROM ${tables.members} m WHERE id = ANY ($1::text[])`
      const rows = await run<PageMemberRow>(text, [arrayOf([...ids])])
      // After the columns of a member.
      const writes = withState ? rows[0]?.at(-1) : undefined
      return {
        members: new Map(rows.map((row) => [row[0], toMember(row)])),
        state: typeof writes === 'string' ? stateAt(connections, writes) : undefined,
      }
    })

  return (tables, id, withState) => {
    const name = `${readName(tables)} ${withState}`
    const find = finds.get(name) ?? findIn(tables, withState)
    finds.set(name, find)
    return find([id])
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
 * all of them. A member is cached at its second request, and after a change again at the second one: those that are
 * requested once, or changed as often as they are read, need no look.
 */
export function createCachedFind(pool: ReadingPool, stateOf: LookAtState): FindStored {
  const find = createFind(pool)
  const cached = new Map<string, BoundedMap<string, CachedMember | 'requested'>>()

  return async (tables, id) => {
    const name = readName(tables)
    const ofClass = cached.get(name) ?? new BoundedMap(MAX_CACHED_MEMBERS)
    cached.set(name, ofClass)
    const known = ofClass.get(id)
    if (known === 'requested') {
      const { members, state } = await find(tables, id, true)
      const member = members.get(id)
      if (state === undefined || member === undefined || member.body.length > LONGEST_CACHED_MEMBER)
        ofClass.delete(id)
      else ofClass.set(id, { state, member })
      return member
    }
    if (known !== undefined && known.state === (await stateOf(tables.classId))) return known.member
    const { members } = await find(tables, id, false)
    // Only now: those that are requested at the same time are read by the same statement.
    if (ofClass.get(id) === known) ofClass.set(id, 'requested')
    return members.get(id)
  }
}
