// Infers how dates and numbers are written in CSV, from the types that all values of a property could have.
import { JsonNumber } from '../../json.ts'
import { type DatatypeName, datatypeOf } from '../../vocabulary/index.ts'
import type { CellForms } from '../csv/cell.ts'
import { type DateForm, formsOf, withPoint, writeForm } from '../local-forms.ts'

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
  const fits = (type: 'integer' | 'decimal') =>
    (type === 'decimal' || !text.includes(',')) && 'value' in datatypeOf(type).read(new JsonNumber(number))
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

/**
 * The forms that some property needs. Two forms of dates that fit alike are none: nobody could tell a wrong guess. Only a
 * comma shows that commas are decimal: `192.168.100.101` and `555 123` need not have thousands.
 */
export function chooseForms(properties: readonly TypesOfProperty[]): CellForms {
  const decisive = new Set(
    properties
      .filter((types) => !types.includes('date'))
      .map((types) => types.filter(isDateForm))
      .flatMap((forms) => (forms.length === 1 ? forms : [])),
  )
  const [first, ...others] = [...decisive].flatMap(
    (type) => ALL_FORMS.find((form) => type === `date ${writeForm(form)}`) ?? [],
  )
  const isContradicted = others.some(({ separator }) => separator === first?.separator)
  const decimalComma = properties.some(
    (types) => types.includes('decimal ,') && !types.includes('integer ,') && !types.some(isPlainNumber),
  )
  return { dates: isContradicted ? undefined : first, decimalComma }
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
