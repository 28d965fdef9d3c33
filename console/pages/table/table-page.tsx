import { ApiError, type CollectionDescription } from '../../../src/client/index.ts'
import { canCreate, memberWord, useApi } from '../../shared/connection/index.ts'
import { Button, Failure, Page } from '../../shared/controls/index.ts'
import { hrefOf, titleOf } from '../../shared/names/index.ts'
import { ColumnMenu } from './column-menu.tsx'
import { useColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { Sheet } from './sheet.tsx'
import { useTable } from './use-table.ts'

interface TablePageProps {
  readonly name: string
  /** Of the page's address, as the API wrote it; empty for the first page. */
  readonly query: string
}

export function TablePage({ name, query }: TablePageProps) {
  const { collections } = useApi()
  const collection = collections.find((one) => one.name === name)
  if (collection) return <TableView collection={collection} query={query} />
  return (
    <Page title={titleOf(name)}>
      <p>The API has no collection with this name.</p>
      <p>
        <a href={hrefOf({ page: 'home' })}>See what it has</a>
      </p>
    </Page>
  )
}

interface TableViewProps {
  readonly collection: CollectionDescription
  readonly query: string
}

function TableView({ collection, query }: TableViewProps) {
  const { name, memberClass } = collection
  const table = useTable(collection, query)
  const { rows, template } = table
  const columns = useColumns(collection, rows.value?.page.members)
  const [, ...others] = columns.all
  const description = collection.description || memberClass?.description
  const refusal = rows.error instanceof ApiError && rows.error.status === 400 ? rows.error : undefined
  const create = canCreate(collection) && (
    <a class="button primary" href={hrefOf({ page: 'create', name })}>
      New {memberWord(collection)}
    </a>
  )
  const actions = (
    <>
      <Button label="Refresh" class="quiet" onClick={rows.reload} />
      {create}
    </>
  )
  return (
    <Page title={titleOf(name)} actions={actions}>
      {description && <p class="table-about">{description}</p>}
      <Filters table={table} refusal={refusal}>
        {others.length > 1 && <ColumnMenu columns={others} hidden={columns.hidden} onHidden={columns.hide} />}
      </Filters>
      {template.error !== undefined && rows.error === undefined && (
        <Failure error={template.error} onRetry={template.reload} />
      )}
      {rows.error !== undefined && !refusal && <Failure error={rows.error} onRetry={rows.reload} />}
      {rows.error === undefined && <Sheet table={table} columns={columns.shown} create={create} />}
    </Page>
  )
}
