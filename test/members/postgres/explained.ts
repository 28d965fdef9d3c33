import type { TestContext } from 'node:test'
import { createPool, type Param, type Pool, type RunSql } from '../../../src/database/postgres/pool.ts'
import { READING, SCANNING, WRITING } from '../../../src/database/postgres/pools.ts'

export type { Pool, RunSql }

const SESSIONS = { READING, SCANNING, WRITING }

/** A connection with the settings of a store's. */
export function connectAs(t: TestContext, url: string, session: keyof typeof SESSIONS): RunSql {
  const options = { connections: 1, pipeline: 1, limitMs: 60_000, prepare: false }
  const pool = createPool(url, { ...options, session: SESSIONS[session] })
  t.after(() => pool.close())
  return pool.run
}

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export const readIn = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
  node['Actual Loops']

/** Scans, and joins of whole tables. */
export const ELSEWHERE = /Seq Scan|Bitmap|Hash Join|Merge Join/

/** As the statement is made when it is prepared, whatever it was asked for before. Nothing of what it writes stays. */
export async function explain(run: RunSql, text: string, params: readonly Param[]): Promise<PlanNode[]> {
  await run(`PREPARE asked AS ${text}`)
  const given = params.map((param) => (typeof param === 'number' ? param : `'${param}'`)).join(', ')
  await run('BEGIN')
  const [row] = await run<[string | readonly { Plan: PlanNode }[]]>(
    `EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON) EXECUTE asked${params.length === 0 ? '' : ` (${given})`}`,
  )
  await run('ROLLBACK')
  await run('DEALLOCATE asked')
  const plans = typeof row?.[0] === 'string' ? JSON.parse(row[0]) : row?.[0]
  return nodesOf(plans[0].Plan)
}
