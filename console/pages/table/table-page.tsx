import { useApi } from '../../shared/api.ts'
import { Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import { Table } from './table.tsx'

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
