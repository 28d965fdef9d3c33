import type { CollectionDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
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
import { type CollectionRoute, hrefOf, titleOf } from '../../shared/names.ts'
import { queryOf } from '../../shared/queries.ts'
import { ColumnMenu } from './column-menu.tsx'
import { ExportDialog } from './export/export-dialog.tsx'
import { Filters } from './filters.tsx'
import { addressOf, isFilter, orderOf, summaryFilters, withPageSize } from './query.ts'
import { Sheet } from './sheet.tsx'
import { useColumns } from './use-columns.ts'
import { type TableState, useTable } from './use-table.ts'

/** `query`: that of the API, empty for the first page, and the columns behind links. */
export function TablePage({ name, query = '' }: Omit<CollectionRoute, 'page'>) {
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
  const columns = useColumns(collection, rows.value?.page.members, table)
  const [isOrderUnseen, setOrderUnseen] = useState(false)
  const description = collection.description || memberClass?.description
  const create = canCreate(collection) && (
    <Button label={`New ${memberWord(collection)}`} class="primary" href={hrefOf({ page: 'create', name })} />
  )
  const actions = (
    <>
      <RemoteChangesNote table={table} />
      {create}
    </>
  )
  return (
    <Page title={collectionTitle(collection)} actions={actions}>
      {description && <p class="lead">{description}</p>}
      <Filters table={table} showsOrder={isOrderUnseen}>
        <div class="table-outputs">
          <TableOutputs table={table} />
          <Button label="Refresh" class="quiet" onClick={rows.reload} />
        </div>
        {columns.all.length > 2 && <ColumnMenu columns={columns} onLinked={table.showLinked} />}
      </Filters>
      {rows.error !== undefined && !refusal && <Failure error={rows.error} onRetry={rows.reload} />}
      {(rows.error === undefined || rows.value) && (
        <Sheet table={table} columns={columns.shown} create={create} onOrderUnseen={setOrderUnseen} />
      )}
    </Page>
  )
}

/** The largest page that servers usually allow. */
const LARGEST = '100'

/** What can be made of the filtered table, as far as the API offers it. */
function TableOutputs({ table }: { table: TableState }) {
  const { collection, pairs, variables, hasSummary, canExport } = table
  const addressWith = (size?: string) => addressOf(collection.iri, withPageSize(pairs, variables, size))
  const [isExporting, setExporting] = useState(false)
  const summary = { page: 'summary', name: collection.name, query: summaryFilters(pairs) } as const
  return (
    <>
      {hasSummary && <Button label="Summary" href={hrefOf(summary)} />}
      {collection.memberClass?.history && (
        <Button label="Deleted" href={hrefOf({ page: 'deleted', name: collection.name })} />
      )}
      {canExport && <Button label="Export" onClick={() => setExporting(true)} />}
      {isExporting && (
        <ExportDialog
          collection={collection}
          address={addressWith(LARGEST)}
          otherwise={addressWith()}
          onClose={() => setExporting(false)}
        />
      )}
    </>
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
      {words && <Button label={`${words}: show`} onClick={show} />}
    </span>
  )
}
