import type { Member } from 'hydrant-client'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { canOpen, collectionTitle, useApi } from '../../shared/connection/index.ts'
import { MemberLink, SortButton, Unit, useMeasured } from '../../shared/controls/index.ts'
import { nameOf } from '../../shared/labels.ts'
import { titleOf } from '../../shared/names.ts'
import { SORTED } from '../../shared/queries.ts'
import { isNumber, type Kind } from '../../shared/values.ts'
import { Cell, Text } from './cell.tsx'
import type { TableColumn, TableColumns } from './columns.ts'
import { isOrderUnseen, useScrollRestore, useStableWidths } from './grid-layout.ts'
import { valueAt } from './link-columns.ts'
import { nextDirection, orderOf, withOrder } from './query.ts'
import { SelectPage, SelectRow } from './selection/select-boxes.tsx'
import type { RowSelection } from './selection/use-selection.ts'
import type { TableState, View } from './use-table.ts'

interface GridProps {
  readonly table: TableState
  readonly columns: TableColumns
  readonly view: View
  /** Undefined if nothing can be done with several members. */
  readonly selection: RowSelection | undefined
  /** Called with whether no column in sight shows the order. */
  readonly onOrderUnseen: (isUnseen: boolean) => void
}

export function Grid({ table, columns, view, selection, onOrderUnseen }: GridProps) {
  const { collection, query, rows } = table
  const { shown } = view
  const title = collectionTitle(collection)
  const [, ...others] = columns
  const region = useRef<HTMLElement>(null)
  const head = useRef<HTMLTableRowElement>(null)
  useScrollRestore(region, query, shown && `${rows.value?.query} ${view.number}`)
  useStableWidths(head, shown, columns)
  // A shadow shows that the region can be scrolled further to the right.
  const hasMore = useMeasured(
    region,
    ({ scrollWidth, clientWidth, scrollLeft }) => scrollWidth - clientWidth - scrollLeft > 1,
  )
  const isUnseen = useMeasured(region, isOrderUnseen, [orderOf(table.pairs)?.name, columns])
  useLayoutEffect(() => onOrderUnseen(isUnseen), [isUnseen])
  return (
    <div class={hasMore ? 'table-window more' : 'table-window'}>
      {/* A wide table scrolls within its region, which can be focused so that the keyboard can scroll it. */}
      <section ref={region} class="table-region" aria-label={title} {...{ tabIndex: 0 }}>
        <table class="table-grid" aria-busy={rows.busy}>
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr ref={head}>
              {selection && <SelectPage shown={shown ?? []} selection={selection} />}
              {columns.map((column) => (
                <ColumnHead key={column.name} column={column} isName={column === columns[0]} table={table} />
              ))}
            </tr>
          </thead>
          {shown ? (
            <tbody>
              {shown.map((member) => (
                <Row
                  key={member.iri || undefined}
                  member={member}
                  columns={others}
                  table={table}
                  select={selection && ((isRange) => selection.toggle(member, shown, isRange))}
                  isSelected={selection?.has(member.iri)}
                />
              ))}
            </tbody>
          ) : (
            <EmptyRows columns={columns} hasSelection={selection !== undefined} />
          )}
        </table>
      </section>
    </div>
  )
}

const alignment = (kind: Kind): string => (isNumber(kind) ? 'number' : '')

function ColumnHead({
  column,
  isName,
  table: { pairs, variables, isHydrant, ask },
}: {
  column: TableColumn
  isName: boolean
  table: TableState
}) {
  const order = orderOf(pairs)
  const direction = order?.name === column.name ? order.direction : undefined
  // Linked members are shown by name, and other APIs sort them by address.
  const isSortable = column.isSortable && (column.kind !== 'link' || isHydrant)
  const variable = variables.find(
    (one) => one.role === 'order' && one.property.name === column.name && isSortable,
  )
  const title = (
    <>
      {column.title}
      <Unit unit={column.unit} />
    </>
  )
  return (
    <th
      scope="col"
      class={isName ? 'table-name' : alignment(column.kind)}
      title={column.description || undefined}
      aria-sort={direction && SORTED[direction]}
    >
      {variable ? (
        <SortButton onClick={() => ask(withOrder(pairs, variable, nextDirection(direction)))}>
          {title}
        </SortButton>
      ) : (
        title
      )}
    </th>
  )
}

/** The words are also the classes of the rows. */
const REMOTE_CHANGES: Readonly<Record<string, string>> = { update: 'changed', delete: 'deleted' }

interface RowProps {
  readonly member: Member
  readonly columns: readonly TableColumn[]
  readonly table: TableState
  readonly select: ((isRange: boolean) => void) | undefined
  readonly isSelected: boolean | undefined
}

function Row({ member, columns, table, select, isSelected = false }: RowProps) {
  const change = REMOTE_CHANGES[table.remoteChanges.get(member.iri) ?? '']
  const { memberClass } = table.collection
  const api = useApi()
  const isLinked = canOpen(api, memberClass)
  const label = nameOf(member, memberClass, api.documentation.classes)
  const name = <Text text={label} />
  return (
    <tr class={change} title={change && `${titleOf(change)} by someone else`}>
      {select && <SelectRow name={label} checked={isSelected} onSelect={select} />}
      <th scope="row" class="table-name" dir="auto">
        {isLinked ? <MemberLink iri={member.iri}>{name}</MemberLink> : name}
        {change && <span class="visually-hidden"> ({change})</span>}
      </th>
      {columns.map((column) => (
        <td key={column.name} class={alignment(column.kind)} dir="auto">
          <Cell value={valueAt(member.data, column.name)} column={column} at={member.iri} />
        </td>
      ))}
    </tr>
  )
}

/** Placeholders, so that the page does not jump when the rows arrive. */
const EmptyRows = ({ columns, hasSelection }: { columns: TableColumns; hasSelection: boolean }) => (
  <tbody class="table-waiting" aria-hidden="true">
    {['1', '2', '3', '4', '5', '6', '7', '8'].map((row) => (
      <tr key={row}>
        {hasSelection && <td class="table-pick" />}
        {columns.map(({ name }, index) => (
          <td key={name} class={index === 0 ? 'table-name' : ''}>
            <span />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)
