import { useRef } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { ColumnHead } from './column-head.tsx'
import type { Columns } from './columns.ts'
import { type Direction, orderOf, type Pair, withOrder } from './query.ts'
import { EmptyRows, Row } from './rows.tsx'
import { useMoreAside } from './use-overflow.ts'
import { useSpot } from './use-scroll-restore.ts'
import { useWidths } from './use-stable-widths.ts'

interface GridProps {
  readonly title: string
  readonly cls: ClassDescription | undefined
  readonly columns: Columns
  /** Undefined before anything has come. */
  readonly members: readonly Member[] | undefined
  /** What the address asks for. */
  readonly query: string
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
export function Grid(props: GridProps) {
  const { title, cls, columns, members, query, place, busy, pairs, variables, onQuery } = props
  const order = orderOf(pairs)
  const sorting = (name: string | undefined) => {
    const variable = variables.find((one) => one.role === 'order' && one.property.name === name)
    return variable && ((to: Direction | undefined) => onQuery(withOrder(pairs, variable, to)))
  }
  const [, ...others] = columns
  const region = useRef<HTMLElement>(null)
  const head = useRef<HTMLTableRowElement>(null)
  useSpot(region, { query, rows: members && place })
  useWidths(head, members, columns)
  const moreAside = useMoreAside(region)
  return (
    <div class={moreAside ? 'table-window more' : 'table-window'}>
      <section ref={region} class="table-region" aria-label={title} {...SCROLLED}>
        <table class="table-grid" aria-busy={busy}>
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr ref={head}>
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
    </div>
  )
}
