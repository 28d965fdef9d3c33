import type { DatabaseSync } from 'node:sqlite'
import { arrays } from '../../database/sqlite/connection.ts'
import type { Indexed } from '../../vocabulary/index-keys.ts'
import type { KeyShape, Keys } from '../../vocabulary/keys.ts'
import type { StoredMember } from '../index.ts'
import { keyColumns, keyRow } from '../query/dialect.ts'
import { type CountLinked, copyOf, createLinkedRows } from './linked.ts'
import type { SqliteTables } from './tables.ts'

/** Writes the keys and words by which members are found and sorted. `count`: as in `createLinkedRows`. */
export function createKeyRows(db: DatabaseSync, tables: SqliteTables, count?: CountLinked) {
  const { keys: table, values, words, owned, shapes, isListedByOwner } = tables
  const columns = ['sequence', ...keyColumns(shapes), 'owner']
  const addKeys = arrays(db, `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`)
  const removeKeys = arrays(db, `DELETE FROM ${table} WHERE sequence = ?`)
  const addValue = arrays(db, `INSERT INTO ${values} VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const removeValues = arrays(db, `DELETE FROM ${values} WHERE sequence = ?`)
  const addWords = arrays(db, `INSERT INTO ${words} (rowid, words) VALUES (?, ?)`)
  const removeWords = arrays(db, `DELETE FROM ${words} WHERE rowid = ?`)
  const addOwned = arrays(db, `INSERT INTO ${owned} VALUES (?, ?, ?, ?, ?, ?)`)
  const removeOwned = arrays(db, `DELETE FROM ${owned} WHERE owner = ? AND sequence = ?`)
  const linked = createLinkedRows(db, tables, count)
  const hasMany = shapes.some(({ many }) => many)
  const others = shapes.map(({ unique }, index) =>
    unique ? arrays(db, `SELECT 1 FROM ${table} WHERE k${index} = ? AND sequence <> ?`) : undefined,
  )

  function addRows(sequence: number, keys: Keys, member: StoredMember): void {
    const { owner } = member
    addKeys.run(sequence, ...keyRow(shapes, keys, (key) => key), owner ?? null)
    shapes.forEach(({ many, isForeign }, property) => {
      if (!many || isForeign) return
      for (const { key, whole, element = 0 } of keys.values[property] as readonly Indexed[])
        addValue.run(property, key, sequence, element, whole)
    })
    if (keys.words.length > 0) addWords.run(sequence, keys.words.join(' '))
    if (owner !== undefined) addOwned.run(owner, sequence, ...copyOf(member, isListedByOwner))
  }

  function removeRows(sequence: number, owner: number | undefined): void {
    if (owner !== undefined) removeOwned.run(owner, sequence)
    removeKeys.run(sequence)
    if (hasMany) removeValues.run(sequence)
    removeWords.run(sequence)
  }

  return {
    add(sequence: number, keys: Keys, member: StoredMember): void {
      addRows(sequence, keys, member)
      linked?.add(sequence, linked.written(keys), member)
    },
    replace(sequence: number, keys: Keys, member: StoredMember): void {
      const before = linked?.stored(sequence)
      removeRows(sequence, member.owner)
      addRows(sequence, keys, member)
      if (before !== undefined) linked?.replace(sequence, before, linked.written(keys), member)
    },
    remove(sequence: number, owner: number | undefined): void {
      linked?.remove(sequence, linked.stored(sequence))
      removeRows(sequence, owner)
    },
    /** Unique properties whose value another member has; a new member has no sequence number yet. */
    taken({ values }: Keys, sequence = 0): string[] {
      const isTaken = (_: KeyShape, index: number) => {
        const value = values[index] as Indexed | null
        return value !== null && others[index]?.get(value.key, sequence) !== undefined
      }
      return shapes.filter(isTaken).map(({ property }) => property)
    },
  }
}
