// What a user sees of a shelf whose members link to accounts, as plainly as it can be said.
import type { Principal } from '../../../src/auth/index.ts'
import { listAt, MINE, PATHS, type People, type Words } from './random-people.ts'
import { isClass, isEmbedded, propertiesOf, type ShelfMember, type ShelfValues } from './random-shelf.ts'

/** The members of one database, by address. */
export type PeopleState = ReadonlyMap<string, ShelfMember>

/** A member as it was after a change, or before its removal. */
export interface PastEntry extends ShelfMember {
  readonly kind: string
  /** The number of the user who made the change. */
  readonly actor: number | undefined
}

/** What members were, those that are gone among them: oldest first, by address. */
export type PeoplePast = ReadonlyMap<string, readonly PastEntry[]>

export type Sight = ReturnType<typeof createSight>

/** For one user. */
export function createSight(people: People, me: Principal) {
  const holds = (state: PeopleState, { values, owner }: ShelfMember, word: string): boolean => {
    if (word === 'everyone') return true
    if (word === 'owner') return owner === me.number
    if (word === 'clerk') return me.roles.includes('clerk')
    const [first = '', second] = word.split('.')
    if (second === undefined) return listAt(values, first).includes(MINE)
    return listAt(values, first).some((to) =>
      listAt(state.get(String(to))?.values ?? {}, second).includes(MINE),
    )
  }
  const covers = (state: PeopleState, member: ShelfMember, words: Words): boolean =>
    words.some((word) => holds(state, member, word))
  const isReadable = (state: PeopleState, one: ShelfMember) => covers(state, one, people[one.className].read)
  /** The names of the properties that are hidden from the user in this member. */
  const hiddenIn = (state: PeopleState, one: ShelfMember): string[] =>
    Object.entries(people[one.className].secrets)
      .filter(([, words]) => !covers(state, one, words))
      .map(([name]) => name)

  const shownOf = (values: ShelfValues, hidden: readonly string[]) =>
    Object.entries(values)
      .filter(([name]) => !hidden.includes(name))
      .toSorted()

  /** The past of the members that the user may read; of those that are gone, as they were last. */
  function pastOf(state: PeopleState, past: PeoplePast): unknown[] {
    return [...past].flatMap(([address, entries]) => {
      const latest = state.get(address) ?? entries.at(-1)
      if (latest === undefined || !isReadable(state, latest)) return []
      const hidden = hiddenIn(state, latest)
      const shown = entries.map(({ kind, actor, values }) => [kind, actor, shownOf(values, hidden)])
      return [[address, state.has(address), hidden, shown]]
    })
  }

  /** Two databases of which this is the same must not be told apart. */
  function sightOf(state: PeopleState, past: PeoplePast): string {
    const seen = [...state.values()]
      .filter((one) => isReadable(state, one))
      .map((one) => {
        const { address, className, values, owner } = one
        const hidden = hiddenIn(state, one)
        const { list, update } = people[className]
        const ties = [...PATHS[className]].filter((path) => holds(state, one, path))
        const may = [
          covers(state, one, list),
          covers(state, one, update),
          owner === me.number,
          ...ties,
          ...hidden,
        ]
        return [address, may, shownOf(values, hidden)]
      })
    return JSON.stringify([seen.toSorted(), pastOf(state, past).toSorted()])
  }

  /** Whether there are members that link to one, and by nothing that the user sees. */
  const hasHiddenLinks = (state: PeopleState, target: string): boolean =>
    [...state.values()].some((one) => {
      const hidden = isReadable(state, one) ? hiddenIn(state, one) : Object.keys(one.values)
      const [unseen, seen] = [true, false].map((isHidden) => {
        const some = Object.entries(one.values).filter(([name]) => hidden.includes(name) === isHidden)
        return linksIn(one.className, Object.fromEntries(some)).includes(target)
      })
      return unseen && !seen
    })

  return { isReadable, hiddenIn, sightOf, hasHiddenLinks }
}

/** The addresses that values link to, those of embedded values included. */
export function linksIn(className: string, values: ShelfValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const type = propertiesOf(className)[name]?.type ?? ''
    if (!isClass(type)) return []
    return [value ?? []]
      .flat()
      .flatMap((one) => (isEmbedded(type) ? linksIn(type, one as ShelfValues) : String(one)))
  })
}
