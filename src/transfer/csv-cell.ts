import type { JsonValue } from '../json.ts'
import type { ProblemData } from '../problem.ts'
import { type DatatypeName, DECIMAL, datatypeOf, type Range } from '../vocabulary/index.ts'
import { cellProblem } from './problems.ts'

/** The JSON of a cell, or why it has none. */
export type ReadCell = (cell: string) => CellReading

type CellReading = { readonly value: JsonValue } | { readonly problem: ProblemData }

export const asText: ReadCell = (cell) => ({ value: cell })
const asTrimmed: ReadCell = (cell) => ({ value: cell.trim() })

/** Numbers and booleans become JSON numbers and booleans; everything else becomes text. */
export function cellReaderFor(range: Range): ReadCell {
  if (range.kind !== 'datatype') return asTrimmed
  const { family } = datatypeOf(range.datatype)
  switch (family) {
    case 'text':
    case 'languages':
      return asText
    case 'number':
      return (cell) => numberIn(cell.trim(), range.datatype)
    case 'boolean':
      return booleanIn
    case 'temporal':
      return asTrimmed
  }
}

const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))

function booleanIn(cell: string): CellReading {
  const value = BOOLEANS.get(cell.trim().toLowerCase())
  return value === undefined ? invalidCell('boolean', cell) : { value }
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

const invalidCell = (datatype: DatatypeName, cell: string): CellReading => ({
  problem: cellProblem('InvalidCell', { datatype, cell }),
})

/** Available since Node.js 22, but not yet in the types of TypeScript. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
