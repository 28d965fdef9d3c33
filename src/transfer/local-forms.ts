// Dates and numbers as people write them in the language of their spreadsheet.
import { datatypeOf } from '../vocabulary/index.ts'

/** `dd.mm.yyyy`: the parts in their order, and what is between them. */
export interface DateForm {
  readonly order: 'dmy' | 'mdy' | 'ymd'
  readonly separator: '.' | '/' | '-'
}

/** The forms that spreadsheets write. `yyyy-mm-dd` is XSD's, and needs no form. */
const FORMS: readonly DateForm[] = [
  { order: 'dmy', separator: '.' },
  { order: 'dmy', separator: '/' },
  { order: 'mdy', separator: '/' },
  { order: 'dmy', separator: '-' },
  { order: 'mdy', separator: '-' },
  { order: 'ymd', separator: '/' },
  { order: 'ymd', separator: '.' },
]

const PARTS = { d: 'dd', m: 'mm', y: 'yyyy' } as const
type DatePart = keyof typeof PARTS

/** The form as the flag has it. */
export const writeForm = ({ order, separator }: DateForm): string =>
  [...order].map((part) => PARTS[part as DatePart]).join(separator)

/** The date as XSD writes it; undefined for a text without this form, or a day that is in no month. */
export function toDate(text: string, { order, separator }: DateForm): string | undefined {
  const numbers = text.split(separator)
  const digitsOf = (part: DatePart): string => numbers[order.indexOf(part)] ?? ''
  const [day, month, year] = [digitsOf('d'), digitsOf('m'), digitsOf('y')]
  if (numbers.length !== 3 || !/^[0-9]{4}$/.test(year) || ![day, month].every(isShort)) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return 'value' in datatypeOf('date').read(date) ? date : undefined
}

const isShort = (digits: string): boolean => /^[0-9]{1,2}$/.test(digits)

/** The forms in which a text is a date: `01/02/2026` has two. */
export const formsOf = (text: string): readonly DateForm[] =>
  text.length > LONGEST_DATE ? [] : FORMS.filter((form) => toDate(text, form) !== undefined)

const LONGEST_DATE = 10

/** Groups of three digits, with points or spaces between them, or no groups. */
const WITH_COMMA = /^[+-]?(?:[0-9]{1,3}(?:[. '\u00a0\u202f\u2019][0-9]{3})+|[0-9]+)(?:,[0-9]*)?$/

/** The number as XSD writes it; undefined for a text that is not a number with a decimal comma. */
export const withPoint = (text: string): string | undefined =>
  WITH_COMMA.test(text) ? text.replaceAll(/[. '\u00a0\u202f\u2019]/g, '').replace(',', '.') : undefined
