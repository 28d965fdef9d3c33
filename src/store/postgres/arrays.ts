/**
 * Arrays as one parameter, in the form in which PostgreSQL writes them itself
 * (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO): any number of values in a statement whose text stays
 * the same, far from the limit of 65,535 parameters.
 */
export const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`

export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/** Always in quotes: without them NULL would be nothing, and spaces at the ends would be lost. */
const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`

/** So many items at most, and so much of them together unless one alone is more. */
export interface BatchLimit {
  readonly count: number
  readonly length: number
}

export function* batchesOf<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  most: BatchLimit,
): Generator<T[]> {
  let batch: T[] = []
  let length = 0
  for (const item of items) {
    const more = lengthOf(item)
    if (batch.length === most.count || (batch.length > 0 && length + more > most.length)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(item)
    length += more
  }
  if (batch.length > 0) yield batch
}
