import { ApiError, type CollectionDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { canCreate, memberWord } from '../../shared/connection/collections.ts'
import { Button } from '../../shared/controls/button.tsx'
import { Failure, Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { go, hrefOf } from '../../shared/routes.ts'
import { ColumnMenu } from './column-menu.tsx'
import { useColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { Sheet } from './sheet.tsx'
import { useTable } from './use-table.ts'

interface TablePageProps {
  /** Of the collection in the entry point. */
  readonly name: string
  /** Of the page's address, as the API wrote it; empty for the first page. */
  readonly query: string
}

/** The members of a collection, a page at a time. */
export function TablePage({ name, query }: TablePageProps) {
  const { collections } = useApi()
  const collection = collections.find((one) => one.name === name)
  if (collection) return <Table collection={collection} query={query} />
  return (
    <Page title={capitalised(inWords(name))}>
      <p>The API has no collection with this name.</p>
      <p>
        <a href={hrefOf({ page: 'home' })}>See what it has</a>
      </p>
    </Page>
  )
}

interface TableProps {
  readonly collection: CollectionDescription
  readonly query: string
}

/** Filters, rows, and the ways to other pages. What is shown is what the address says. */
export function Table({ collection, query }: TableProps) {
  const { name, memberClass } = collection
  const table = useTable(collection, query)
  const { rows, template, pairs, variables } = table
  const columns = useColumns(collection, rows.value?.page.members)
  const [, ...others] = columns.all
  const title = inWords(name)
  const description = collection.description || memberClass?.description
  const refusal = rows.error instanceof ApiError && rows.error.status === 400 ? rows.error : undefined
  const onQuery = (next: string): void =>
    next === query ? rows.reload() : go({ page: 'table', name, query: next })
  const create = canCreate(collection) && (
    <a class="button primary" href={hrefOf({ page: 'create', name })}>
      New {memberWord(collection)}
    </a>
  )
  return (
    <Page
      title={capitalised(title)}
      actions={
        <>
          <Button class="quiet" onClick={rows.reload}>
            Refresh
          </Button>
          {create}
        </>
      }
    >
      {description && <p class="table-about">{description}</p>}
      <Filters
        title={title}
        // Without the template nobody knows which of them are filters.
        pairs={template.value || template.error ? pairs : []}
        variables={variables}
        answered={rows.busy ? undefined : rows.value?.query}
        refusal={refusal}
        wholeWords={table.isHydrant}
        onQuery={onQuery}
      >
        {others.length > 1 && <ColumnMenu columns={others} hidden={columns.hidden} onHidden={columns.hide} />}
      </Filters>
      {template.error !== undefined && rows.error === undefined && (
        <Failure error={template.error} onRetry={template.reload} />
      )}
      {rows.error !== undefined && !refusal ? (
        <Failure error={rows.error} onRetry={rows.reload} />
      ) : (
        !refusal && (
          <Sheet
            collection={collection}
            table={table}
            asked={query}
            columns={columns}
            create={create}
            onQuery={onQuery}
          />
        )
      )}
    </Page>
  )
}
