import type { CollectionDescription } from 'hydrant-client'
import { useRef } from 'preact/hooks'
import {
  canCreate,
  canList,
  changesInWords,
  collectionTitle,
  countRemoteChanges,
  membersWord,
  memberWord,
  useApi,
} from '../../shared/connection/index.ts'
import { Button, Failure, NotOffered, Page } from '../../shared/controls/index.ts'
import { hrefOf, type Route, titleOf } from '../../shared/names.ts'
import { useAbortableEffect } from '../../shared/state.ts'
import { useColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { isFilter, orderOf, queryOf } from './query.ts'
import { Sheet } from './sheet.tsx'
import { type TableState, useTable } from './use-table.ts'

/** `query` is empty for the first page. */
export function TablePage({ name, query = '' }: Extract<Route, { page: 'table' }>) {
  const { collections } = useApi()
  const collection = collections.find((one) => one.name === name)
  if (collection && canList(collection)) return <TableView collection={collection} query={query} />
  return (
    <NotOffered title={collection ? collectionTitle(collection) : titleOf(name)} name={name}>
      {collection ? `You may not list ${membersWord(collection)}.` : `The API has no collection “${name}”.`}
    </NotOffered>
  )
}

function TableView({ collection, query }: { collection: CollectionDescription; query: string }) {
  const { name, memberClass } = collection
  const table = useTable(collection, query)
  const { rows, refusal } = table
  const columns = useColumns(collection, rows.value?.page.members)
  const description = collection.description || memberClass?.description
  const create = canCreate(collection) && (
    <Button label={`New ${memberWord(collection)}`} class="primary" href={hrefOf({ page: 'create', name })} />
  )
  const actions = (
    <>
      <RemoteChangesNote table={table} />
      <Button label="Refresh" class="quiet" onClick={rows.reload} />
      {create}
    </>
  )
  return (
    <Page title={collectionTitle(collection)} actions={actions}>
      {description && <p class="lead">{description}</p>}
      <Filters table={table}>{columns.all.length > 2 && <ColumnMenu columns={columns} />}</Filters>
      {rows.error !== undefined && !refusal && <Failure error={rows.error} onRetry={rows.reload} />}
      {(rows.error === undefined || rows.value) && (
        <Sheet table={table} columns={columns.shown} create={create} />
      )}
    </Page>
  )
}

/** The rows do not change by themselves: they are read again when the user asks for it. */
function RemoteChangesNote({ table }: { table: TableState }) {
  const { rows, remoteChanges, answered, members, ask } = table
  const page = rows.value?.page
  const counts = countRemoteChanges(remoteChanges, page?.members.map(({ iri }) => iri) ?? [])
  const words = changesInWords(counts)
  // Without an order, new members come last.
  const isOnLastPage = page?.next && counts.create > 0 && !orderOf(answered) && !answered.some(isFilter)
  const show = async () => {
    // New members may have made another page the last one.
    const last = isOnLastPage && (await members.page(page.iri).catch(() => undefined))?.last
    if (last) ask(queryOf(last))
    else rows.reload()
  }
  return (
    <span class="remote-changes" role="status">
      {words && <Button label={`${words}: show`} class="quiet" onClick={show} />}
    </span>
  )
}

function ColumnMenu({ columns: { all, hidden, hide } }: { columns: ReturnType<typeof useColumns> }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => menu.current?.removeAttribute('open')
  useAbortableEffect((signal) => {
    const onPointer = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    addEventListener('pointerdown', onPointer, { signal })
  }, [])
  const toggle = (name: string): void => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    hide(next)
  }
  return (
    <details
      ref={menu}
      class="table-columns"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !menu.current?.open) return
        close()
        menu.current.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
    >
      <summary class="button">
        Columns
        {hidden.size > 0 && <span class="badge">{hidden.size} hidden</span>}
      </summary>
      <fieldset class="table-columns-list">
        <legend class="visually-hidden">Visible columns</legend>
        {all.slice(1).map(({ name, title }) => (
          <label key={name}>
            <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {title}
          </label>
        ))}
        {hidden.size > 0 && <Button onClick={() => hide(new Set())}>Show all</Button>}
      </fieldset>
    </details>
  )
}
