import type { MemberValues } from '../../../members/index.ts'
import type { CellWriter } from './cell.ts'
import type { CsvProperty } from './properties.ts'

/** The columns of a property that needs as many as the members of a table have values. */
export interface CsvColumns {
  /** The names in the header: at least one, even if no member has a value. */
  names(): readonly string[]
  /** Makes room for a value, and returns the names of the columns that this adds. */
  add(value: unknown): readonly string[]
  /** The cells of a value, each after a comma. Undefined if there is no room for it. */
  write(value: unknown): string | undefined
}

export const createColumns = ({ kind, name }: CsvProperty, cells: CellWriter): CsvColumns =>
  kind === 'languages' ? languageColumns(name, cells) : listColumns(name, cells)

const NONE: readonly string[] = []

/** Columns with the same name, as many as the longest list has values. */
function listColumns(name: string, { ofValue }: CellWriter): CsvColumns {
  let width = 1
  return {
    names: () => Array<string>(width).fill(name),
    add(value) {
      const former = width
      const { length } = listOf(value)
      if (length <= former) return NONE
      width = length
      return Array<string>(length - former).fill(name)
    },
    write(value) {
      const values = listOf(value)
      if (values.length > width) return undefined
      if (values.length === 0) return ','.repeat(width)
      return `,${values.map(ofValue).join(',')}${','.repeat(width - values.length)}`
    },
  }
}

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** A column for each language: `title.de`, `title.en`. */
function languageColumns(name: string, { ofValue }: CellWriter): CsvColumns {
  const known = new Set<string>()
  // Sorted when they are all known: a page may have thousands.
  let sorted: readonly string[] | undefined
  const tags = (): readonly string[] => {
    sorted ??= [...known].toSorted()
    return sorted
  }
  const columnOf = (tag: string) => `${name}.${tag}`
  return {
    names: () => (known.size === 0 ? [name] : tags().map(columnOf)),
    add(value) {
      const added = Object.keys(value ?? {}).filter((tag) => !known.has(tag))
      if (added.length === 0) return NONE
      for (const tag of added) known.add(tag)
      sorted = undefined
      return added.map(columnOf)
    },
    write(value) {
      if (value === undefined) return ','.repeat(Math.max(1, known.size))
      const texts = value as MemberValues
      for (const tag of Object.keys(texts)) if (!known.has(tag)) return undefined
      const cells = tags().map((tag) => (Object.hasOwn(texts, tag) ? ofValue(texts[tag]) : ''))
      return `,${cells.join(',')}`
    },
  }
}
