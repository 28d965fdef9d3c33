import type { Page } from '../../src/client/index.ts'
import { sentenceOf } from '../frame/failure.tsx'
import { inWords } from '../naming.ts'
import { PageSize } from './page-size.tsx'
import { Pager } from './pager.tsx'
import { partOf } from './parts.ts'
import { placeText } from './place.ts'
import type { Order, Pair } from './query.ts'
import type { Counting } from './use-count.ts'
import type { Variable } from './variables.ts'

interface FootProps {
  readonly name: string
  readonly page: Page<object>
  /** How many members come before those of the page; undefined where nobody knows. */
  readonly before: number | undefined
  readonly total: number | undefined
  readonly order: Order | undefined
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  readonly countsToThousand: boolean
  readonly counting: Counting
  /** Of a page that is too large to be shown at once. */
  readonly part: number
  readonly onPart: (part: number) => void
  readonly onQuery: (query: string) => void
}

/** Where in the collection one is, and the ways to elsewhere. */
export function Foot(props: FootProps) {
  const { name, page, before, total, order, countsToThousand, counting, part, onPart } = props
  const { start, end, isFirst, isLast } = partOf(page.members.length, part)
  const place = placeText({
    before: before === undefined ? undefined : before + start,
    shown: end - start,
    total,
    countsToThousand,
  })
  return (
    <div class="table-foot">
      <div class="table-place">
        <p role="status">
          {place}
          {order && <Sorted {...order} />}
        </p>
        {total === undefined && <Count {...counting} />}
      </div>
      <PageSize {...props} />
      <Pager
        name={name}
        links={{ ...page, last: page.last ?? counting.last }}
        onPrevious={isFirst ? undefined : () => onPart(part - 1)}
        onNext={isLast ? undefined : () => onPart(part + 1)}
      />
    </div>
  )
}

/** A column shows it; who hears the page is told. */
function Sorted({ name, direction }: Order) {
  return (
    <span class="visually-hidden">
      , sorted by {inWords(name)}, {direction === 'asc' ? 'ascending' : 'descending'}
    </span>
  )
}

function Count({ busy, error, count }: Counting) {
  return (
    <>
      <button
        type="button"
        class="button table-count"
        aria-disabled={busy}
        onClick={busy ? undefined : count}
      >
        {busy ? 'Counting …' : 'Count'}
      </button>
      {error !== undefined && (
        <p class="violation" role="alert">
          {sentenceOf(error)}
        </p>
      )}
    </>
  )
}
