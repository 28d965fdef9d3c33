import type { JsonValue } from '../../json.ts'
import type { ProblemData } from '../../problem.ts'
import { type DatatypeName, DECIMAL, datatypeOf, type Range } from '../../vocabulary/index.ts'
import { type DateForm, formsOf, toDate, withPoint, writeForm } from '../local-forms.ts'
import { cellProblem } from '../problems.ts'

/** The JSON of a cell, or why it has none. */
export type ReadCell = (cell: string) => CellReading

type CellReading = { readonly value: JsonValue } | { readonly problem: ProblemData }

export const asText: ReadCell = (cell) => ({ value: cell })
const asTrimmed: ReadCell = (cell) => ({ value: cell.trim() })

/** How people write dates and numbers in the language of their spreadsheet. */
export interface CellForms {
  /** The order of day, month and year, and what is between them; absent for dates as in XSD. */
  readonly dates?: DateForm | undefined
  /** Whether `1.234,50` is a number, and `1234.50` is not. */
  readonly decimalComma?: boolean | undefined
}

/** Numbers and booleans become JSON numbers and booleans; everything else becomes text. */
export function cellReaderFor(range: Range, { dates, decimalComma = false }: CellForms = {}): ReadCell {
  if (range.kind !== 'datatype') return asTrimmed
  const { family } = datatypeOf(range.datatype)
  switch (family) {
    case 'text':
    case 'languages':
      return asText
    case 'number':
      return (cell) => readNumber(cell.trim(), range.datatype, decimalComma)
    case 'boolean':
      return booleanIn
    case 'temporal':
      return range.datatype === 'date' ? (cell) => readDate(cell.trim(), dates) : asTrimmed
  }
}

const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))

function booleanIn(cell: string): CellReading {
  const value = BOOLEANS.get(cell.trim().toLowerCase())
  return value === undefined ? invalidCell('boolean', cell) : { value }
}

/** A date of another form passes, and is refused as a value. */
function readDate(cell: string, dates: DateForm | undefined): CellReading {
  if (dates !== undefined) return { value: toDate(cell, dates) ?? cell }
  const [form] = formsOf(cell)
  if (form === undefined) return { value: cell }
  return invalidCell('date', cell, `--dates ${formsOf(cell).map(writeForm).join(' or ')}`)
}

function readNumber(cell: string, datatype: DatatypeName, decimalComma: boolean): CellReading {
  if (decimalComma) {
    const withoutComma = withPoint(cell)
    if (withoutComma !== undefined) return numberIn(withoutComma, datatype)
    return { problem: cellProblem('InvalidCell', { datatype, cell, decimalComma }) }
  }
  const found = numberIn(cell, datatype)
  const isComma = 'problem' in found && cell.includes(',') && withPoint(cell) !== undefined
  return isComma ? invalidCell(datatype, cell, '--decimal-comma') : found
}

/** XSD 1.1 part 2 §3.3.5; JSON has only some of these forms. */
const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/

/** A decimal keeps the digits of its cell, as text in JSON. Any other number has the same value in the form of JSON. */
function numberIn(cell: string, datatype: DatatypeName): CellReading {
  if (datatype === 'decimal' && DECIMAL.test(cell)) return { value: cell }
  if (!NUMBER.test(cell)) return invalidCell(datatype, cell)
  const sign = cell.startsWith('-') ? '-' : ''
  const digits = cell
    .replace(/^[+-]/, '')
    .replace(/^0+(?=[0-9])/, '')
    .replace(/^(?=\.)/, '0')
    .replace(/\.(?=$|[eE])/, '')
  return { value: rawJson(sign + digits) as JsonValue }
}

/** `flag`: the flag with which the cell can be read. */
const invalidCell = (datatype: DatatypeName, cell: string, flag?: string): CellReading => ({
  problem: cellProblem('InvalidCell', { datatype, cell, ...(flag !== undefined && { flag }) }),
})

/** Available since Node.js 22, but not yet in the types of TypeScript. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
