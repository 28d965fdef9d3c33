// A shelf whose members link to accounts, with rules that follow these links.
import type { Principal } from '../../../src/auth/index.ts'
import type { Model } from '../../../src/vocabulary/index.ts'
import { accountModel } from '../../support/accounts.ts'
import { modelOf } from '../../support/service.ts'
import {
  anyValues,
  type Choose,
  CLASSES,
  isEmbedded,
  LISTED,
  type ListedClass,
  propertiesOf,
  type ShelfProperty,
  type ShelfValues,
  toBody,
} from './random-shelf.ts'

/** The user whose sight counts, the one who writes, and others. */
export const ACCOUNTS = [1, 2, 3, 4].map((id) => `accounts/${id}`) as [string, ...string[]]
export const [MINE] = ACCOUNTS

/** Links to accounts, one and many. */
export const PEOPLE_LINKS: Readonly<Record<ListedClass, Readonly<Record<string, ShelfProperty>>>> = {
  Book: { holder: { type: 'Account' }, helpers: { type: 'Account', many: true } },
  Author: { friend: { type: 'Account' } },
  Country: { guards: { type: 'Account', many: true } },
}

/** The paths to accounts, in one step and in two. */
export const PATHS: Readonly<Record<ListedClass, readonly string[]>> = {
  Book: ['holder', 'helpers', 'author.friend', 'others.friend'],
  Author: ['friend', 'agent.friend', 'nation.guards'],
  Country: ['guards'],
}

/** Who may do something besides the role that may do everything: `everyone`, `owner`, `clerk` and paths. */
export type Words = readonly string[]

interface PeopleRules {
  readonly read: Words
  readonly list: Words
  readonly update: Words
  /** Who may see a property, by its name. */
  readonly secrets: Readonly<Record<string, Words>>
}

export type People = Readonly<Record<ListedClass, PeopleRules>>

function anyWords(choose: Choose, className: ListedClass): Words {
  const path = () => choose(...(PATHS[className] as [string, ...string[]]))
  const kinds = choose('path', 'path', 'paths', 'owner', 'clerk', 'everyone', 'nobody')
  if (kinds === 'everyone') return ['everyone']
  if (kinds === 'nobody') return []
  if (kinds === 'clerk') return ['clerk', ...choose([], [path()])]
  if (kinds === 'owner') return ['owner', ...choose([], [path()])]
  return [...new Set(kinds === 'path' ? [path()] : [path(), path(), ...choose([], ['clerk'])])]
}

function anySecrets(choose: Choose, className: ListedClass): PeopleRules['secrets'] {
  const names = [...Object.keys(propertiesOf(className)), ...Object.keys(PEOPLE_LINKS[className])]
  const free = names.filter((name) => !CLASSES[className]?.label?.includes(name))
  return Object.fromEntries(
    free.flatMap((name): [string, Words][] => {
      if (choose(true, true, false)) return []
      const words = choose<Words>([], [], anyWords(choose, className))
      return words.includes('everyone') ? [] : [[name, words]]
    }),
  )
}

export const anyPeople = (choose: Choose): People =>
  Object.fromEntries(
    LISTED.map((className): [ListedClass, PeopleRules] => {
      const read = anyWords(choose, className)
      const list = choose<Words>(read, read, ['everyone'], anyWords(choose, className))
      return [
        className,
        { read, list, update: choose<Words>(read, read, read, []), secrets: anySecrets(choose, className) },
      ]
    }),
  ) as unknown as People

const withKeeper = (words: Words): Words => (words.includes('everyone') ? words : ['keeper', ...words])

/** Whether no member shows this property to the user. */
const isUnknown = (words: Words | undefined, { roles }: Principal): boolean =>
  words?.every((word) => word === 'clerk') === true && !(words.includes('clerk') && roles.includes('clerk'))

const isOnPath = (people: People, className: ListedClass, name: string): boolean => {
  const wordsOf = ({ read, list, update, secrets }: PeopleRules) =>
    [read, list, update, ...Object.values(secrets)].flat()
  const links = { ...propertiesOf(className), ...PEOPLE_LINKS[className] }
  return LISTED.some((from) =>
    wordsOf(people[from]).some((word) => {
      const [first, second] = word.split('.')
      if (from === className && first === name) return true
      return second === name && propertiesOf(from)[first ?? '']?.type === className && name in links
    }),
  )
}

