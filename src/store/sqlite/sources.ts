import { columnOf } from '../query/filters.ts'
import { inValues, type Source } from '../query/sources.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import type { Stretch } from '../query/stretches.ts'
import { keyTest, matchText, type Placing, rangeTest, valueColumns } from './predicates.ts'
import { type Tables, valuesByMember } from './tables.ts'

export const inKeys = (tables: Tables, property: string): Source => ({
  ...byNumber(tables),
  key: `k.k${columnOf(tables, property).index}`,
})

/** All members. */
export const byNumber = ({ keys }: Tables): Source => ({
  from: `${keys} k`,
  sequence: 'k.sequence',
  key: 'NULL',
  fixed: [],
})

/** A member with many values stands at the least that matches, and at no other. */
export function inLeastValues(tables: Tables, placing: Placing): Source {
  const source = inValues(tables, placing.property)
  const { index } = columnOf(tables, placing.property)
  const lesser = and([sql('l.key < v.key'), keyTest(valueColumns('l'), placing)])
  const isLeast = sql(
    `NOT EXISTS (SELECT 1 FROM ${valuesByMember(tables, 'l')}
      WHERE l.sequence = v.sequence AND l.property = ${index} AND ${lesser.text})`,
    ...lesser.params,
  )
  return { ...source, fixed: [...source.fixed, isLeast] }
}

export const inWords = ({ words }: Tables, asked: readonly string[]): Source => ({
  from: `${words} w`,
  sequence: 'w.rowid',
  key: 'NULL',
  fixed: [sql(`w.${words} MATCH ?`, matchText(asked))],
})

/** Whether a row is in the stretch. `down`: whether numbers get smaller on the way. */
export function within({ key, sequence }: Source, stretch: Stretch, down: boolean): Sql[] {
  if (stretch.kind === 'span') return [rangeTest(key, stretch)]
  const beyond =
    stretch.beyond === undefined ? [] : [sql(`${sequence} ${down ? '<' : '>'} ?`, stretch.beyond)]
  switch (stretch.kind) {
    case 'all':
      return beyond
    case 'key':
      return [sql(`${key} = ?`, stretch.key), ...beyond]
    case 'none':
      return [sql(`${key} IS NULL`), ...beyond]
  }
}
