import { useRef } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { Cell, MemberLink, Text } from '../../shared/controls/index.ts'
import { nameOf, titleOf } from '../../shared/names.ts'
import { isNumber, type Kind, valueIn } from '../../shared/values.ts'
import type { Column, Columns } from './columns.ts'
import { useOverflow, useScrollRestore, useStableWidths } from './grid-layout.ts'
import { type Direction, nextDirection, orderOf, withOrder } from './query.ts'
import type { Table } from './use-table.ts'

interface GridProps {
  readonly table: Table
  readonly columns: Columns
  readonly members: readonly Member[] | undefined
  readonly rowsKey: string
}

/** A table wider than the screen scrolls by itself: it takes the focus, so that keys can scroll it. */
const SCROLLED = { tabIndex: 0 } as const

export function Grid({ table, columns, members, rowsKey }: GridProps) {
  const { pairs, variables, collection, query, rows, ask } = table
  const title = titleOf(collection.name)
  const order = orderOf(pairs)
  const sorting = (name: string | undefined) => {
    const variable = variables.find((one) => one.role === 'order' && one.property.name === name)
    return variable && ((to: Direction | undefined) => ask(withOrder(pairs, variable, to)))
  }
  const [, ...others] = columns
  const region = useRef<HTMLElement>(null)
  const head = useRef<HTMLTableRowElement>(null)
  useScrollRestore(region, query, members && rowsKey)
  useStableWidths(head, members, columns)
  const hasMore = useOverflow(region)
  return (
    <div class={hasMore ? 'table-window more' : 'table-window'}>
      <section ref={region} class="table-region" aria-label={title} {...SCROLLED}>
        <table class="table-grid" aria-busy={rows.busy}>
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
                <Row
                  key={member.iri || undefined}
                  member={member}
                  other={table.others.get(member.iri)}
                  cls={collection.memberClass}
                  columns={others}
                />
              ))}
            </tbody>
          ) : (
            <EmptyRows columns={columns} />
          )}
        </table>
      </section>
    </div>
  )
}

const alignment = (kind: Kind): string => (isNumber(kind) ? 'number' : '')

interface ColumnHeadProps {
  readonly column: Column
  readonly direction: Direction | undefined
  readonly onSort: ((direction: Direction | undefined) => void) | undefined
}

const SORTED = { asc: 'ascending', desc: 'descending' } as const

const ColumnHead = ({ column, direction, onSort }: ColumnHeadProps) => (
  <th
    scope="col"
    class={alignment(column.kind)}
    title={column.description || undefined}
    aria-sort={direction && SORTED[direction]}
  >
    {onSort ? (
      <button type="button" class="table-sort" onClick={() => onSort(nextDirection(direction))}>
        {column.title}
        <svg class="table-arrow" viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
          <path class="up" d="M4 0 8 5H0z" />
          <path class="down" d="M4 12 0 7h8z" />
        </svg>
      </button>
    ) : (
      column.title
    )}
  </th>
)

interface RowProps {
  readonly member: Member
  /** What others have done to it meanwhile. */
  readonly other: string | undefined
  readonly cls: ClassDescription | undefined
  readonly columns: readonly Column[]
}

const MEANWHILE: Readonly<Record<string, string>> = { update: 'changed', delete: 'removed' }

const Row = ({ member, other = '', cls, columns }: RowProps) => (
  <tr class={MEANWHILE[other]} title={MEANWHILE[other] && `${titleOf(MEANWHILE[other])} meanwhile`}>
    <th scope="row" dir="auto">
      <MemberLink iri={member.iri}>
        <Text text={nameOf(member, cls)} />
      </MemberLink>
      {MEANWHILE[other] && <span class="visually-hidden"> ({MEANWHILE[other]})</span>}
    </th>
    {columns.map(({ name, kind, range, words }) => (
      <td key={name} class={alignment(kind)} dir="auto">
        <Cell
          value={name && valueIn(member.data, name)}
          kind={kind}
          range={range}
          words={words}
          at={member.iri}
        />
      </td>
    ))}
  </tr>
)

/** Keeps the place of the rows, so that nothing jumps when they come. */
const EmptyRows = ({ columns }: { columns: Columns }) => (
  <tbody class="table-waiting" aria-hidden="true">
    {['1', '2', '3', '4', '5', '6', '7', '8'].map((row) => (
      <tr key={row}>
        {columns.map(({ name }) => (
          <td key={name}>
            <span />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)
