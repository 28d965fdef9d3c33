import { claimName } from '../text.ts'
import { type Class, embeddedNames, isSingle, type Model } from '../vocabulary/index.ts'

/**
 * Pieces of TypeScript. Everything in them comes from a file or a server that is not trusted, and will be compiled, so no
 * text may escape from its quotes, its comment or its name.
 */

/** Control characters, direction marks, lone surrogates and line ends: none is written as it is. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

export const quoted = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll(UNSEEN, escaped)}'`

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** The name of a property, in quotes if it needs them. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

interface Declared {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly isReadonly?: boolean
}

/** Properties that every object inherits: they are found even if a member has no property of that name. */
const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** A property of an interface. */
export function declare({ name, type, isOptional, isReadonly = false }: Declared): string {
  const found = isOptional && INHERITED.includes(name) ? `${type} | object` : type
  return `  ${isReadonly ? 'readonly ' : ''}${key(name)}${isOptional ? '?' : ''}: ${found}`
}

/** The text in one line, for a comment of a single line. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, ' ').trim()

/** A comment that editors show for a name; nothing if the text is empty. */
export function comment(text: string, indent = ''): string[] {
  const lines = text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map(harmless)
    .filter((line) => line !== '')
  if (lines.length < 2) return lines.map((only) => `${indent}/** ${only} */`)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

/** Disarms a tag at the beginning of a line: compilers (`@ts-expect-error`) and editors (`@deprecated`) act on it. */
const harmless = (line: string): string =>
  line.replaceAll(UNSEEN, '').trim().replaceAll('*/', '*\\/').replace(/^@/, '\\@')

/** Letters and digits of the first Unicode plane: compilers disagree about rarer ones. */
const WORDS = /[\p{L}\p{Nd}]+/gu
const BEYOND_FIRST_PLANE = /[\u{10000}-\u{10ffff}]/gu

/** Whether the name of a class can be that of a type. */
const isTypeName = (name: string): boolean =>
  /^\p{ID_Start}\p{ID_Continue}*$/u.test(name) && name.search(BEYOND_FIRST_PLANE) < 0

/** A title as the name of a type: `my books (2nd)` → `MyBooks2nd`; undefined if it has no letters. */
export function typeNameOf(title: string): string | undefined {
  const plain = title.normalize('NFC').replaceAll(BEYOND_FIRST_PLANE, ' ')
  const name = (plain.match(WORDS) ?? []).map(capitalised).join('')
  if (name === '') return undefined
  return /^\p{L}/u.test(name) ? name : `Api${name}`
}

/** Some capitals are a letter and a mark (`ᾶ`): such words keep their first letter. */
function capitalised(word: string): string {
  const capital = word.charAt(0).toUpperCase()
  return capital.replace(WORDS, '') === '' ? capital + word.slice(1) : word
}

/** The names of the types of one class. */
interface ClassNames {
  readonly member: string
  /** The type of an embedded value, which has no address. */
  readonly value: string
  readonly input: string
  readonly query: string
}

export interface Names {
  readonly api: string
  /** The names under which `Link`, `Reverse` and `Call` are imported. */
  readonly link: string
  readonly reverse: string
  readonly call: string
  of(className: string): ClassNames
}

/** A file that imports a type with one of these names could not use TypeScript's own type. */
const BUILT_IN: ReadonlySet<string> = new Set(
  [
    'Array ArrayBuffer BigInt Boolean DataView Date Error Function Intl Iterable Iterator JSON Map Math Number',
    'Object Promise Proxy Reflect RegExp Set String Symbol WeakMap WeakSet',
    'Awaited Exclude Extract Omit Parameters Partial Pick Readonly Record Required',
  ].flatMap((names) => names.split(' ')),
)

/** Distinct names of types: a class may have the same name as the input of another class, as the API, or as `Link`. */
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
  const reverse = claim('Reverse', 'ReverseTo')
  const embedded = embeddedNames(classes)
  const names = new Map(
    members.map(({ cls, member }) => {
      // A single resource that is embedded elsewhere has no address there.
      const value = isSingle(cls) && embedded.has(cls.name) ? claim(`${member}Value`) : member
      return [cls.name, { member, value, input: claim(`${member}Input`), query: claim(`${member}Query`) }]
    }),
  )
  return { api, link, reverse, call, of: (className) => names.get(className) as ClassNames }
}
