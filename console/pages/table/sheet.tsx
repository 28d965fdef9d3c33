import type { CollectionPage } from 'hydrant-client'
import type { ComponentChildren, ComponentProps } from 'preact'
import { membersWord } from '../../shared/connection/index.ts'
import { Button, focusMain } from '../../shared/controls/index.ts'
import { queryOf } from '../../shared/queries.ts'
import { Foot } from './foot.tsx'
import { Grid } from './grid.tsx'
import { addressOf, isFilter, nothingFound, partInstead, summaryFilters, withoutFilters } from './query.ts'
import { SelectionBar } from './selection/selection-bar.tsx'
import { useSelection } from './selection/use-selection.ts'
import { type TableState, useView } from './use-table.ts'

/** This many rows always fit on the screen. */
const FEW = 5

interface SheetProps extends Pick<ComponentProps<typeof Grid>, 'table' | 'columns' | 'onOrderUnseen'> {
  readonly create: ComponentChildren
}

export function Sheet({ table, columns, create, onOrderUnseen }: SheetProps) {
  const view = useView(table, columns)
  const { shown, start, end } = view
  const { collection, rows, canExport } = table
  const page = rows.value?.page
  const selection = useSelection({
    collection,
    members: page?.members,
    address: addressOf(collection.iri, rows.value?.query ?? ''),
    filters: summaryFilters(table.answered),
    canExport,
    reload: rows.reload,
  })
  const isUseful = Object.values(selection.offered).some(Boolean)
  const isEmpty = page?.members.length === 0
  return (
    <div class={!shown || isEmpty || shown.length > FEW ? 'table-sheet long' : 'table-sheet'}>
      {page && !isEmpty && <Button label="Skip to the page links" class="table-skip" onClick={skipRows} />}
      <Grid
        table={table}
        columns={columns}
        view={view}
        selection={isUseful ? selection : undefined}
        onOrderUnseen={onOrderUnseen}
      />
      {page && view.lastNumber > 0 && (
        <p class="table-cut">
          The API sent {page.members.length} members at once. These are {start + 1} to {end}. Use Previous and
          Next to see the others.
        </p>
      )}
      {page && isEmpty && <Empty table={table} page={page} create={create} />}
      <SelectionBar selection={selection} />
      {page && !isEmpty && <Foot table={table} page={page} view={view} />}
    </div>
  )
}

function skipRows({ currentTarget }: { currentTarget: Element }): void {
  const pager = currentTarget.parentElement?.querySelectorAll<HTMLElement>('.table-pager a') ?? []
  const usable = [...pager].filter((link) => link.getAttribute('aria-disabled') !== 'true')
  const next = usable.find((link) => link.getAttribute('rel') === 'next')
  ;(next ?? usable[0] ?? pager[0])?.focus()
}

function Empty({
  table,
  page,
  create,
}: {
  table: TableState
  page: CollectionPage<object>
  create: ComponentChildren
}) {
  const { memberClass } = table.collection
  const words = membersWord(table.collection)
  const filters = table.answered.filter(isFilter)
  const searched = filters.find(({ role }) => role === 'text')
  const ask = (query: string) => () => {
    table.ask(query)
    // The button disappears when the rows arrive.
    focusMain()
  }
  if (filters.length > 0) {
    const part = searched && partInstead(table.answered, searched, table.variables, memberClass)
    const isSearch = searched && filters.length === 1
    const text = searched
      ? nothingFound(searched.value, table)
      : `No ${words} match these filters. Remove one of them, or clear them all.`
    return (
      <Notice title="Nothing matches" text={text}>
        <div class="actions">
          {part && <Button label={part.label} class="primary" onClick={ask(part.query)} />}
          <Button
            label={isSearch ? 'Clear the search' : 'Clear the filters'}
            onClick={ask(withoutFilters(table.answered))}
          />
        </div>
      </Notice>
    )
  }
  if (page.previous !== undefined) {
    return (
      <Notice title="Nothing here" text="This is beyond the last page.">
        <Button href={table.hrefOf(queryOf(page.first ?? ''))}>Go to the first page</Button>
      </Notice>
    )
  }
  return (
    <Notice title={`No ${words} yet`} text="The collection is empty.">
      {create}
    </Notice>
  )
}

const Notice = ({ title, text, children }: { title: string; text: string; children: ComponentChildren }) => (
  <div class="table-empty" role="status">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)
