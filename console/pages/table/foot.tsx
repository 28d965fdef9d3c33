import { useEffect, useRef } from 'preact/hooks'
import type { Page } from '../../../src/client/index.ts'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { inWords } from '../../shared/names/naming.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { PageSize } from './page-size.tsx'
import { Pager } from './pager.tsx'
import { placeText } from './position.ts'
import type { Order, Pair } from './query.ts'
import type { Part } from './row-ranges.ts'
import type { Counting } from './use-count.ts'
import type { LinkNames } from './use-link-names.ts'

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
  readonly linkNames: LinkNames
  readonly part: Part
  readonly onPart: (part: number) => void
  readonly onQuery: (query: string) => void
}

/** Where in the collection one is, and the ways to elsewhere. */
export function Foot(props: FootProps) {
  const { name, page, before, total, order, countsToThousand, counting, linkNames, part, onPart } = props
  const { start, end } = part
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // With the count, the button is gone that the focus was on.
    if (counting.total !== undefined && document.activeElement === document.body) status.current?.focus()
  }, [counting.total])
  const place = placeText({
    before: before === undefined ? undefined : before + start,
    shown: end - start,
    total,
    countsToThousand,
  })
  return (
    <div class="table-foot">
      <div class="table-place">
        <p ref={status} role="status" tabIndex={-1}>
          {place}
          {order && <Sorted {...order} />}
        </p>
        {total === undefined && <Count {...counting} />}
        {linkNames.isUseful && <Naming {...linkNames} />}
      </div>
      <PageSize {...props} />
      <Pager name={name} links={{ ...page, last: page.last ?? counting.last }} part={part} onPart={onPart} />
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

function Naming({ isOn, isBusy, toggle }: LinkNames) {
  return (
    <>
      <button
        type="button"
        class="button table-naming"
        aria-pressed={isOn}
        title="Reads the names of what these rows link to: a request for each that is not known yet"
        onClick={toggle}
      >
        Show names
      </button>
      <span class="hint" role="status">
        {isBusy && 'Reading names …'}
      </span>
    </>
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
