import type { Added, Changed, NewMember, Removed, StoredMember, WholeText, Written } from '../store.ts'
import { createAddLanes } from './add-lanes.ts'
import { addAll } from './adding-all.ts'
import { change } from './changing.ts'
import { createWrittenClass, type WrittenClass } from './class-writing.ts'
import type { Connections } from './connections.ts'
import { remove } from './removing.ts'
import type { Tables } from './tables.ts'
import { createTurns } from './turns.ts'

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
  { reads, writes }: Connections,
  classId: (name: string) => number | undefined,
): MemberWrites {
  const classes = new Map<string, WrittenClass>()
  const addInLanes = createAddLanes(writes.run)
  const inTurn = createTurns()

  function classOf(name: string, tables: Tables): WrittenClass {
    const found = classes.get(name) ?? createWrittenClass(name, tables, classId)
    classes.set(name, found)
    return found
  }

  return {
    add: (className, tables, member) => addInLanes(classOf(className, tables), member),
    addAll: (members) =>
      addAll(
        writes,
        members.map(({ className, tables, member }) => ({ cls: classOf(className, tables), member })),
      ),
    async change(className, tables, id, expected, compute) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      const wanted = { id, expected, compute }
      return inTurn(`${className}/${id}`, () => change(reads.run, writes, classOf(className, tables), wanted))
    },
    async remove(className, tables, id, expected) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      return inTurn(`${className}/${id}`, () => remove(writes, classOf(className, tables), id, expected))
    },
  }
}

/** PostgreSQL has no text with U+0000, and refuses to look for one. */
const canBeThere = (id: string): boolean => !id.includes('\0')
