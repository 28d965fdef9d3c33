import type { KeyShape } from '../../vocabulary/keys.ts'
import { columnOf } from './filters.ts'
import { type Sql, sql } from './sql.ts'

/** What can be walked: rows that have the sequence number of a member, and a key where they stand by one. */
export interface Source {
  readonly from: string
  readonly sequence: string
  readonly key: string
  /** What all its rows must pass. */
  readonly fixed: readonly Sql[]
}

/** Each value of a property with many. */
export const inValues = (
  tables: { readonly values: string; readonly shapes: readonly KeyShape[] },
  property: string,
): Source => ({
  from: `${tables.values} v`,
  sequence: 'v.sequence',
  key: 'v.key',
  fixed: [sql(`v.property = ${columnOf(tables, property).index}`)],
})
