import { join, type Sql, sql } from '../query/sql.ts'

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
