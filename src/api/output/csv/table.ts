import { addressOf, type StoredMember } from '../../../members/index.ts'
import type { Class } from '../../../vocabulary/index.ts'
import { createCellWriter, guarded, toCell } from './cell.ts'
import { createColumns } from './columns.ts'
import { type CsvProperty, csvPropertiesOf } from './properties.ts'
import { type CsvRow, createReadRow } from './row.ts'

/** RFC 4180 §2. */
const LINE_END = '\r\n'

export interface CsvOptions {
  /** Whether texts that a spreadsheet would read as formulas are guarded. */
  readonly spreadsheet: boolean
  /** The properties to show, such as `title` and `address.city`; all if it is absent. */
  readonly shown?: readonly string[]
}

/** The members of a class as CSV. */
export interface CsvFormat {
  /** The names of the properties that CSV cannot hold. */
  readonly leftOut: readonly string[]
  /** Whether tables have the same columns, whatever their members. */
  readonly isFixed: boolean
  read(member: Pick<StoredMember, 'id' | 'body'>): CsvRow
  createTable(): CsvTable
}

/** A table, whose columns are known when all rows have been added. */
export interface CsvTable {
  add(row: CsvRow): void
  /** The characters that the columns cost: the header, and the separators of this many rows. */
  overhead(rows: number): number
  header(): string
  /** Undefined if there are not enough columns for a row, which was not added. */
  write(row: CsvRow): string | undefined
}

export function createCsvFormat(cls: Class, base: string, { spreadsheet, shown }: CsvOptions): CsvFormat {
  const { held, leftOut } = csvPropertiesOf(cls, shown)
  const writers = new Map(
    held.map((property) => [property, createCellWriter(property.range, base, spreadsheet)]),
  )
  const toNameCell = spreadsheet ? (name: string) => toCell(guarded(name)) : toCell

  function createTable(): CsvTable {
    const columns = [...writers].map(([property, cells]) =>
      property.kind === 'single' ? property : createColumns(property, cells),
    )
    const variable = columns.filter((one) => 'add' in one)
    const names = () => ['@id', ...columns.flatMap((one) => ('add' in one ? one.names() : one.name))]
    let count = 0
    let headerLength = 0
    const countNames = (added: readonly string[]): void => {
      count += added.length
      for (const name of added) headerLength += name.length + 1
    }
    countNames(names())
    return {
      add({ values }) {
        for (const [index, one] of variable.entries()) countNames(one.add(values[index]))
      },
      overhead: (rows) => headerLength + rows * count,
      header: () => names().map(toNameCell).join(',') + LINE_END,
      write({ texts: [first = '', ...texts], values }) {
        let row = first
        for (const [index, one] of variable.entries()) {
          const cells = one.write(values[index])
          if (cells === undefined) return undefined
          row += cells + texts[index]
        }
        return row + LINE_END
      },
    }
  }

  return {
    leftOut,
    isFixed: held.every(isSingle),
    read: createReadRow(cls, addressOf(cls, base), writers),
    createTable,
  }
}

const isSingle = ({ kind }: CsvProperty): boolean => kind === 'single'
