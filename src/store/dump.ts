import { createHash } from 'node:crypto'
import type { TableDifference } from './problems.ts'

/** The tables that `hydrant copy` copies and compares, the same in both stores. */

export type CopiedCell = string | number | null

export interface CopiedColumn {
  readonly name: string
  readonly type: 'text' | 'bigint'
}

export interface CopiedTable {
  readonly name: string
  readonly columns: readonly CopiedColumn[]
  /** How many of the first columns are its primary key, in whose order rows are read. */
  readonly keyLength: number
}

const text = (...names: readonly string[]): CopiedColumn[] => names.map((name) => ({ name, type: 'text' }))
const number = (...names: readonly string[]): CopiedColumn[] =>
  names.map((name) => ({ name, type: 'bigint' }))

const table = (name: string, columns: readonly CopiedColumn[], keyLength = 1): CopiedTable => ({
  name,
  columns,
  keyLength,
})

/** Users before their tokens. */
export const TABLES: readonly CopiedTable[] = [
  table('settings', text('name', 'value')),
  table('users', [
    ...number('id'),
    ...text('paraphrase_hash', 'roles', 'name', 'name_key'),
    ...number('added_at', 'number', 'revision', 'signed_in_at'),
  ]),
  table('tokens', [...number('id'), ...text('hash'), ...number('user_id', 'issued_at', 'expires_at')]),
  table('spent_nonces', [...text('nonce'), ...number('spent_at', 'expires_at')]),
  table('attempts', [...number('id'), ...text('address'), ...number('user_id', 'at', 'failed')]),
  table('links', text('to_class', 'to_id', 'from_class', 'property', 'from_id'), 5),
]

const membersTable = (classId: number): CopiedTable =>
  table(`members_${classId}`, [
    ...number('sequence'),
    ...text('id'),
    ...number('version'),
    ...text('body', 'holes', 'hidden'),
    ...number('owner'),
  ])

/** The entries of a class that keeps a history, or has kept one. */
const historyTable = (classId: number): CopiedTable =>
  table(
    `history_${classId}`,
    [
      ...text('id'),
      ...number('version', 'kind', 'at', 'actor', 'owner', 'gone'),
      ...text('links', 'body', 'holes', 'hidden'),
    ],
    2,
  )

/** A class without its keys, which are computed when its members are migrated. */
export interface CopiedClass {
  readonly id: number
  readonly name: string
  readonly total: number
  /** The last version and sequence number that were issued. */
  readonly version: number
  readonly sequence: number
  readonly hasHistory: boolean
}

export interface ClassTables {
  readonly members: CopiedTable
  readonly history: CopiedTable | undefined
}

export const tablesOfClass = ({ id, hasHistory }: CopiedClass): ClassTables => ({
  members: membersTable(id),
  history: hasHistory ? historyTable(id) : undefined,
})

/** A checksum of the rows of a table. */
export interface Digest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

export function createDigest(table: string) {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(row: readonly CopiedCell[]): void {
      rows += 1
      hash.update(`${JSON.stringify(row)}\n`)
    },
    digest: (): Digest => ({ table, rows, sha256: hash.digest('hex') }),
  }
}

/** The tables whose contents differ. */
export function findDifferences(read: readonly Digest[], found: readonly Digest[]): TableDifference[] {
  const byTable = new Map(found.map((digest) => [digest.table, digest]))
  return read.flatMap(({ table, rows, sha256 }) => {
    const other = byTable.get(table)
    return other?.sha256 === sha256 ? [] : [{ table, expectedRows: rows, rows: other?.rows }]
  })
}
