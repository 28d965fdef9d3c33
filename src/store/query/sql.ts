import type { Key } from '../../vocabulary/keys.ts'

/** A piece of SQL and what is bound in it, each at a question mark. */
export interface Sql {
  readonly text: string
  readonly params: readonly (Key | null)[]
}

export const sql = (text: string, ...params: (Key | null)[]): Sql => ({ text, params })

/** A piece with others in it, each at a `$`, in their order. */
export function fill(template: string, ...parts: readonly Sql[]): Sql {
  const pieces = template.split('$')
  const text = pieces.reduce((before, piece, index) => `${before}${parts[index - 1]?.text ?? ''}${piece}`)
  return { text, params: parts.flatMap(({ params }) => params) }
}

export const join = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
})

export const and = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql('true') : join(parts, ' AND '))
