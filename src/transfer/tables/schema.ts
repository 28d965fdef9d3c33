// A database of another program: its tables as the catalog describes them, and how their rows are read.
import type { DatatypeName, RemovalRule } from '../../vocabulary/index.ts'

export interface SourceColumn {
  readonly name: string
  /** As the database writes it. */
  readonly type: string
  /** Undefined if no datatype can hold the values. */
  readonly datatype: DatatypeName | undefined
  /** Whether it has a list of such values. */
  readonly isList: boolean
  readonly isRequired: boolean
  readonly isGenerated: boolean
  /** The expression of its default, in SQL. */
  readonly default: string | undefined
  readonly maxLength?: number
  readonly scale?: number
  /** The values of an enumerated type. */
  readonly choices?: readonly string[]
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** The columns of the other table, in the same order. */
  readonly targets: readonly string[]
  readonly onDelete: RemovalRule
}

export interface SourceTable {
  readonly name: string
  readonly columns: readonly SourceColumn[]
  /** The primary key, or another one that is never null; empty if there is none. */
  readonly key: readonly string[]
  readonly references: readonly ForeignKey[]
  /** Further keys, without the primary key. */
  readonly unique: readonly (readonly string[])[]
  /** The conditions of CHECK constraints, in SQL. */
  readonly checks: readonly string[]
}

/** Something of the database that is no table with rows to read, and why. */
export interface OtherThing {
  readonly name: string
  readonly reason: 'view' | 'virtual' | 'forbidden'
}

export interface SourceSchema {
  readonly tables: readonly SourceTable[]
  readonly others: readonly OtherThing[]
}

/** A table of two references, each row of which is a link between two others. */
export interface JoinTable {
  readonly table: SourceTable
  /** The reference to the table whose rows have the links, and the one to the table that these lead to. */
  readonly from: ForeignKey
  readonly to: ForeignKey
}

/** What is read of each row. */
export type RowPart =
  | { readonly kind: 'column'; readonly column: SourceColumn }
  /** A column of the key of the referenced row, if the reference is to other columns. */
  | { readonly kind: 'lookup'; readonly reference: ForeignKey; readonly keyColumn: string }
  /** The keys of all linked rows, as JSON: a list of lists of texts. */
  | { readonly kind: 'joined'; readonly join: JoinTable }

export interface RowQuery {
  readonly table: SourceTable
  readonly parts: readonly RowPart[]
}

/** PostgreSQL gives texts, SQLite what a row has, whatever the type of the column is. */
export type SourceValue = string | number | bigint | boolean | Uint8Array | null

export type SourceRow = readonly SourceValue[]

/** A database that is only read, in one state of it. */
export interface TableSource {
  describe(): Promise<SourceSchema>
  count(table: SourceTable): Promise<number>
  /** Which of these columns have an empty text, or one of spaces. */
  findBlank(table: SourceTable, columns: readonly string[]): Promise<ReadonlySet<string>>
  /** How often the most frequent values of these columns occur. */
  countMost(table: SourceTable, columns: readonly string[]): Promise<number>
  /** The rows in the order of the key, in portions of which only one is in memory. */
  rows(query: RowQuery): AsyncIterable<SourceRow[]>
}

/** A table or a column that is not read: the API file has no place for it, or it may not be read. */
export interface UnreadPart {
  readonly table: string
  /** Undefined for the whole table. */
  readonly column: string | undefined
  /** The class of the table. */
  readonly className: string | undefined
  /** Whether the user of the address may not read the table. */
  readonly isForbidden?: true
}

/** The text of a value of a key: the same on both sides of a reference. */
export const keyText = (value: SourceValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))
