import type { Added, Changed, NewMember, Removed, StoredMember, WholeText, Written } from '../store.ts'
import { addAll } from './adding-all.ts'
import { createChangeBatches } from './change-batches.ts'
import { type Change, change } from './changing.ts'
import { createWrittenClass, type WrittenClass } from './class-writing.ts'
import type { Connections } from './connections.ts'
import { createAddLanes } from './group-commit.ts'
import { createTurns } from './mutex.ts'
import { remove } from './removing.ts'
import type { Statistics } from './statistics.ts'
import type { Tables } from './tables.ts'

export interface NewMemberOf {
  readonly className: string
  readonly tables: Tables
  readonly member: NewMember
}

export interface MemberWrites {
  add(className: string, tables: Tables, member: NewMember): Promise<Added>
  /** In one transaction. */
  addAll(members: readonly NewMemberOf[]): Promise<Added[]>
  change(
    className: string,
    tables: Tables,
    id: string,
    expected: readonly number[] | undefined,
    compute: (current: StoredMember & WholeText) => Written,
  ): Promise<Changed>
  remove(
    className: string,
    tables: Tables,
    id: string,
    expected: readonly number[] | undefined,
  ): Promise<Removed>
}

/** `classId`: the number of a class, undefined where the database has none of this name. */
export function createMemberWrites(
  { reads, writes, bulk }: Connections,
  statistics: Statistics,
  classId: (name: string) => number | undefined,
): MemberWrites {
  const classes = new Map<string, WrittenClass>()
  const addInLanes = createAddLanes(writes)
  const inTurn = createTurns()
  const changeMember = bulk
    ? createChangeBatches(reads.run, writes)
    : (cls: WrittenClass, wanted: Change) => change(reads.run, writes, cls, wanted)

  function classOf(name: string, tables: Tables): WrittenClass {
    const found = classes.get(name) ?? createWrittenClass(name, tables, classId)
    classes.set(name, found)
    return found
  }

  function grown(added: Added): Added {
    if (added.outcome === 'added') statistics.grew(1)
    return added
  }

  return {
    async add(className, tables, member) {
      return grown(await addInLanes(classOf(className, tables), member))
    },
    async addAll(members) {
      const added = await addAll(
        writes,
        members.map(({ className, tables, member }) => ({ cls: classOf(className, tables), member })),
      )
      return added.map(grown)
    },
    async change(className, tables, id, expected, compute) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      const wanted = { id, expected, compute }
      return inTurn(`${className}/${id}`, () => changeMember(classOf(className, tables), wanted))
    },
    async remove(className, tables, id, expected) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      return inTurn(`${className}/${id}`, () => remove(writes, classOf(className, tables), id, expected))
    },
  }
}

/** PostgreSQL has no text with U+0000, and refuses to look for one. */
const canBeThere = (id: string): boolean => !id.includes('\0')
