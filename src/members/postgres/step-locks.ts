import { arrayOf } from '../../database/postgres/arrays.ts'
import type { RunSql } from '../../database/postgres/pool.ts'
import { keyOfMember, type StepName } from '../member.ts'
import type { ClassStatements } from './class-statements.ts'
import { isStorable } from './tables.ts'

export type FindClass = (className: string) => ClassStatements

/**
 * Locks everything in one order for all transactions, so that no two deadlock: the classes of pages, to which nobody else
 * writes until the commit, and then members. A weaker lock of the classes would deadlock with writers that have locked a
 * member, and not written it yet. Returns the versions of members that are there, by their keys.
 */
export async function lockAll(
  run: RunSql,
  names: readonly StepName[],
  classOf: FindClass,
): Promise<ReadonlyMap<string, number>> {
  const isOfPage = ({ kind }: StepName) => kind === 'page'
  const versions = new Map<string, number>()
  const tables = new Set(names.filter(isOfPage).map(({ className }) => classOf(className).tables))
  if (tables.size > 0) {
    const inOrder = [...tables].sort((one, other) => one.classId - other.classId)
    await run(`LOCK TABLE ${inOrder.map(({ members }) => members).join(', ')} IN EXCLUSIVE MODE`, [])
  }
  const byClass = Map.groupBy(
    names.filter((one) => !isOfPage(one)),
    ({ className }) => className,
  )
  const inOrder = [...byClass].map(([className, some]) => ({ ...classOf(className).tables, className, some }))
  for (const { members, className, some } of inOrder.sort((one, other) => one.classId - other.classId)) {
    const strength = some.some(({ kind }) => kind === 'remove') ? 'UPDATE' : 'NO KEY UPDATE'
    const ids = arrayOf(some.map(({ id }) => id).filter(isStorable))
    const rows = await run<[id: string, version: number]>(
      `SELECT id, version FROM ${members} WHERE id = ANY ($1::text[]) ORDER BY id FOR ${strength}`,
      [ids],
    )
    for (const [id, version] of rows) versions.set(keyOfMember({ className, id }), version)
  }
  return versions
}
