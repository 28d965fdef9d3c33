import type { Dialect } from '../query/dialect.ts'
import { and, type Sql, sql } from '../query/dialect.ts'
import { textArray } from './arrays.ts'
import { keyOf, keyText } from './key-text.ts'
import type { Tables } from './tables.ts'

/** Which filter drives is left to PostgreSQL, which has statistics: each is written so that it may be the one. */
export const dialectOf = (tables: Tables): Dialect => ({
  tables,
  write: keyText,
  read: (written) => keyOf(String(written)),
  text: (column) => `substr(${column}, 2)`,
  find: 'strpos',
  isOneOf: (column, keys) => sql(`${column} = ANY (?::text[])`, textArray(keys.map(String))),
  unindexed: (column) => column,
  position: '(?, ?)',
  valuesOfMember: (alias) => `${tables.values} ${alias}`,
  hasWords: (words) =>
    and(
      words.map((word) =>
        sql(`k.sequence IN (SELECT w.sequence FROM ${tables.words} w WHERE w.word = ?)`, word),
      ),
    ),
  withWords: ([word = '']) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.sequence',
    key: undefined,
    fixed: [sql('w.word = ?', word)],
  }),
  mostWords: 1,
})

/** As PostgreSQL has it: the parameters by their numbers. Values are never in the text, so it has no other marks. */
export function numbered({ text }: Sql): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}
