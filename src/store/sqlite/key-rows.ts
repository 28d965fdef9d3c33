import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../text.ts'
import type { Key, KeyShape, Keys } from '../../vocabulary/keys.ts'
import { least } from '../../vocabulary/keys.ts'
import { arrays } from './statements.ts'
import { hasFoldedColumn, keyColumns, type Tables } from './tables.ts'

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
  const addValue = arrays(db, `INSERT INTO ${values} VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`)
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
      addKeys.run(sequence, ...rowOf(shapes, keys))
      shapes.forEach(({ many, folded }, property) => {
        if (!many) return
        for (const key of keys.values[property] as readonly Key[]) {
          addValue.run(property, key, sequence, folded ? foldedOf(key) : null)
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
          const key = keys.values[index] as Key | null
          return key !== null && owner.get(key, sequence) !== undefined
        })
        .map(({ property }) => property)
    },
  }
}

function rowOf(shapes: readonly KeyShape[], { values }: Keys): (Key | null)[] {
  const row = shapes.map(({ many }, index) => {
    const value = values[index] as Key | null | readonly Key[]
    return many ? least(value as readonly Key[]) : (value as Key | null)
  })
  const folded = shapes.flatMap((shape, index) => {
    const key = row[index] ?? null
    return hasFoldedColumn(shape) ? [key === null ? null : foldedOf(key)] : []
  })
  return [...row, ...folded]
}

/** Nothing where it is the key itself. */
function foldedOf(key: Key): string | null {
  const folded = fold(String(key))
  return folded === key ? null : folded
}
