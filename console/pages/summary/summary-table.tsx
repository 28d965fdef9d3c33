import type { ComponentChildren } from 'preact'
import { NumberText, SortButton, Unit } from '../../shared/controls/index.ts'
import { labelOf } from '../../shared/names.ts'
import { SORTED } from '../../shared/queries.ts'
import { FIGURE_WORDS } from './summary-controls.tsx'
import { type ChosenOrder, type ChosenSummary, orderIn } from './summary-query.ts'
import type { SummaryState } from './use-summary.ts'

/** The figures of the drawing, for everybody who wants to read them. */
export function SummaryTable({ summary, query }: { summary: SummaryState; query: ChosenSummary }) {
  const { rows, options, answer } = summary
  const group = options.groups.find(({ path }) => path === query.group)?.property
  const number = options.numbers.find(({ path }) => path === query.of)?.property
  const figure = number ? `${FIGURE_WORDS[query.figure]} of ${labelOf(number)}` : FIGURE_WORDS.count
  return (
    <table class="table-grid summary-table" aria-busy={answer.busy}>
      <caption class="visually-hidden">
        {figure} by {group && labelOf(group)}
      </caption>
      <thead>
        <tr>
          <Head summary={summary} query={query} by="group">
            {group && labelOf(group)}
          </Head>
          {number && (
            <th scope="col" class="number">
              Count
            </th>
          )}
          <Head summary={summary} query={query} by="figure">
            {figure}
            <Unit unit={number?.unit} />
          </Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, href, count, figure, figureText }) => (
          <tr key={key}>
            <th scope="row" class="table-name" dir="auto">
              {href === undefined ? name : <a href={href}>{name}</a>}
            </th>
            {number && <td class="number">{count.toLocaleString()}</td>}
            <td class="number">{figureText && <NumberText value={figure} text={figureText} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeadProps {
  readonly summary: SummaryState
  readonly query: ChosenSummary
  readonly by: ChosenOrder['by']
  readonly children: ComponentChildren
}

function Head({ summary, query, by, children }: HeadProps) {
  const order = orderIn(query)
  const direction = order.by === by ? order.direction : undefined
  return (
    <th
      scope="col"
      class={by === 'figure' ? 'number' : 'table-name'}
      aria-sort={direction && SORTED[direction]}
    >
      <SortButton
        onClick={() => summary.ask({ order: { by, direction: direction === 'desc' ? 'asc' : 'desc' } })}
      >
        {children}
      </SortButton>
    </th>
  )
}
