/**
 * Arrays as one parameter, in the form in which PostgreSQL writes them itself
 * (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO): any number of values in a statement whose text stays
 * the same, far from the limit of 65,535 parameters.
 */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map(element).join(',')}}`

function element(value: string | number | null): string | number {
  if (typeof value === 'string') return quoted(value)
  return value ?? 'NULL'
}

/** Always in quotes: without them the text NULL would be a null, and spaces at the ends would be lost. */
const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`

/** Columns of rows, each as an array. */
export const columnArrays = <Name extends string>(
  rows: readonly Readonly<Record<Name, string | number | null>>[],
  ...names: readonly Name[]
): string[] => names.map((name) => arrayOf(rows.map((row) => row[name])))
