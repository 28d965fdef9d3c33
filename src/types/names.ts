import { embeddedNames, isSingle, type Model } from '../vocabulary/index.ts'
import { isTypeName, typeNameOf } from './text.ts'

/** What the types of one class are called. */
interface ClassNames {
  readonly member: string
  /** As a part of another member, without an address of its own. */
  readonly value: string
  readonly input: string
  readonly query: string
}

export interface Names {
  readonly api: string
  /** What `Link` is imported as. */
  readonly link: string
  /** Of a class that the model does not have, nothing is known. */
  of(className: string): ClassNames
}

/** Who imports a type of such a name could not speak of TypeScript's own in the same file. */
const BUILT_IN: ReadonlySet<string> = new Set(
  [
    'Array ArrayBuffer BigInt Boolean DataView Date Error Function Intl Iterable Iterator JSON Map Math Number',
    'Object Promise Proxy Reflect RegExp Set String Symbol WeakMap WeakSet',
    'Awaited Exclude Extract Omit Parameters Partial Pick Readonly Record Required',
  ].flatMap((names) => names.split(' ')),
)

/** Names of types, no two the same: a class may be called as the input of another, as the API, or as `Link`. */
export function chooseNames({ title, classes }: Model): Names {
  const taken = new Set(BUILT_IN)
  const claim = (...wanted: readonly [string, ...string[]]): string => {
    let name = wanted.find((one) => !taken.has(one))
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${wanted.at(-1)}${number}`
      if (!taken.has(numbered)) name = numbered
    }
    taken.add(name)
    return name
  }

  // The names that the API file gives come first; what is made up gives way.
  const kept = new Set(
    classes.map(({ name }) => name).filter((name) => !BUILT_IN.has(name) && isTypeName(name)),
  )
  for (const name of kept) taken.add(name)
  const members = classes.map((cls) => ({
    cls,
    member: kept.has(cls.name)
      ? cls.name
      : claim(`${isTypeName(cls.name) ? cls.name : (typeNameOf(cls.name) ?? 'Class')}Member`),
  }))
  const api = typeNameOf(title)
  const apiName = api === undefined ? claim('Api') : claim(api, `${api}Api`)
  const link = claim('Link', 'LinkTo')
  const embedded = embeddedNames(classes)
  const names = new Map(
    members.map(({ cls, member }) => {
      // A single resource that is embedded elsewhere has no address there.
      const value = isSingle(cls) && embedded.has(cls.name) ? claim(`${member}Value`) : member
      return [cls.name, { member, value, input: claim(`${member}Input`), query: claim(`${member}Query`) }]
    }),
  )
  return { api: apiName, link, of: (className) => names.get(className) ?? UNKNOWN }
}

const UNKNOWN: ClassNames = { member: 'unknown', value: 'unknown', input: 'unknown', query: 'unknown' }
