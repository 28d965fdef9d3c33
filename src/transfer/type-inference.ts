// What the values of data have in common: which type could hold every value of a property.
import { isObject, type JsonObject, type JsonValue, Numeral } from '../json.ts'
import { type DatatypeName, datatypeOf } from '../vocabulary/index.ts'

/** The objects of one kind that have been seen, with their properties. */
export class ObjectStats {
  count = 0
  readonly properties = new Map<string, PropertyStats>()

  add(object: JsonObject, typesOf: TypesOf): void {
    this.count++
    for (const [name, value] of Object.entries(object)) this.#property(name).add(value, typesOf)
  }

  /** The names alone, of which there may be no value. */
  declare(object: JsonObject): void {
    for (const [name, value] of Object.entries(object)) this.#property(name).declare(value)
  }

  #property(name: string): PropertyStats {
    const property = this.properties.get(name) ?? new PropertyStats()
    this.properties.set(name, property)
    return property
  }
}

/** The datatypes that a value could be of. */
export type TypesOf = (value: JsonValue) => readonly DatatypeName[]

/** So many different texts may be an `enum`. */
const FEW = 6
const SHORT = 30

export class PropertyStats {
  /** Of the objects that have a value. */
  present = 0
  isMany = false
  objects: ObjectStats | undefined
  /** Those that fit every value that is no object; undefined where there is none. */
  types: readonly DatatypeName[] | undefined
  /** How many of those there were. */
  #values = 0
  #texts: Set<string> | undefined = new Set()

  add(sent: JsonValue, typesOf: TypesOf): void {
    const values = (Array.isArray(sent) ? sent : [sent]).filter((value) => value !== null)
    this.isMany ||= Array.isArray(sent)
    if (values.length > 0) this.present++
    for (const value of values) {
      if (isObject(value)) {
        this.objects ??= new ObjectStats()
        this.objects.add(value, typesOf)
      } else this.#narrow(value, typesOf(value))
    }
  }

  declare(sent: JsonValue): void {
    this.isMany ||= Array.isArray(sent)
    if (!isObject(sent)) return
    this.objects ??= new ObjectStats()
    this.objects.declare(sent)
  }

  #narrow(value: JsonValue, types: readonly DatatypeName[]): void {
    this.#values++
    this.types = (this.types ?? types).filter((type) => types.includes(type))
    if (typeof value !== 'string' || value.length > SHORT) this.#texts = undefined
    else this.#texts?.add(value)
    if ((this.#texts?.size ?? 0) > FEW) this.#texts = undefined
  }

  /** Values of kinds that no type holds together. */
  get isMixed(): boolean {
    return this.types !== undefined && (this.objects !== undefined || this.types.length === 0)
  }

  /** The few texts that come up again and again; undefined where there are none such. */
  get choices(): readonly string[] | undefined {
    const texts = this.#texts
    return texts !== undefined && texts.size > 1 && this.#values >= 3 * texts.size ? [...texts] : undefined
  }
}

/** The narrowest first. */
const fitting = (types: readonly DatatypeName[], value: JsonValue): DatatypeName[] =>
  types.filter((type) => 'value' in datatypeOf(type).read(value))

export const typesInJson: TypesOf = (value) => {
  if (value instanceof Numeral) return fitting(['integer', 'decimal', 'double'], value)
  if (typeof value === 'boolean') return ['boolean']
  return fitting(['date', 'dateTime', 'string'], value)
}

/** A cell of CSV is a text, which says what it is by its form. `007` is more than a number. */
export const typesInCsv: TypesOf = (cell) => {
  const text = String(cell)
  const texts = fitting(['date', 'dateTime', 'string'], text)
  if (/^(?:true|false)$/i.test(text)) return ['boolean', ...texts]
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return texts
  return [...fitting(['integer', 'decimal'], new Numeral(text)), ...texts]
}
