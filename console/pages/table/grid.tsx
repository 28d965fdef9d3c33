import { useRef } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { nameOf } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { Cell, ElsewhereLink, Text } from '../../shared/values/value.tsx'
import type { Column, Columns } from './columns.ts'
import { useMoreAside, useWidths } from './grid-layout.ts'
import { type Direction, nextDirection, orderOf, type Pair, withOrder } from './query.ts'
import { useSpot } from './use-scroll-restore.ts'

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

interface ColumnHeadProps {
  readonly column: Column
  readonly direction: Direction | undefined
  /** Undefined where nobody can sort by it. */
  readonly onSort: ((direction: Direction | undefined) => void) | undefined
}

const SORTED = { asc: 'ascending', desc: 'descending' } as const

export function ColumnHead({ column, direction, onSort }: ColumnHeadProps) {
  return (
    <th
      scope="col"
      class={column.kind}
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
}

interface RowProps {
  readonly member: Member
  readonly cls: ClassDescription | undefined
  readonly columns: readonly Column[]
}

/** A member. Its name leads to its page. */
export function Row({ member, cls, columns }: RowProps) {
  return (
    <tr>
      <th scope="row" dir="auto">
        <Name member={member} cls={cls} />
      </th>
      {columns.map((column) => (
        <td key={column.name} class={column.kind} dir="auto">
          <Cell value={valueAt(member.data, column.name)} column={column} at={member.iri} />
        </td>
      ))}
    </tr>
  )
}

/** A property may be called as something that every object has. */
const valueAt = (data: Member['data'], name: string | undefined): unknown =>
  name !== undefined && Object.hasOwn(data, name) ? data[name] : undefined

function Name({ member, cls }: Omit<RowProps, 'columns'>) {
  const { base } = useApi()
  const name = <Text text={nameOf(member, cls)} />
  const path = pathBelow(base, member.iri)
  if (path === undefined) return <ElsewhereLink iri={member.iri}>{name}</ElsewhereLink>
  return <a href={hrefOf({ page: 'member', path })}>{name}</a>
}

/** Where rows will be: nothing jumps when they come. */
export function EmptyRows({ columns }: { readonly columns: number }) {
  const rows = Array.from({ length: 8 }, (_, index) => index)
  const cells = Array.from({ length: columns }, (_, index) => index)
  return (
    <tbody class="table-waiting" aria-hidden="true">
      {rows.map((row) => (
        <tr key={row}>
          {cells.map((cell) => (
            <td key={cell}>
              <span />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
