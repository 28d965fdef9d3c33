import type {
  ClassDescription,
  CollectionDescription,
  CustomOperationDescription,
  Documentation,
  LinkDescription,
  OperationDescription,
} from 'hydrant-client'
import { isAccountClass, isOfTheServer } from '../../shared/connection/index.ts'
import { counted, hrefOf, shortName } from '../../shared/names.ts'
import type { ClassGraph, GraphLink } from './picture/sizes.ts'
import { isMany, typeInWords } from './words.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const TECHNICAL = [`${HYDRA}Collection`, `${HYDRA}PartialCollectionView`, `${HYDRA}Error`, `${HYDRA}Status`]

export interface Subject {
  readonly anchor: string
  readonly cls: ClassDescription
  readonly collections: readonly CollectionDescription[]
  /** The link of the entry point, if there is only one resource of this class. */
  readonly single: LinkDescription | undefined
  /** Operations on its members or on the single resource; the API's own come last. */
  readonly operations: readonly (OperationDescription | CustomOperationDescription)[]
}

export function readSubjects(documentation: Documentation, collections: readonly CollectionDescription[]) {
  const { classes, links, iri } = documentation
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
  // Summaries, which every collection of Hydrant has (asking.md), and histories with their changes (history.md).
  const server = [`${iri}#summaries`, `${iri}#summaries/Summary`, `${iri}#histories`]
  const isChange = ({ cls }: Subject) => cls.properties.some((one) => one.iri === `${iri}#history/changed`)
  // Every API with users has accounts; they are things of this API where its own classes link to them.
  const isUnusedAccount = ({ cls }: Subject) =>
    isAccountClass({ documentation }, cls) &&
    !classes.some(({ properties }) => properties.some(({ range }) => range === cls.iri))
  const isOther = (subject: Subject) =>
    isTechnical(subject) || server.includes(subject.cls.iri) || isChange(subject) || isUnusedAccount(subject)
  return { things: subjects.filter((subject) => !isOther(subject)), technical: subjects.filter(isOther) }
}

/** Finds a class by its anchor, or else by its title or IRI. */
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

/** The short name of a class, or its IRI if another class has the same short name. */
function anchorOf({ iri }: ClassDescription, classes: readonly ClassDescription[]): string {
  const short = shortName(iri)
  return classes.some((other) => other.iri !== iri && shortName(other.iri) === short) ? iri : short
}

/** The entry point, classes of collections, errors, and resources of the server. */
const isTechnical = ({ cls, single }: Subject): boolean =>
  cls.iri.startsWith(HYDRA) ||
  cls.memberClass !== undefined ||
  [cls.iri, ...cls.superClasses].some((iri) => TECHNICAL.includes(iri)) ||
  /^entrypoint$/i.test(shortName(cls.iri)) ||
  isOfTheServer(single?.name ?? '')

/** The classes as a picture. The more there are, the fewer lines each has. */
export function graphOf(subjects: readonly Subject[]): ClassGraph {
  const classes = subjects.map(({ cls }) => cls)
  const most = linesPerBox(subjects.length)
  const iris = new Set(classes.map(({ iri }) => iri))
  const isArrow = (range: string | undefined): range is string => range !== undefined && iris.has(range)
  return {
    boxes: subjects.map(({ anchor, cls: { iri, title, properties } }) => {
      const literals = properties.filter(({ range }) => !isArrow(range))
      // One more property takes no more room than the line that would count it.
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
