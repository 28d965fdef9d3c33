// Infers the type of each property from the values in data.
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../json.ts'
import { type DatatypeName, datatypeOf } from '../../vocabulary/index.ts'
import { type InferredType, localTypesOf, PLAIN_NUMBER } from './local-types.ts'

/** Statistics of the objects of one kind. */
export class ObjectStats {
  count = 0
  readonly properties = new Map<string, PropertyStats>()

  /** `counts`: 0 for a header, which has only names. */
  add(object: JsonObject, typesOf: TypesOf, counts: 0 | 1 = 1): void {
    this.count += counts
    for (const [name, value] of Object.entries(object)) {
      const property = this.properties.get(name) ?? new PropertyStats()
      this.properties.set(name, property)
      property.add(value, typesOf, counts)
    }
  }

  /** The types of all properties, within objects too. */
  *allTypes(): Generator<readonly InferredType[]> {
    for (const { types, objects } of this.properties.values()) {
      if (types !== undefined) yield types
      if (objects !== undefined) yield* objects.allTypes()
    }
  }
}

/** The types that a value could have. */
export type TypesOf = (value: JsonValue) => readonly InferredType[]

/** No more and no longer texts than these are proposed as an `enum`. */
const MAX_CHOICES = 6
const LONGEST_CHOICE = 30

export class PropertyStats {
  /** How many objects have a value that a required property can have: no blank text, and nothing that may be one. */
  present = 0
  isMany = false
  objects: ObjectStats | undefined
  /** The types that fit every value that is not an object; undefined if there is no such value. */
  types: readonly InferredType[] | undefined
  /** How many values are not objects. */
  #values = 0
  #texts: Set<string> | undefined = new Set()

  add(sent: JsonValue, typesOf: TypesOf, counts: 0 | 1): void {
    const values = Array.isArray(sent) ? sent : [sent]
    this.isMany ||= Array.isArray(sent)
    if (values.length > 0 && !values.some(isBlank)) this.present += counts
    for (const value of values) {
      if (value === null) continue
      if (isObject(value)) {
        this.objects ??= new ObjectStats()
        this.objects.add(value, typesOf, counts)
      } else this.#narrow(value, typesOf(value))
    }
  }

  #narrow(value: JsonValue, types: readonly InferredType[]): void {
    this.#values++
    this.types = (this.types ?? types).filter((type) => types.includes(type))
    if (typeof value !== 'string' || value.length > LONGEST_CHOICE) this.#texts = undefined
    else this.#texts?.add(value)
    if ((this.#texts?.size ?? 0) > MAX_CHOICES) this.#texts = undefined
  }

  /** Whether no type fits all values. */
  get isMixed(): boolean {
    return this.types !== undefined && (this.objects !== undefined || this.types.length === 0)
  }

  /** The texts that occur, if they are few and often repeated; undefined otherwise. */
  get choices(): readonly string[] | undefined {
    const texts = this.#texts
    return texts !== undefined && texts.size > 1 && this.#values >= 3 * texts.size ? [...texts] : undefined
  }
}

const isBlank = (value: JsonValue): boolean =>
  typeof value === 'string' ? value.trim() === '' : isHollow(value)

/** Null stands for `""` in CSV, which is an empty text or nothing: an object of nothing else may have no value at all. */
const isHollow = (value: JsonValue): boolean =>
  Array.isArray(value)
    ? value.every(isHollow)
    : value === null || (isObject(value) && Object.values(value).every(isHollow))

/** The types that a value fits, the narrowest first. */
const fitting = (types: readonly DatatypeName[], value: JsonValue): DatatypeName[] =>
  types.filter((type) => 'value' in datatypeOf(type).read(value))

export const typesInJson: TypesOf = (value) => {
  if (value instanceof JsonNumber) return fitting(['integer', 'decimal', 'double'], value)
  if (typeof value === 'boolean') return ['boolean']
  return fitting(['date', 'dateTime', 'string'], value)
}

/** The form of a cell of CSV shows its type. */
export const typesInCsv: TypesOf = (cell) => {
  const text = String(cell)
  const [strings, times] = [fitting(['string'], text), fitting(['date', 'dateTime'], text)]
  const others = [...times, ...localTypesOf(text, times.includes('date')), ...strings]
  if (/^(?:true|false)$/i.test(text)) return ['boolean', ...others]
  if (!PLAIN_NUMBER.test(text)) return others
  return [...fitting(['integer', 'decimal'], new JsonNumber(text)), ...others]
}
