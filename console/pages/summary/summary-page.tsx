import type { CollectionDescription } from 'hydrant-client'
import { canList, collectionTitle, membersWord, useApi } from '../../shared/connection/index.ts'
import { Button, Failure, focusMain, NotOffered, Page, Status } from '../../shared/controls/index.ts'
import { type CollectionRoute, counted, hrefOf, titleOf } from '../../shared/names.ts'
import { withUnit } from '../../shared/values.ts'
import { Chips } from '../table/index.ts'
import { Bars, Line } from './charts.tsx'
import { SummaryControls } from './summary-controls.tsx'
import type { ChosenSummary } from './summary-query.ts'
import { figureText } from './summary-rows.ts'
import { SummaryTable } from './summary-table.tsx'
import { type SummaryState, useSummary } from './use-summary.ts'

/** `query`: that of the API's summaries, which has the filters of the table. */
export function SummaryPage({ name, query = '' }: Omit<CollectionRoute, 'page'>) {
  const collection = useApi().collections.find((one) => one.name === name)
  if (collection && canList(collection)) return <SummaryView collection={collection} address={query} />
  return (
    <NotOffered title={collection ? collectionTitle(collection) : titleOf(name)} name={name}>
      {collection ? `You may not list ${membersWord(collection)}.` : `The API has no collection “${name}”.`}
    </NotOffered>
  )
}

function SummaryView({ collection, address }: { collection: CollectionDescription; address: string }) {
  const summary = useSummary(collection, address)
  const { query, template, isMissing, answer, filters, topics, ask } = summary
  const words = membersWord(collection)
  const table = hrefOf({ page: 'table', name: collection.name, query: query?.filters ?? '' })
  const error = template.error ?? answer.error
  const onRemove = (left: string): void => {
    ask({ filters: left })
    // The button that was pressed is gone afterwards.
    focusMain()
  }
  return (
    <Page title={`Summary of ${words}`} actions={<Button label="Show the table" href={table} />}>
      {isMissing && <p>The API has no summaries of {words}.</p>}
      {!isMissing && query && <SummaryControls summary={summary} query={query} />}
      <Chips table={{ pairs: filters, topics }} refused={undefined} onRemove={onRemove} />
      {error !== undefined && (
        <Failure error={error} onRetry={template.error === undefined ? answer.reload : template.reload} />
      )}
      {answer.value && query && <SummarySheet summary={summary} asked={query} />}
    </Page>
  )
}

/** The old figures stay until the new ones arrive. */
function SummarySheet({ summary, asked }: { summary: SummaryState; asked: ChosenSummary }) {
  const { rows, answer, options, collection } = summary
  const { query = asked, hasNext = false, total } = answer.value ?? {}
  const number = options.numbers.find(({ path }) => path === query.of)
  const isZero = query.figure === 'count' || query.figure === 'sum'
  const isDrawn = rows.some(({ value }) => value !== undefined)
  return (
    <>
      <Status>
        {rows.length === 0
          ? `No ${membersWord(collection)} match.`
          : `${counted(total ?? rows.length, 'groups')}${total !== undefined && total > rows.length ? `, ${rows.length} of them shown` : ''}`}
      </Status>
      {rows.length > 0 && (
        <div class="summary-sheet">
          {isDrawn && (
            <div class="card">
              {query.unit ? (
                <Line
                  rows={rows}
                  isZero={isZero}
                  numberText={(value) => withUnit(figureText(value, query.figure, number), number?.property)}
                />
              ) : (
                <Bars rows={rows} />
              )}
            </div>
          )}
          <div class="table-sheet">
            <SummaryTable summary={summary} query={query} />
          </div>
        </div>
      )}
      <Turning page={query.page} hasNext={hasNext} onPage={(page) => summary.ask({ page })} />
    </>
  )
}

interface TurningProps {
  readonly page: number
  readonly hasNext: boolean
  readonly onPage: (page: number) => void
}

const Turning = ({ page, hasNext, onPage }: TurningProps) =>
  page === 1 && !hasNext ? null : (
    <nav class="actions" aria-label="Pages">
      {page > 1 && <Button label="Previous" onClick={() => onPage(page - 1)} />}
      {hasNext && <Button label="Next" onClick={() => onPage(page + 1)} />}
    </nav>
  )
