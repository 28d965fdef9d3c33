import { useRef } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { canCreate, canList, memberWord, othersInWords, useApi } from '../../shared/connection/index.ts'
import { Button, Failure, NotOffered, Page } from '../../shared/controls/index.ts'
import { hrefOf, titleOf } from '../../shared/names.ts'
import { useAbortableEffect } from '../../shared/state.ts'
import { type Column, useColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { isFilter, orderOf, queryOf } from './query.ts'
import { Sheet } from './sheet.tsx'
import { type Table, useTable } from './use-table.ts'

interface TablePageProps {
  readonly name: string
  /** Of the page's address, as the API wrote it; empty for the first page. */
  readonly query: string
}

export function TablePage({ name, query }: TablePageProps) {
  const { collections } = useApi()
  const collection = collections.find((one) => one.name === name)
  if (collection && canList(collection)) return <TableView collection={collection} query={query} />
  return (
    <NotOffered title={titleOf(name)} name={name}>
      {collection
        ? `The API does not offer you a list of ${name}.`
        : 'The API has no collection with this name.'}
    </NotOffered>
  )
}

function TableView({ collection, query }: { collection: CollectionDescription; query: string }) {
  const { name, memberClass } = collection
  const table = useTable(collection, query)
  const { rows, refusal } = table
  const columns = useColumns(collection, rows.value?.page.members)
  const [, ...others] = columns.all
  const description = collection.description || memberClass?.description
  const create = canCreate(collection) && (
    <a class="button primary" href={hrefOf({ page: 'create', name })}>
      New {memberWord(collection)}
    </a>
  )
  const actions = (
    <>
      <OthersNote table={table} />
      <Button label="Refresh" class="quiet" onClick={rows.reload} />
      {create}
    </>
  )
  return (
    <Page title={titleOf(name)} actions={actions}>
      {description && <p class="lead">{description}</p>}
      <Filters table={table}>
        {others.length > 1 && <ColumnMenu columns={others} hidden={columns.hidden} onHidden={columns.hide} />}
      </Filters>
      {rows.error !== undefined && !refusal && <Failure error={rows.error} onRetry={rows.reload} />}
      {(rows.error === undefined || rows.value) && (
        <Sheet table={table} columns={columns.shown} create={create} />
      )}
    </Page>
  )
}

/** Nothing moves by itself: the rows are read anew when the user wants that. */
function OthersNote({ table: { rows, others, answered, members, ask } }: { table: Table }) {
  const page = rows.value?.page
  const words = othersInWords(others, page?.members.map(({ iri }) => iri) ?? [])
  // Without an order, new members come last.
  const isBehind = page?.next && /new/.test(words) && !orderOf(answered) && !answered.some(isFilter)
  const show = async () => {
    // With them the last page may be another one.
    const last = isBehind && (await members.page(page.iri).catch(() => undefined))?.last
    if (last) ask(queryOf(last))
    else rows.reload()
  }
  return (
    <span class="others" role="status">
      {words && <Button label={`${words}: show`} class="quiet" onClick={show} />}
    </span>
  )
}

interface ColumnMenuProps {
  readonly columns: readonly Column[]
  readonly hidden: ReadonlySet<string>
  readonly onHidden: (hidden: ReadonlySet<string>) => void
}

function ColumnMenu({ columns, hidden, onHidden }: ColumnMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const summary = useRef<HTMLElement>(null)
  const close = (): void => {
    if (menu.current) menu.current.open = false
  }
  useAbortableEffect((signal) => {
    const onPointer = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    addEventListener('pointerdown', onPointer, { signal })
  }, [])
  const toggle = (name: string): void => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    onHidden(next)
  }
  return (
    <details
      ref={menu}
      class="table-columns"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !menu.current?.open) return
        close()
        summary.current?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
    >
      <summary ref={summary} class="button">
        Columns
        {hidden.size > 0 && <span class="badge">{hidden.size} hidden</span>}
      </summary>
      <fieldset class="table-columns-list">
        <legend class="visually-hidden">Columns that are shown</legend>
        {columns.map(
          ({ name, title }) =>
            name !== undefined && (
              <label key={name}>
                <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {title}
              </label>
            ),
        )}
        {hidden.size > 0 && <Button onClick={() => onHidden(new Set())}>Show all</Button>}
      </fieldset>
    </details>
  )
}
