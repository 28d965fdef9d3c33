import type { Class, Property, Range } from '../../../vocabulary/index.ts'

/** A property that CSV can hold, possibly within single embedded values. */
export interface CsvProperty {
  /** The name as the header has it: `address.street`. */
  readonly name: string
  /** The names of the embedded values around it, and its own. */
  readonly path: readonly string[]
  readonly range: Range
  readonly kind: 'single' | 'list' | 'languages'
}

export interface CsvProperties {
  /** The properties with columns, in the order of the API file. */
  readonly held: readonly CsvProperty[]
  /** The names of the properties that CSV cannot hold. */
  readonly leftOut: readonly string[]
}

/** `shown`: properties and paths of embedded values; all properties without it. */
export function csvPropertiesOf(cls: Class, shown?: readonly string[]): CsvProperties {
  const held: CsvProperty[] = []
  const leftOut: string[] = []
  const isShown = (name: string) => shown?.some((one) => covers(one, name)) ?? true
  const isPartShown = (name: string) => shown?.some((one) => covers(name, one)) ?? true
  addProperties(cls, [])
  return { held, leftOut }

  function addProperties({ properties }: Class, within: readonly string[]): void {
    for (const property of properties) {
      const { range, many, isWriteOnly } = property
      if (isWriteOnly) continue
      const path = [...within, property.name]
      const name = path.join('.')
      if (range.kind === 'embedded' && !many) {
        addProperties(range.cls, path)
        continue
      }
      const kind = kindOf(property)
      if (kind !== undefined && isShown(name)) held.push({ name, path, range, kind })
      // `chapters.title` asks for a part of each value of a list.
      if (kind === undefined && (isShown(name) || isPartShown(name))) leftOut.push(name)
    }
  }
}

/** `address` covers `address.street`. */
const covers = (shown: string, name: string): boolean => name === shown || name.startsWith(`${shown}.`)

/** Undefined for a list of values that have parts: in CSV it could not be seen which parts belong together. */
function kindOf({ range, many }: Property): CsvProperty['kind'] | undefined {
  const hasLanguages = range.kind === 'datatype' && range.datatype === 'langString'
  if (many) return hasLanguages || range.kind === 'embedded' ? undefined : 'list'
  return hasLanguages ? 'languages' : 'single'
}
