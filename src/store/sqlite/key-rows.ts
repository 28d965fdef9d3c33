import type { DatabaseSync } from 'node:sqlite'
import type { Indexed, Keys } from '../../vocabulary/keys.ts'
import { keyColumns, keyRow } from '../query/tables.ts'
import { arrays } from './connection.ts'
import type { Tables } from './tables.ts'

/** Writes what members are found and sorted by. */
export interface KeyRows {
  add(sequence: number, keys: Keys): void
  remove(sequence: number): void
  /** Unique properties whose value another member than this has; a new member has no sequence number yet. */
  taken(keys: Keys, sequence: number | undefined): string[]
}

export function createKeyRows(db: DatabaseSync, tables: Tables): KeyRows {
  const { keys: table, values, words, shapes } = tables
  const marks = ['?', ...keyColumns(shapes).map(() => '?')].join(', ')
  const addKeys = arrays(db, `INSERT INTO ${table} VALUES (${marks})`)
  const removeKeys = arrays(db, `DELETE FROM ${table} WHERE sequence = ?`)
  const addValue = arrays(db, `INSERT INTO ${values} VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const removeValues = arrays(db, `DELETE FROM ${values} WHERE sequence = ?`)
  const addWords = arrays(db, `INSERT INTO ${words} (rowid, words) VALUES (?, ?)`)
  const removeWords = arrays(db, `DELETE FROM ${words} WHERE rowid = ?`)
  const hasMany = shapes.some(({ many }) => many)
  const unique = shapes.flatMap(({ property, unique }, index) =>
    unique
      ? [
          {
            property,
            index,
            owner: arrays(db, `SELECT 1 FROM ${table} WHERE k${index} = ? AND sequence <> ?`),
          },
        ]
      : [],
  )

  return {
    add(sequence, keys) {
      addKeys.run(sequence, ...keyRow(shapes, keys, (key) => key))
      shapes.forEach(({ many }, property) => {
        if (!many) return
        for (const { key, whole, folded } of keys.values[property] as readonly Indexed[]) {
          addValue.run(property, key, sequence, whole, folded)
        }
      })
      if (keys.words.length > 0) addWords.run(sequence, keys.words.join(' '))
    },
    remove(sequence) {
      removeKeys.run(sequence)
      if (hasMany) removeValues.run(sequence)
      removeWords.run(sequence)
    },
    taken(keys, sequence = 0) {
      return unique
        .filter(({ index, owner }) => {
          const value = keys.values[index] as Indexed | null
          return value !== null && owner.get(value.key, sequence) !== undefined
        })
        .map(({ property }) => property)
    },
  }
}