/** The properties that a file may lack as far as this user can see: they are for others, and on no path. */
export const namesForOthers = (people: People, className: ListedClass, me: Principal): string[] =>
  Object.entries(people[className].secrets)
    .filter(([name, words]) => isUnknown(words, me) && !isOnPath(people, className, name))
    .map(([name]) => name)

/** `without`: properties that are left out, by class. */
export function peopleModel(
  people: People,
  isSocial: boolean,
  without: Partial<Record<string, string[]>>,
): Model {
  const classOf = (name: string): object => {
    const { properties, ...cls } = CLASSES[name] ?? { properties: {} }
    const rules = people[name as ListedClass]
    if (rules === undefined) return { ...cls, properties }
    const { read, list, update, secrets } = rules
    const all = Object.entries({ ...properties, ...PEOPLE_LINKS[name as ListedClass] })
    return {
      ...cls,
      access: {
        ...{ read: withKeeper(read), list: withKeeper(list), create: 'everyone', replace: 'keeper' },
        ...{ update: withKeeper(update), delete: withKeeper(update) },
      },
      properties: Object.fromEntries(
        all
          .filter(([property]) => without[name]?.includes(property) !== true)
          .map(([property, value]) => {
            const words = secrets[property]
            return [property, words === undefined ? value : { ...value, view: withKeeper(words) }]
          }),
      ),
    }
  }
  const accounts = isSocial ? { view: 'everyone' } : { view: 'keeper' }
  // A class of embedded values that no property has is a problem of the file.
  const isUsed = (name: string): boolean =>
    !isEmbedded(name) ||
    Object.entries(CLASSES).some(
      ([from, { properties }]) =>
        Object.entries(properties).some(
          ([property, { type }]) => type === name && without[from]?.includes(property) !== true,
        ) && isUsed(from),
    )
  const used = Object.keys(CLASSES).filter(isUsed)
  const classes = Object.fromEntries(used.map((name) => [name, classOf(name)]))
  const file = { history: true, roles: ['keeper', 'clerk'], accounts, classes }
  return accountModel(modelOf(JSON.stringify(file)))
}

/** Values of a member, with its links to accounts. */
export function anyPeopleValues(choose: Choose, className: ListedClass): ShelfValues {
  const links = Object.entries(PEOPLE_LINKS[className]).map(([name, { many }]): [string, unknown] => {
    const found = choose<string[]>(
      [],
      [MINE],
      [choose(...ACCOUNTS)],
      [...new Set([MINE, choose(...ACCOUNTS)])],
    )
    return [name, many ? found : found[0]]
  })
  const given = links.filter(([, value]) => value !== undefined && `${value}` !== '')
  return { ...anyValues(choose, className), ...Object.fromEntries(given) }
}

export const listAt = (values: ShelfValues, name: string): readonly unknown[] => [values[name] ?? []].flat()

/** The proposed values, linked to the user's account just where the present ones are. */
export function withSameTies(
  className: ListedClass,
  present: ShelfValues,
  proposed: ShelfValues,
): ShelfValues {
  const links = Object.entries(PEOPLE_LINKS[className]).flatMap(([name, { many }]): [string, unknown][] => {
    const others = listAt(proposed, name).filter((one) => one !== MINE)
    const all = listAt(present, name).includes(MINE) ? [MINE, ...others] : others
    return all.length === 0 ? [] : [[name, many ? all : all[0]]]
  })
  const rest = Object.entries(proposed).filter(([name]) => !(name in PEOPLE_LINKS[className]))
  return { ...Object.fromEntries(rest), ...Object.fromEntries(links) }
}

/** As a body has them; null takes a value away. */
export function toPeopleBody(className: ListedClass, values: ShelfValues, base: string): object {
  const isLink = (name: string) => name in PEOPLE_LINKS[className]
  const address = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(address) : value === null ? null : `${base}/${value}`
  const entries = Object.entries(values)
  const kept = entries.filter(([name, value]) => !isLink(name) && value !== null)
  return {
    ...Object.fromEntries(entries.filter(([, value]) => value === null)),
    ...toBody(className, Object.fromEntries(kept)),
    ...Object.fromEntries(
      entries.filter(([name]) => isLink(name)).map(([name, value]) => [name, address(value)]),
    ),
  }
}
