import type { JsonValue } from '../json.ts'
import { show } from '../text.ts'
import { type DatatypeName, DECIMAL, datatypeOf, type Range } from '../vocabulary/index.ts'

/** The JSON of a cell, or why it has none. */
export type Write = (cell: string) => { readonly value: JsonValue } | { readonly message: string }

export const asText: Write = (cell) => ({ value: cell })
const asTrimmed: Write = (cell) => ({ value: cell.trim() })

/** Numbers and booleans are written as such in JSON; everything else as text. */
export function writerFor(range: Range): Write {
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

function booleanIn(cell: string): ReturnType<Write> {
  const value = BOOLEANS.get(cell.trim().toLowerCase())
  return value === undefined ? wrongCell('true or false', cell) : { value }
}

/** XSD 1.1 part 2 §3.3.5, of which JSON has a part. */
const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/

/** A decimal keeps the digits of its cell, as text in JSON. Any other number has the same value in the form of JSON. */
function numberIn(cell: string, datatype: DatatypeName): ReturnType<Write> {
  if (datatype === 'decimal' && DECIMAL.test(cell)) return { value: cell }
  if (!NUMBER.test(cell)) return wrongCell(NUMBERS.get(datatype) ?? 'an integer such as 12', cell)
  const sign = cell.startsWith('-') ? '-' : ''
  const digits = cell
    .replace(/^[+-]/, '')
    .replace(/^0+(?=[0-9])/, '')
    .replace(/^(?=\.)/, '0')
    .replace(/\.(?=$|[eE])/, '')
  return { value: rawJson(sign + digits) as JsonValue }
}

const NUMBERS = new Map<DatatypeName, string>([
  ['decimal', 'a decimal such as 12.50'],
  ['double', 'a number such as 12.5'],
  ['float', 'a number such as 12.5'],
])

const wrongCell = (right: string, cell: string) => ({ message: `must be ${right}, not ${show(cell)}.` })

/** In Node.js since 22, and not yet in the types of TypeScript. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
