import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Member, Page } from '../../../src/client/index.ts'
import { Button, focusMain, useRemembering } from '../../shared/controls/index.ts'
import { hrefOf, inWords } from '../../shared/names.ts'
import type { Columns } from './columns.ts'
import { Foot } from './foot.tsx'
import { Grid } from './grid.tsx'
import { useLinkNames } from './link-names.ts'
import { createPositions, rowRange } from './position.ts'
import {
  addressOf,
  isFilter,
  nothingFound,
  partInstead,
  queryOf,
  withoutFilters,
  withoutPosition,
} from './query.ts'
import { type Table, useCount } from './use-table.ts'

interface SheetProps {
  readonly table: Table
  readonly columns: Columns
  readonly create: ComponentChildren
}

const NONE: readonly Member[] = []
/** This many rows are always in sight. */
const FEW = 5

export function Sheet({ table, columns, create }: SheetProps) {
  const { name, iri, memberClass } = table.collection
  const { rows, answered, members } = table
  const query = rows.value?.query ?? ''
  const counting = useCount(members, addressOf(iri, query), withoutPosition(answered))
  const [positions] = useState(createPositions)
  const [turned, setTurned] = useState({ query, number: 0 })
  const page = rows.value?.page
  const all = page?.members
  const isWhole = page?.previous === undefined && page?.next === undefined
  const total = page?.totalItems ?? counting.total ?? (isWhole ? all?.length : undefined)
  const range = rowRange(all?.length ?? 0, turned.query === query ? turned.number : 0)
  const { start, end } = range
  const shown = useMemo(() => all?.slice(start, end), [all, start, end])
  useRemembering(shown, memberClass)
  const linkNames = useLinkNames(name, shown ?? NONE, columns)
  const isEmpty = page !== undefined && all?.length === 0
  return (
    <div class={!shown || isEmpty || shown.length > FEW ? 'table-sheet long' : 'table-sheet'}>
      {page && !isEmpty && <SkipRows />}
      <Grid table={table} columns={columns} members={shown} rowsKey={`${query} ${range.number}`} />
      {all && range.lastNumber > 0 && (
        <p class="table-cut">
          The API sent {all.length} members at once. These are {start + 1} to {end} of them; Previous and Next
          lead to the others.
        </p>
      )}
      {isEmpty && <Empty table={table} page={page} create={create} />}
      {page && !isEmpty && (
        <Foot
          table={table}
          page={page}
          before={positions.before(query, answered, { ...page, totalItems: total })}
          total={total}
          counting={counting}
          linkNames={linkNames}
          range={range}
          onRange={(number) => setTurned({ query, number })}
        />
      )}
    </div>
  )
}

const SkipRows = () => <Button label="Skip to the pages" class="table-skip" onClick={skipRows} />

function skipRows({ currentTarget }: { currentTarget: Element }): void {
  const pager = currentTarget.parentElement?.querySelectorAll<HTMLElement>('.table-pager a') ?? []
  const usable = [...pager].filter((link) => link.getAttribute('aria-disabled') !== 'true')
  const next = usable.find((link) => link.textContent === 'Next')
  ;(next ?? usable[0] ?? pager[0])?.focus()
}

function Empty({ table, page, create }: { table: Table; page: Page<object>; create: ComponentChildren }) {
  const { name, memberClass } = table.collection
  const words = inWords(name)
  const filters = table.answered.filter(isFilter)
  const searched = filters.find(({ role }) => role === 'text')
  const ask = (query: string) => () => {
    table.ask(query)
    // The button is gone once the rows have come.
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
      <Notice title="Nothing here" text="This page is past the last one.">
        <a class="button" href={hrefOf({ page: 'table', name, query: queryOf(page.first ?? '') })}>
          Go to the first page
        </a>
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
