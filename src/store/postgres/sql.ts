import type { Param } from './pool.ts'

/** A piece of SQL and what is bound in it, each at a question mark. */
export interface Sql {
  readonly text: string
  readonly params: readonly Param[]
}

export const sql = (text: string, ...params: Param[]): Sql => ({ text, params })

export const join = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
})

export const and = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql('true') : join(parts, ' AND '))

/** A piece with others in it, each at a `$`, in their order. */
export function fill(template: string, ...parts: readonly Sql[]): Sql {
  const pieces = template.split('$')
  return join(
    pieces.flatMap((piece, index) => [sql(piece), ...(parts[index] === undefined ? [] : [parts[index]])]),
    '',
  )
}

/** As PostgreSQL has it: the parameters by their numbers. Values are never in the text, so it has no other marks. */
export function numbered({ text }: Sql): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}
