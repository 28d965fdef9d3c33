import { claimName } from '../text.ts'
import { type Class, embeddedNames, isSingle, type Model } from '../vocabulary/index.ts'

/**
 * Pieces of TypeScript. Everything in them comes from a file or a server that is not trusted, and is going to be
 * compiled: no text gets out of its quotes, its comment or its name.
 */

/** Controls, marks that turn the direction of text, halves of characters, ends of lines: none is written as it is. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

export const quoted = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll(UNSEEN, escaped)}'`

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** The name of a property, in quotes where it needs them. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

interface Declared {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly isReadonly?: boolean
}

/** Properties that every object inherits: they are found where a member has no property of that name. */
const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** A property of an interface. */
export function declare({ name, type, isOptional, isReadonly = false }: Declared): string {
  const found = isOptional && INHERITED.includes(name) ? `${type} | object` : type
  return `  ${isReadonly ? 'readonly ' : ''}${key(name)}${isOptional ? '?' : ''}: ${found}`
}

/** In one line, for a comment that ends with it. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, ' ').trim()

/** A comment for those who hover over a name; nothing where there is nothing to say. */
export function comment(text: string, indent = ''): string[] {
  const lines = text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map(harmless)
    .filter((line) => line !== '')
  if (lines.length < 2) return lines.map((only) => `${indent}/** ${only} */`)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

/** A tag at the beginning of a line speaks to the compiler (`@ts-expect-error`) and to editors (`@deprecated`). */
const harmless = (line: string): string =>
  line.replaceAll(UNSEEN, '').trim().replaceAll('*/', '*\\/').replace(/^@/, '\\@')

/** Letters and digits of the first plane: of rarer ones, compilers do not agree what they are. */
const WORDS = /[\p{L}\p{Nd}]+/gu
const BEYOND_FIRST_PLANE = /[\u{10000}-\u{10ffff}]/gu

/** Whether the name of a class can be that of a type. */
const isTypeName = (name: string): boolean =>
  /^\p{ID_Start}\p{ID_Continue}*$/u.test(name) && name.search(BEYOND_FIRST_PLANE) < 0

/** A title as the name of a type: `my books (2nd)` → `MyBooks2nd`; undefined where no letter is in it. */
export function typeNameOf(title: string): string | undefined {
  const plain = title.normalize('NFC').replaceAll(BEYOND_FIRST_PLANE, ' ')
  const name = (plain.match(WORDS) ?? []).map(capitalised).join('')
  if (name === '') return undefined
  return /^\p{L}/u.test(name) ? name : `Api${name}`
}

/** Some capitals are a letter and a mark (`ᾶ`): those words begin as they are. */
function capitalised(word: string): string {
  const capital = word.charAt(0).toUpperCase()
  return capital.replace(WORDS, '') === '' ? capital + word.slice(1) : word
}

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
  /** What `Link` and `Call` are imported as. */
  readonly link: string
  readonly call: string
  of(className: string): ClassNames
}

/** A file that imports a type of such a name could not use TypeScript's own. */
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
  const claim = (wanted: string, otherwise = wanted): string =>
    claimName(taken.has(wanted) ? otherwise : wanted, taken)

  // Generated names yield to declared ones.
  const isKept = ({ name }: Class) => !BUILT_IN.has(name) && isTypeName(name)
  for (const { name } of classes.filter(isKept)) taken.add(name)
  const members = classes.map((cls) => {
    const made = isTypeName(cls.name) ? cls.name : (typeNameOf(cls.name) ?? 'Class')
    return { cls, member: isKept(cls) ? cls.name : claim(`${made}Member`) }
  })
  const titled = typeNameOf(title)
  const api = titled === undefined ? claim('Api') : claim(titled, `${titled}Api`)
  const link = claim('Link', 'LinkTo')
  const call = claim('Call', 'CallTo')
  const embedded = embeddedNames(classes)
  const names = new Map(
    members.map(({ cls, member }) => {
      // A single resource that is embedded elsewhere has no address there.
      const value = isSingle(cls) && embedded.has(cls.name) ? claim(`${member}Value`) : member
      return [cls.name, { member, value, input: claim(`${member}Input`), query: claim(`${member}Query`) }]
    }),
  )
  return { api, link, call, of: (className) => names.get(className) as ClassNames }
}
