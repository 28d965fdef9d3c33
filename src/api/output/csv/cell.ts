import { datatypeOf, type Range } from '../../../vocabulary/index.ts'

/** A cell of RFC 4180. An empty text has quotes, since an empty cell is no value (asking.md, CSV). */
export function toCell(text: string): string {
  if (text === '') return '""'
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

/** The beginning of a text that a spreadsheet reads as a formula, with any number of apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r]/

/** A text that no spreadsheet runs. An escaped one gets another apostrophe, so that `unescapeFormula` is the reverse. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text

/** Writes the cells of a property. */
export interface CellWriter {
  /** The cell of a stored value. */
  ofValue(value: unknown): string
  /** The same from the JSON of the value, between two offsets of a text, which is parsed only if it has escapes. */
  ofJson(text: string, from: number, to: number): string
}

/** `spreadsheet`: formulas are escaped in texts. Numbers stay: `-1` is no formula. */
export function createCellWriter(range: Range, base: string, spreadsheet: boolean): CellWriter {
  if (range.kind !== 'datatype') return linkWriter(base)
  const { family } = datatypeOf(range.datatype)
  if (family === 'number' || family === 'boolean') return LITERALS
  return spreadsheet ? ESCAPED_TEXTS : TEXTS
}

const QUOTE = 0x22

const textWriter = (write: (text: string) => string): CellWriter => {
  const ofValue = (value: unknown): string => toCell(write(String(value)))
  return {
    ofValue,
    ofJson(text, from, to) {
      if (text.charCodeAt(from) !== QUOTE) return ofValue(text.slice(from, to))
      const inner = text.slice(from + 1, to - 1)
      if (inner.includes('\\')) return ofValue(JSON.parse(text.slice(from, to)))
      // Without escapes it has neither quotes nor line breaks.
      const cell = write(inner)
      return cell === '' || cell.includes(',') ? `"${cell}"` : cell
    },
  }
}

const TEXTS = textWriter((text) => text)
const ESCAPED_TEXTS = textWriter(escapeFormula)

/** Decimals are stored as JSON strings; none of these needs quotes. */
const LITERALS: CellWriter = {
  ofValue: String,
  ofJson: (text, from, to) =>
    text.charCodeAt(from) === QUOTE ? text.slice(from + 1, to - 1) : text.slice(from, to),
}

/** Stored links are paths below the base. */
function linkWriter(base: string): CellWriter {
  const toLink = addressCell(base)
  return {
    ofValue: (path) => toLink(base + path),
    ofJson: (text, from, to) => toLink(base + text.slice(from + 1, to - 1)),
  }
}

/** The cell of an address below the base. The rest of it is percent-encoded, so that only the base may need quotes. */
export const addressCell = (base: string): ((address: string) => string) =>
  toCell(base) === base ? (address) => address : toCell
