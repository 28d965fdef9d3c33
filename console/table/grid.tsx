import { useEffect, useRef } from 'preact/hooks'
import type { ClassDescription, Member } from '../../src/client/index.ts'
import { ColumnHead } from './column-head.tsx'
import { columnsOf } from './columns.ts'
import { type Direction, orderOf, type Pair, withOrder } from './query.ts'
import { EmptyRows, Row } from './rows.tsx'
import type { Variable } from './variables.ts'

interface GridProps {
  readonly title: string
  readonly cls: ClassDescription | undefined
  /** Undefined before anything has come. */
  readonly members: readonly Member[] | undefined
  /** Another one begins at its top. */
  readonly place: string
  readonly busy: boolean
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  readonly onQuery: (query: string) => void
}

/** Wider than the screen as a rule: so it scrolls by itself, and the focus can be on it to do so with the keyboard. */
const SCROLLED = { tabIndex: 0 } as const

/** The members of a page as rows, with columns that sort where the API can. */
export function Grid({ title, cls, members, place, busy, pairs, variables, onQuery }: GridProps) {
  const columns = columnsOf(cls, members ?? [])
  const order = orderOf(pairs)
  const sorting = (name: string | undefined) => {
    const variable = variables.find((one) => one.role === 'order' && one.property.name === name)
    return variable && ((to: Direction | undefined) => onQuery(withOrder(pairs, variable, to)))
  }
  const [, ...others] = columns
  const region = useRef<HTMLElement>(null)
  useEffect(() => region.current?.scrollTo({ top: 0 }), [place])
  return (
    <section ref={region} class="table-region" aria-label={title} {...SCROLLED}>
      <table class="table-grid" aria-busy={busy}>
        <caption class="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead
                key={column.name}
                column={column}
                direction={order && order.name === column.name ? order.direction : undefined}
                onSort={sorting(column.name)}
              />
            ))}
          </tr>
        </thead>
        {members ? (
          <tbody>
            {members.map((member) => (
              <Row key={member.iri || undefined} member={member} cls={cls} columns={others} />
            ))}
          </tbody>
        ) : (
          <EmptyRows columns={columns.length} />
        )}
      </table>
    </section>
  )
}
