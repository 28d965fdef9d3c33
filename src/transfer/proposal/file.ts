// Writes a proposed API file.
import { importProblem } from '../problems.ts'

/** A value of YAML's flow style, which is written as JSON. */
type ProposedValue = string | number | boolean | readonly ProposedValue[] | undefined

/** The keys of a class or a property; those without a value are left out. */
export type ProposedKeys = Readonly<Record<string, ProposedValue>>

/** Flags that are off by default, and need not be written. */
const OFF = ['many', 'required', 'unique']

export interface ProposedProperty {
  readonly name: string
  readonly type: string
  readonly keys: ProposedKeys
  /** Comments, such as what the file cannot say. */
  readonly remarks: readonly string[]
}

export interface ProposedClass {
  readonly name: string
  readonly keys: ProposedKeys
  readonly properties: readonly ProposedProperty[]
  readonly remarks: readonly string[]
}

export interface Proposal {
  readonly title: string
  readonly description?: string | undefined
  readonly classes: readonly ProposedClass[]
  /** Comments at the top. */
  readonly remarks: readonly string[]
}

/** Throws if there is nothing to propose. */
export function writeProposal({ title, description, classes, remarks }: Proposal): string {
  if (classes.length === 0) throw importProblem('NoTablesThere')
  return [
    ...remarks.map(comment),
    '',
    `title: ${JSON.stringify(title)}`,
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    'classes:',
    ...classes.flatMap(writeClass),
    '',
  ].join('\n')
}

function writeClass({ name, keys, properties, remarks }: ProposedClass): string[] {
  const own = Object.entries(keys).filter(([, value]) => value !== undefined)
  const within = [...properties.flatMap(writeProperty), ...remarks.map((text) => `      ${comment(text)}`)]
  return [
    `  ${quoted(name)}:`,
    ...own.map(([key, value]) => `    ${key}: ${writeValue(value)}`),
    ...(properties.length === 0 ? ['    properties: {}'] : ['    properties:']),
    ...within,
  ]
}

function writeProperty({ name, type, keys, remarks }: ProposedProperty): string[] {
  const line = `      ${quoted(name)}: ${writeMap({ type, ...keys })}`
  const [only = '', ...others] = remarks
  if (others.length > 0) return [...remarks.map((text) => `      ${comment(text)}`), line]
  return [only === '' ? line : `${line} ${comment(only)}`]
}

export function writeMap({ type, ...rest }: ProposedKeys & { readonly type: string }): string {
  const entries = Object.entries(rest).filter(
    ([key, value]) => value !== undefined && !(value === false && OFF.includes(key)),
  )
  if (entries.length === 0) return quoted(type)
  const all = [['type', quoted(type)], ...entries.map(([key, value]) => [key, writeValue(value)])]
  return `{ ${all.map(([key, value]) => `${key}: ${value}`).join(', ')} }`
}

/** Names of classes and properties, and paths, need no quotes. */
function writeValue(value: ProposedValue): string {
  if (typeof value === 'string') return /^[A-Za-z][\w-]*$/.test(value) ? quoted(value) : JSON.stringify(value)
  return typeof value === 'object' ? `[${value.map(writeValue).join(', ')}]` : String(value)
}

/** Quoted if YAML would not read it as a string. */
export const quoted = (text: string): string =>
  /^[A-Za-z][\w-]*$/.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text)

/** On one line, whatever the database has in a name. */
const comment = (text: string): string =>
  `# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').slice(0, 500)}`
