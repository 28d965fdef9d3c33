/**
 * Pieces of TypeScript. Everything in them comes from a file or a server that nobody vouches for, and is going to be
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
