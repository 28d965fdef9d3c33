import type { DatabaseSync } from 'node:sqlite'
import type { Writer } from '../../database/sqlite/commands.ts'
import { arrays } from '../../database/sqlite/connection.ts'
import {
  type ConvertedClass,
  convertForOneTurn,
  toMemberRow,
  type WorkRow,
  withoutPending,
} from '../catch-up.ts'
import { isOtherForm, type OwnForm } from '../layout.ts'
import type { CatchUp, OnConverting } from '../member-store.ts'
import type { MemberCommands } from './commands.ts'
import type { SqliteTables } from './tables.ts'

/** Maximum members of a portion, and rows that are looked at for it: all writes wait while they are converted. */
const PORTION = 5
const LOOKED_AT = 500

/** A class of which members may be stored in another form than that of the API file. */
export interface MixedClass extends ConvertedClass {
  readonly tables: SqliteTables
}

interface SqliteCatchUpDependencies {
  readonly db: DatabaseSync
  readonly writer: Writer<MemberCommands>
  readonly classes: readonly MixedClass[]
  /** Called when all members of a class have the form of the API file. */
  readonly onConverted: (className: string) => void
}

/** One process writes: when all members have been looked at once, all are converted. */
export function createCatchUp({ db, writer, classes, onConverted }: SqliteCatchUpDependencies): CatchUp {
  const open = new Map(classes.map((cls) => [cls.shape.name, { cls, ...prepare(db, cls.tables), after: 0 }]))
  const percents = new Map<string, number>()

  /** Returns whether there is more to do. */
  async function convertNext(onConverting: OnConverting): Promise<boolean> {
    const [next] = open
    if (next === undefined) return false
    const [className, work] = next
    const { cls, rows, last, after } = work
    const end = last()
    onConverting({ className, percent: percents.get(className) ?? 0 })
    if (after >= end) {
      const layout = withoutPending(cls.stored.layout)
      await writer.write('saveLayout', [className, JSON.stringify(layout)])
      open.delete(className)
      percents.delete(className)
      onConverted(className)
      onConverting({ className, percent: 100 })
      return open.size > 0
    }
    const found = rows(className, after)
    const converted = found.map((row) => cls.forms.convertRow(row))
    // What a power failure takes is converted again: `saveLayout` waits for the disk.
    if (converted.length > 0) await writer.writeUnsynced('rewrite', [className, converted])
    work.after = found.length === PORTION ? (found.at(-1)?.sequence ?? end) : after + LOOKED_AT
    percents.set(className, Math.min(99, Math.floor((100 * work.after) / Math.max(1, end))))
    return true
  }

  return {
    turn: (onConverting = () => {}) => convertForOneTurn(() => convertNext(onConverting)),
    progress: () => [...percents].map(([className, percent]) => ({ className, percent })),
  }
}

function prepare(db: DatabaseSync, { members, form }: SqliteTables) {
  const find = arrays(
    db,
    `SELECT sequence, id, version, owner, body, holes, hidden, form,
      (SELECT json_group_array(json_array(property, to_class, to_id)) FROM links
        WHERE from_class = ?1 AND from_id = m.id)
     FROM ${members} m WHERE sequence > ?2 AND sequence <= ?2 + ${LOOKED_AT} AND ${isOtherForm(form as OwnForm, 'm')}
     ORDER BY sequence LIMIT ${PORTION}`,
  )
  const max = arrays(db, `SELECT max(sequence) FROM ${members}`)
  return {
    last: () => max.get<[number | null]>()?.[0] ?? 0,
    rows: (className: string, after: number) => find.all<WorkRow>(className, after).map(toMemberRow),
  }
}
