import type {
  ClassDescription,
  CollectionDescription,
  CustomOperationDescription,
  Documentation,
  LinkDescription,
  OperationDescription,
} from 'hydrant-client'
import { isOfTheServer } from '../../shared/connection/index.ts'
import { counted, hrefOf, shortName } from '../../shared/names.ts'
import type { ClassGraph, GraphLink } from './picture/sizes.ts'
import { isMany, typeInWords } from './words.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const TECHNICAL = [`${HYDRA}Collection`, `${HYDRA}PartialCollectionView`, `${HYDRA}Error`, `${HYDRA}Status`]

export interface Subject {
  readonly anchor: string
  readonly cls: ClassDescription
  readonly collections: readonly CollectionDescription[]
  /** What the entry point calls it, where there is only one of it. */
  readonly single: LinkDescription | undefined
  /** Of its members, or of the one that there is; the API's own come last. */
  readonly operations: readonly (OperationDescription | CustomOperationDescription)[]
}

export function readSubjects(
  { classes, links }: Documentation,
  collections: readonly CollectionDescription[],
) {
  const subjects = classes.map((cls): Subject => {
    const single = links.find(({ isCollection, range }) => !isCollection && range === cls.iri)
    return {
      anchor: anchorOf(cls, classes),
      cls,
      collections: collections.filter(({ memberClass }) => memberClass?.iri === cls.iri),
      single,
      operations: [
        ...(cls.operations.length ? cls.operations : (single?.operations ?? [])),
        ...cls.customOperations,
      ],
    }
  })
  return {
    things: subjects.filter((subject) => !isTechnical(subject)),
    technical: subjects.filter(isTechnical),
  }
}

/** By what stands in an address, and by whatever else people may call it. */
export const findSubject = (
  { things, technical }: ReturnType<typeof readSubjects>,
  name: string,
): Subject | undefined => {
  const all = [...things, ...technical]
  const wanted = name.toLowerCase()
  return (
    all.find(({ anchor }) => anchor === name) ??
    all.find(({ anchor, cls }) => [anchor, cls.title, cls.iri].some((one) => one.toLowerCase() === wanted))
  )
}

/** The short name of a class; all of its name where another one has the same short name. */
function anchorOf({ iri }: ClassDescription, classes: readonly ClassDescription[]): string {
  const short = shortName(iri)
  return classes.some((other) => other.iri !== iri && shortName(other.iri) === short) ? iri : short
}

/** The entry point, collections as classes of their own, errors, and what the server has by itself. */
const isTechnical = ({ cls, single }: Subject): boolean =>
  cls.iri.startsWith(HYDRA) ||
  cls.memberClass !== undefined ||
  [cls.iri, ...cls.superClasses].some((iri) => TECHNICAL.includes(iri)) ||
  /^entrypoint$/i.test(shortName(cls.iri)) ||
  isOfTheServer(single?.name ?? '')

/** The picture of the classes: the more there are, the fewer lines has each. */
export function graphOf(subjects: readonly Subject[]): ClassGraph {
  const classes = subjects.map(({ cls }) => cls)
  const most = linesPerBox(subjects.length)
  const iris = new Set(classes.map(({ iri }) => iri))
  const isArrow = (range: string | undefined): range is string => range !== undefined && iris.has(range)
  return {
    boxes: subjects.map(({ anchor, cls: { iri, title, properties } }) => {
      const literals = properties.filter(({ range }) => !isArrow(range))
      // A single property takes no more room than the line that would count it.
      const shown = literals.length <= most + 1 ? literals : literals.slice(0, most)
      const lines = shown.map((property) => ({ name: property.name, type: typeInWords(property, classes) }))
      const more = literals.length - shown.length
      if (more > 0) lines.push({ name: '', type: `+ ${counted(more, 'properties')}` })
      return { id: iri, title, href: hrefOf({ page: 'documentation', name: anchor }), lines }
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
