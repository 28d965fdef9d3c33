import { addressOf, type StoredMember } from '../../../members/index.ts'
import type { Class } from '../../../vocabulary/index.ts'
import { addressCell, createCellWriter, escapeFormula, toCell } from './cell.ts'
import { createColumns } from './columns.ts'
import { csvPropertiesOf } from './properties.ts'
import { createReadRow, type ServedRow } from './row.ts'

const NONE: readonly string[] = []

/** RFC 4180 §2. */
const LINE_END = '\r\n'

export interface CsvOptions {
  /** Whether texts that a spreadsheet would read as formulas are escaped. */
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
  read(member: Pick<StoredMember, 'id' | 'body'>): ServedRow
  createTable(): CsvTable
}

/** A table, whose columns are known when all rows have been added. */
export interface CsvTable {
  add(row: ServedRow): void
  /** The characters that the columns cost: the header, and the separators of this many rows. */
  overhead(rows: number): number
  header(): string
  /** Undefined if there are not enough columns for a row, which was not added. */
  write(row: ServedRow): string | undefined
}

export function createCsvFormat(cls: Class, base: string, { spreadsheet, shown }: CsvOptions): CsvFormat {
  const { held, leftOut } = csvPropertiesOf(cls, shown)
  const writers = new Map(
    held.map((property) => [property, createCellWriter(property.range, base, spreadsheet)]),
  )
  const [address, toAddressCell] = [addressOf(cls, base), addressCell(base)]
  const toNameCell = spreadsheet ? (name: string) => toCell(escapeFormula(name)) : toCell
  const headerOf = (names: readonly string[]) => names.map(toNameCell).join(',') + LINE_END
  // Each property has one column even without a value.
  const emptyHeader = headerOf(['@id', ...held.map(({ name }) => name)])
  const isFixed = held.every(({ kind }) => kind === 'single')

  function createTable(): CsvTable {
    const columns = [...writers].map(([property, cells]) =>
      property.kind === 'single' ? property : createColumns(property, cells),
    )
    const variable = columns.filter((one) => 'add' in one)
    const names = () => ['@id', ...columns.flatMap((one) => ('add' in one ? one.names() : one.name))]
    let count = held.length + 1
    let headerLength = emptyHeader.length
    const countNames = (added: readonly string[]): void => {
      count += added.length
      for (const name of added) headerLength += name.length + 1
    }
    return {
      add({ values }) {
        for (let index = 0; index < variable.length; index++) {
          const added = variable[index]?.add(values[index]) ?? NONE
          if (added.length > 0) countNames(added)
        }
      },
      overhead: (rows) => headerLength + rows * count,
      header: () => (isFixed ? emptyHeader : headerOf(names())),
      write({ texts, values }) {
        let row = texts[0] as string
        for (let index = 0; index < variable.length; index++) {
          const cells = variable[index]?.write(values[index])
          if (cells === undefined) return undefined
          row += cells + texts[index + 1]
        }
        return row + LINE_END
      },
    }
  }

  return {
    leftOut,
    isFixed,
    read: createReadRow(cls, (id) => toAddressCell(address(id)), writers),
    createTable,
  }
}
