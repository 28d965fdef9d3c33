import { BoundedMap } from '../../bounded-map.ts'
import {
  type Class,
  isRuled,
  isTied,
  type PropertyRight,
  rightToProperty,
  type Ties,
} from '../../vocabulary/index.ts'
import { covers, type Relation, STRANGER, tiesOf } from './ties.ts'

/** The properties of a member that a user may see and write (people.md, Properties for some), by their names. */
export interface PropertyView {
  /** Distinguishes the views of a class, for users with the same roles. */
  readonly key: string
  /** Distinguishes what they show; empty if that does not depend on the member. */
  readonly shownKey: string
  /** The properties that are not shown. */
  readonly hidden: ReadonlySet<string>
  /** The properties that do not exist for the user: neither shown nor written. */
  readonly unknown: ReadonlySet<string>
  /** The properties that the user may see but not write. */
  readonly readOnly: ReadonlySet<string>
}

/** How many views of a class are prepared: few rules have more than one path. */
const MAX_VIEWS = 64

/** The views that users with a set of roles have of the members of a class. */
export class PropertyViews {
  /** The ties on which any of the rights depends. */
  readonly ties: Ties
  /** The ties on which the shown properties depend. */
  readonly viewTies: Ties
  readonly #rights: readonly NamedRight[]
  readonly #views = new BoundedMap<string, PropertyView>(MAX_VIEWS)

  constructor(rights: readonly NamedRight[]) {
    this.#rights = rights
    this.viewTies = tiesOf(rights.map(({ view }) => view))
    this.ties = tiesOf(rights.flatMap(({ view, write }) => [view, write]))
  }

  /** Whether what is shown depends on the member. */
  get areTied(): boolean {
    return this.#rights.some(({ view }) => isTied(view))
  }

  /** Whether the property is shown in no member. */
  hides(name: string): boolean {
    return this.#rights.some((right) => right.name === name && right.view === 'none')
  }

  /** The view of a member with this relation to the user. */
  of(relation: Relation): PropertyView {
    const shownKey = this.#keyOf('view', relation)
    const key = `${shownKey} ${this.#keyOf('write', relation)}`
    return this.#views.getOrInsertComputed(key, () => this.#make(key, shownKey, relation))
  }

  /** Covers only rights that depend on the member: the names of others must not be guessed from an ETag. */
  #keyOf(right: keyof PropertyRight, relation: Relation): string {
    let key = ''
    for (const rights of this.#rights)
      if (isTied(rights[right])) key += covers(rights[right], relation) ? '1' : '0'
    return key
  }

  #make(key: string, shownKey: string, relation: Relation): PropertyView {
    const hidden = new Set<string>()
    const unknown = new Set<string>()
    const readOnly = new Set<string>()
    for (const { name, view, write, isWrittenBlindly } of this.#rights) {
      const isSeen = covers(view, relation)
      const isWritten = covers(write, relation)
      if (!isSeen) hidden.add(name)
      if (!isSeen && !(isWritten && isWrittenBlindly)) unknown.add(name)
      if (isSeen && !isWritten) readOnly.add(name)
    }
    return { key, shownKey, hidden, unknown, readOnly }
  }
}

interface NamedRight extends PropertyRight {
  readonly name: string
  /** Whether users who may write it need not see it: only in a class that is not from the API file. */
  readonly isWrittenBlindly: boolean
}

/** Undefined if every property is for everybody with these roles. */
export function createPropertyViews(
  { properties }: Class,
  userRoles: readonly string[] | undefined,
): PropertyViews | undefined {
  const rights = properties.filter(isRuled).map((property) => ({
    name: property.name,
    isWrittenBlindly: property.write !== undefined,
    ...rightToProperty(property, userRoles),
  }))
  const isFree = rights.every(({ view, write }) => view === 'any' && write === 'any')
  return isFree ? undefined : new PropertyViews(rights)
}

/** The view of a member that does not exist yet, by its creator: its own links may give more rights. */
export const CREATOR: Relation = { ...STRANGER, owner: true }
