// Infers how dates and numbers are written in CSV, from the types that all values of a property could have.
import { JsonNumber } from '../json.ts'
import { type DatatypeName, datatypeOf } from '../vocabulary/index.ts'
import type { CellForms } from './csv-cell.ts'
import { type DateForm, formsOf, withPoint, writeForm } from './local-forms.ts'

/** A datatype in another form than XSD's: `date dd.mm.yyyy`, `decimal ,`. */
type LocalType = `date ${string}` | 'integer ,' | 'decimal ,'

export type InferredType = DatatypeName | LocalType

const isDateForm = (type: InferredType): type is `date ${string}` => type.startsWith('date ')
const isWithComma = (type: InferredType): boolean => type.endsWith(' ,')
const isPlainNumber = (type: InferredType): boolean => type === 'integer' || type === 'decimal'

/** The types of a cell in other forms. `isDate`: a date as in XSD is read along with those of any form. */
export function localTypesOf(text: string, isDate: boolean): LocalType[] {
  const dates = formsOf(text).map((form): LocalType => `date ${writeForm(form)}`)
  if (isDate) return ALL_DATES
  const number = isDoubtful(text) ? undefined : withPoint(text)
  if (number === undefined || !PLAIN_NUMBER.test(number)) return dates
  const fits = (type: 'integer' | 'decimal') => 'value' in datatypeOf(type).read(new JsonNumber(number))
  return [...dates, ...(['integer', 'decimal'] as const).filter(fits).map((type) => `${type} ,` as const)]
}

/** `007` is not a number: it would lose its zeros. */
export const PLAIN_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** `1,234` may be a thousand and more. */
const isDoubtful = (text: string): boolean => /^[+-]?[1-9][0-9]{0,2},[0-9]{3}$/.test(text)

const ORDERS = ['dmy', 'mdy', 'ymd'] as const
const SEPARATORS = ['.', '/', '-'] as const
const ALL_FORMS: readonly DateForm[] = ORDERS.flatMap((order) =>
  SEPARATORS.map((separator) => ({ order, separator })),
)
const ALL_DATES = ALL_FORMS.map((form): LocalType => `date ${writeForm(form)}`)

type TypesOfProperty = readonly InferredType[]

/** The forms that some property needs. Two forms of dates that fit alike are none: nobody could tell a wrong guess. */
export function chooseForms(properties: readonly TypesOfProperty[]): CellForms {
  const decisive = properties
    .filter((types) => !types.includes('date'))
    .map((types) => types.filter(isDateForm))
    .find((forms) => forms.length === 1)
  const dates = ALL_FORMS.find((form) => decisive?.[0] === `date ${writeForm(form)}`)
  const decimalComma = properties.some((types) => types.some(isWithComma) && !types.some(isPlainNumber))
  return { dates, decimalComma }
}

/** The forms of dates that would fit, if the property has dates and it is not known which. */
export const doubtfulForms = (types: TypesOfProperty, { dates }: CellForms): readonly string[] =>
  dates !== undefined || types.includes('date') ? [] : types.filter(isDateForm).map((type) => type.slice(5))

/** The narrowest type that fits all values as they will be read. */
export function narrowest(
  types: TypesOfProperty,
  { dates, decimalComma = false }: CellForms,
): DatatypeName | undefined {
  for (const type of types) {
    if (isDateForm(type)) {
      if (dates !== undefined && type === `date ${writeForm(dates)}`) return 'date'
    } else if (isWithComma(type)) {
      if (decimalComma) return type === 'integer ,' ? 'integer' : 'decimal'
    } else if (!decimalComma || !isPlainNumber(type)) return type as DatatypeName
  }
  return undefined
}

/** As flags of the import. */
export const flagsFor = ({ dates, decimalComma = false }: CellForms): string[] => [
  ...(dates === undefined ? [] : ['--dates', writeForm(dates)]),
  ...(decimalComma ? ['--decimal-comma'] : []),
]
