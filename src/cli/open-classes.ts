import { inSentence } from '../text.ts'
import { type Model, RULED_OPERATIONS, rightToProperty, storedClasses, whoMay } from '../vocabulary/index.ts'

/** What anyone may read of a class (people.md, Anyone). */
interface OpenClass {
  readonly class: string
  readonly operations: readonly string[]
  /** The properties that only others may see. */
  readonly hidden: readonly string[]
}

export const listOpen = (model: Model): readonly OpenClass[] =>
  storedClasses(model).flatMap((cls) => {
    const operations = RULED_OPERATIONS.filter(
      (operation) =>
        (operation === 'history' ? cls.history !== undefined : cls.operations.has(operation)) &&
        whoMay(model.access, cls.name, operation).anyone,
    )
    if (operations.length === 0) return []
    const hidden = cls.properties.flatMap((property) =>
      rightToProperty(property, undefined).view === 'any' ? [] : property.name,
    )
    return [{ class: cls.name, operations, hidden }]
  })

/** `Product (list, read; without cost)` */
export const describeOpen = (open: readonly OpenClass[]): string[] =>
  open.map(({ class: name, operations, hidden }) => {
    const without = hidden.length === 0 ? '' : `; without ${inSentence(hidden)}`
    return `${name} (${operations.join(', ')}${without})`
  })
