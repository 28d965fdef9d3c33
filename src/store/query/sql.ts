import type { Key } from '../../vocabulary/keys.ts'

/** A piece of SQL and what is bound in it, each at a question mark. */
export interface Sql {
  readonly text: string
  readonly params: readonly (Key | null)[]
}

export const sql = (text: string, ...params: (Key | null)[]): Sql => ({ text, params })

export const join = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
})

export const and = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql('true') : join(parts, ' AND '))
