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

export interface Declared {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly isReadonly?: boolean
}

/** What every object has by inheritance: where a member has no such property, this is what is found. */
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
  const [only] = lines
  if (only === undefined) return []
  if (lines.length === 1) return [`${indent}/** ${only} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

/** A tag at the beginning of a line speaks to the compiler (`@ts-expect-error`) and to editors (`@deprecated`). */
const harmless = (line: string): string =>
  line.replaceAll(UNSEEN, '').trim().replaceAll('*/', '*\\/').replace(/^@/, '\\@')

/** Letters and digits of the first plane: of rarer ones, compilers do not agree what they are. */
const WORDS = /[\p{L}\p{Nd}]+/gu
const BEYOND_FIRST_PLANE = /[\u{10000}-\u{10ffff}]/gu

/** Whether the name of a class can be that of a type. */
export const isTypeName = (name: string): boolean =>
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
