import type { DatabaseSync } from 'node:sqlite'
import { arrays } from '../../database/sqlite/connection.ts'
import type { AddOutcome, NewMember } from '../member.ts'
import { type BulkColumns, type BulkOutcome, fromColumns, fromOutcome } from './member-columns.ts'
import type { TablesByClass } from './tables.ts'

/** Takes the next version number of a class for a new member of this owner, and counts the member. */
export type TakeVersion = (owner: number | undefined) => number

/** The counters of a class while members are added to it. */
interface ClassCounters {
  readonly take: TakeVersion
  save(): void
}

type AddToClass = (className: string, member: NewMember, takeVersion: TakeVersion) => AddOutcome

/** Adds bulk data. The counters of a class are written once for all members, and not for each. */
export function createBulkAdd(
  db: DatabaseSync,
  tables: TablesByClass,
  add: AddToClass,
): (columns: BulkColumns) => BulkOutcome[] {
  const version = arrays(db, 'SELECT version FROM classes WHERE id = ?')
  const count = arrays(db, 'UPDATE classes SET total = total + ?1, version = version + ?1 WHERE id = ?2')
  const countOfOwner = arrays(
    db,
    'INSERT INTO owner_totals VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total',
  )

  function startCounting(classId: number): ClassCounters {
    const [last = 0] = version.get<[number]>(classId) ?? []
    let added = 0
    const ofOwners = new Map<number, number>()
    return {
      take(owner) {
        if (owner !== undefined) ofOwners.set(owner, (ofOwners.get(owner) ?? 0) + 1)
        added += 1
        return last + added
      },
      save() {
        if (added > 0) count.run(added, classId)
        for (const [owner, total] of ofOwners) countOfOwner.run(classId, owner, total)
      },
    }
  }

  return (columns) => {
    const counted = new Map<string, ClassCounters>()
    const outcomes: BulkOutcome[] = []
    for (const { className, member } of fromColumns(columns)) {
      const counters = counted.get(className) ?? startCounting(tables.get(className)?.classId ?? 0)
      counted.set(className, counters)
      outcomes.push(fromOutcome(add(className, member, counters.take)))
    }
    for (const { save } of counted.values()) save()
    return outcomes
  }
}
