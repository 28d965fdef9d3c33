import type { Subject } from '../subjects.ts'
import { isMany, typeInWords } from '../words.ts'

export interface ClassGraph {
  readonly boxes: readonly GraphBox[]
  readonly links: readonly GraphLink[]
}

export interface GraphBox {
  readonly id: string
  readonly title: string
  readonly lines: readonly GraphLine[]
  /** How many properties are not among them. */
  readonly more: number
}

export interface GraphLine {
  readonly name: string
  readonly type: string
}

export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  /** The value is within the member, and has no address of its own. */
  readonly embedded: boolean
}

/** How many there are, as it is written beside the name. */
export const cardinality = ({ many, required }: Pick<GraphLink, 'many' | 'required'>): string =>
  many ? '(many)' : required ? '(one)' : '(optional)'

/** What the picture shows of the classes: the more there are, the less of each. */
export function graphOf(subjects: readonly Subject[]): ClassGraph {
  const classes = subjects.map(({ cls }) => cls)
  const most = linesPerBox(subjects.length)
  const iris = new Set(classes.map(({ iri }) => iri))
  const isArrow = (range: string | undefined): range is string => range !== undefined && iris.has(range)
  return {
    boxes: classes.map(({ iri, title, properties }) => {
      const plain = properties.filter(({ range }) => !isArrow(range))
      // Instead of the last one alone there is room for that one.
      const lines = plain.length <= most + 1 ? plain : plain.slice(0, most)
      return {
        id: iri,
        title,
        lines: lines.map((property) => ({ name: property.name, type: typeInWords(property, classes) })),
        more: plain.length - lines.length,
      }
    }),
    links: classes.flatMap((cls) =>
      cls.properties.flatMap((property): GraphLink[] => {
        const { range, name, required, isLink } = property
        if (!isArrow(range)) return []
        return [{ from: cls.iri, to: range, name, many: isMany(property), required, embedded: !isLink }]
      }),
    ),
  }
}

function linesPerBox(boxes: number): number {
  if (boxes <= 8) return 6
  return boxes <= 16 ? 3 : 1
}
